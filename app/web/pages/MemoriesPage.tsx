import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import MemoriesView from '../features/memories/MemoriesView.tsx';
import { NamespaceSelect } from '../features/namespaces/NamespaceList.tsx';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { useChosenOrEvery } from '../features/namespaces/use-chosen.ts';
import { useThoughtsHome } from '../features/today/thoughts-home.ts';
import { Unfetched } from '../platform/queries/Fetched.tsx';
import { prefetch } from '../platform/idle.ts';
import { useGo } from '../platform/place.ts';
import { Skeleton } from '../ui/Message.tsx';

/** What one does next with a memory: it is there when the daemon is not. */
const next = [
  () => import('../features/memories/writing/WritingSheet.tsx'),
  () => import('../features/memories/writing/NewMemory.tsx'),
  () => import('../features/memories/acting/Acting.tsx'),
  () => import('../features/memories/reading/History.tsx'),
  () => import('../features/memories/trash/TrashList.tsx'),
];

/** The memories of the chosen namespace, or of every one. */
export default function MemoriesPage() {
  const namespace = useChosenOrEvery();
  const namespaces = useQuery(namespacesQuery);
  const { namespace: home = 'default' } = useThoughtsHome();
  const go = useGo();
  useEffect(() => void prefetch(next), []);
  if (!namespaces.data) return <Unfetched of={namespaces} lines={9} />;
  if (namespace === undefined) return <Skeleton lines={9} />;
  return (
    <>
      <h1 className="sr-only">Memories</h1>
      <MemoriesView
        namespace={namespace}
        home={home}
        known={namespaces.data.map((row) => row.namespace)}
        isStart={namespaces.data.length === 0}
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
