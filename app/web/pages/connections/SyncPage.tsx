import SyncView from '../../features/sync/SyncView.tsx';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';

/** Sync, with what the session may do. */
export default function SyncPage() {
  const now = useStore(session);
  return <SyncView isOwner={allows(now, 'owner')} canWrite={allows(now, 'write')} />;
}
