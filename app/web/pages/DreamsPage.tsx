import { useQuery } from '@tanstack/react-query';
import DreamsView from '../features/dreams/DreamsView.tsx';
import { NoModel } from '../features/models/NoModel.tsx';
import { firstNamespace, namespacesQuery } from '../features/namespaces/queries.ts';
import { useChosenNamespace } from '../features/namespaces/use-chosen.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import { Skeleton } from '../ui/Message.tsx';
import { useTitle } from '../shell/use-counts.ts';

/** Dreams of the namespace of the address, or of the one changed last. */
export default function DreamsPage() {
  const { data } = useQuery(namespacesQuery);
  const namespace = useChosenNamespace();
  const now = useStore(session);
  useTitle('Dreams');
  return (
    <>
      <h1 className="sr-only" id="dreams-title" tabIndex={-1}>
        Dreams
      </h1>
      {namespace === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <DreamsView
          namespaces={data?.map((one) => one.namespace) ?? []}
          namespace={namespace === '*' ? firstNamespace(data ?? []) : namespace}
          canWrite={allows(now, 'write')}
          foot={<NoModel part="dreams" isOwner={allows(now, 'owner')} focusAfter="dreams-title" />}
        />
      )}
    </>
  );
}
