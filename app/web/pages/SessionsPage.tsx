import SessionsView from '../features/sessions/list/SessionsView.tsx';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';

/** What coding agents did. */
export default function SessionsPage() {
  return <SessionsView isOwner={allows(useStore(session), 'owner')} />;
}
