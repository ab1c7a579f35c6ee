import { useQuery } from '@tanstack/react-query';
import AskView from './features/ask/AskView.tsx';
import { NoModel } from './features/models/NoModel.tsx';
import { namespacesQuery } from './features/namespaces/queries.ts';
import { useChosenNamespace } from './features/namespaces/use-chosen.ts';
import { allows, session } from './platform/session.ts';
import { useStore } from './platform/store.ts';

/** Questions, to the namespace of the address or the one changed last. */
export default function AskPage() {
  const { data } = useQuery(namespacesQuery);
  const isOwner = allows(useStore(session), 'owner');
  return (
    <AskView namespaces={data?.map(({ namespace }) => namespace)} namespace={useChosenNamespace()}>
      <NoModel part="ask" isOwner={isOwner} focusAfter="ask-title" />
    </AskView>
  );
}
