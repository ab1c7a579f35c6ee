import { FoldersNotice } from '../features/folders/FoldersNotice.tsx';
import StatusView from '../features/status/StatusView.tsx';
import { Quotas } from '../features/usage/Quotas.tsx';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';

/** How the daemon is doing, and what the session's account may still do. */
export default function StatusPage() {
  const isOwner = allows(useStore(session), 'owner');
  return <StatusView figures={<Quotas />}>{isOwner && <FoldersNotice />}</StatusView>;
}
