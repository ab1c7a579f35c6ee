import { useQuery } from '@tanstack/react-query';
import InboxView from '../features/inbox/InboxView.tsx';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';

/** The inboxes of all namespaces. */
export default function InboxPage() {
  const { data = [] } = useQuery(namespacesQuery);
  const canWrite = allows(useStore(session), 'write');
  return (
    <>
      <h1 className="sr-only">Inbox</h1>
      <InboxView namespaces={data.map(({ namespace }) => namespace)} canWrite={canWrite} />
    </>
  );
}
