import { useQuery } from '@tanstack/react-query';
import EventsView from '../../features/events/EventsView.tsx';
import { namespacesQuery } from '../../features/namespaces/queries.ts';

/** The event log, filtered by the namespaces that there are. */
export default function EventsPage() {
  const { data = [] } = useQuery(namespacesQuery);
  return (
    <>
      <h1 className="sr-only">Events</h1>
      <EventsView namespaces={data.map(({ namespace }) => namespace)} />
    </>
  );
}
