import { useQuery } from '@tanstack/react-query';
import MemoriesView from './features/memories/MemoriesView.tsx';
import { NamespaceSelect } from './features/namespaces/NamespaceList.tsx';
import { namespacesQuery } from './features/namespaces/queries.ts';
import { useChosenOrEvery } from './features/namespaces/use-chosen.ts';
import { useGo } from './platform/place.ts';
import { Trouble } from './platform/Trouble.tsx';
import { Skeleton } from './ui/Message.tsx';

/** The memories of the chosen namespace. */
export default function MemoriesPage() {
  const namespace = useChosenOrEvery();
  const { data: rows, error, isError, refetch } = useQuery(namespacesQuery);
  const go = useGo();
  if (isError && !rows) return <Trouble error={error} retry={() => void refetch()} />;
  if (namespace === undefined || !rows) return <Skeleton lines={9} />;
  return (
    <>
      <h1 className="sr-only">Memories</h1>
      <MemoriesView
        namespace={namespace}
        known={rows.map((row) => row.namespace)}
        isStart={rows.length === 0}
        chooser={
          <NamespaceSelect
            chosen={namespace}
            onChoose={(next) =>
              go({ namespace: next, key: undefined, in: undefined, mode: undefined, q: undefined })
            }
          />
        }
      />
    </>
  );
}
