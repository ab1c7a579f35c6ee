import KeysView from '../../features/keys/KeysView.tsx';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';

/** The keys, for who may see them. */
export default function KeysPage() {
  return <KeysView isOwner={allows(useStore(session), 'owner')} />;
}
