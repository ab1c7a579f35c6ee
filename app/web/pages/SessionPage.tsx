import { useParams } from '@tanstack/react-router';
import SessionView from '../features/sessions/reader/SessionView.tsx';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';

/** One coding session, to be read. */
export default function SessionPage() {
  const { id } = useParams({ from: '/sessions/$id' });
  const now = useStore(session);
  return <SessionView key={id} id={id} canWrite={allows(now, 'write')} isOwner={allows(now, 'owner')} />;
}
