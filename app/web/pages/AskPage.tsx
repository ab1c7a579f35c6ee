import { useQuery } from '@tanstack/react-query';
import AskView from '../features/ask/AskView.tsx';
import { NoModel } from '../features/models/NoModel.tsx';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { usePlace } from '../platform/place.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';

/** Questions, to every namespace or that of the address. */
export default function AskPage() {
  const { data } = useQuery(namespacesQuery);
  const isOwner = allows(useStore(session), 'owner');
  return (
    <AskView
      namespaces={data?.map(({ namespace }) => namespace)}
      namespace={usePlace().namespace ?? EVERY_NAMESPACE}
    >
      <NoModel part="ask" isOwner={isOwner} focusAfter="ask-title" />
    </AskView>
  );
}
