import { useQuery } from '@tanstack/react-query';
import AskView from './features/ask/AskView.tsx';
import { namespacesQuery } from './features/namespaces/queries.ts';
import { useChosenNamespace } from './features/namespaces/use-chosen.ts';

/** Questions, to the namespace of the address or the one changed last. */
export default function AskPage() {
  const { data } = useQuery(namespacesQuery);
  return <AskView namespaces={data?.map(({ namespace }) => namespace)} namespace={useChosenNamespace()} />;
}
