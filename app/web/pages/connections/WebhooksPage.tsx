import WebhooksView from '../../features/webhooks/WebhooksView.tsx';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';

/** The webhooks, for who may see them. */
export default function WebhooksPage() {
  return (
    <>
      <h1 className="sr-only">Webhooks</h1>
      <WebhooksView isOwner={allows(useStore(session), 'owner')} />
    </>
  );
}
