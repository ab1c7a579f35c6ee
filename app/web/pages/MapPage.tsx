import { useQuery } from '@tanstack/react-query';
import MapView from '../features/map/MapView.tsx';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { useChosenNamespace } from '../features/namespaces/use-chosen.ts';
import { Skeleton } from '../ui/Message.tsx';

/** The map of the namespace of the address, or of the one changed last. */
export default function MapPage() {
  const { data } = useQuery(namespacesQuery);
  const namespace = useChosenNamespace();
  if (namespace === undefined) return <Skeleton lines={8} />;
  return <MapView namespaces={data?.map((one) => one.namespace) ?? []} namespace={namespace} />;
}
