import SourcesView from '../features/sessions/sources/SourcesView.tsx';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';

/** Which agents' logs are read. */
export default function SessionSourcesPage() {
  return <SourcesView isOwner={allows(useStore(session), 'owner')} />;
}
