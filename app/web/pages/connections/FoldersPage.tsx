import FoldersView from '../../features/folders/FoldersView.tsx';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';

/** The folders that are followed, for who may see them. */
export default function FoldersPage() {
  return <FoldersView isOwner={allows(useStore(session), 'owner')} />;
}
