import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { EmptyNamespace } from './features/memories/EmptyNamespace.tsx';
import { namespacesQuery } from './features/namespaces/queries.ts';
import { useChosenNamespace } from './features/namespaces/use-chosen.ts';
import { TodayView } from './features/today/TodayView.tsx';
import { useGo } from './platform/place.ts';
import { allows, session } from './platform/session.ts';
import { useStore } from './platform/store.ts';
import { Trouble } from './platform/Trouble.tsx';
import { Skeleton } from './ui/Message.tsx';
import { useUnread } from './use-counts.ts';

/** The first view: what wants to be looked at today; in an empty home, how to begin. */
export function TodayPage() {
  const { data: rows, error, isError, refetch } = useQuery(namespacesQuery);
  const canWrite = allows(useStore(session), 'write');
  const go = useGo('/memories');
  const namespace = useChosenNamespace();
  const unread = useUnread();
  useEffect(() => {
    document.title = 'Today · Reverie';
  }, []);
  if (isError && !rows) return <Trouble error={error} retry={() => void refetch()} />;
  if (!rows) return <Skeleton lines={9} />;
  if (rows.length > 0)
    return (
      <TodayView
        namespace={namespace === undefined || namespace === '*' ? 'default' : namespace}
        unread={unread}
      />
    );
  return (
    <>
      <h1 className="sr-only">Today</h1>
      <EmptyNamespace
        namespace="default"
        narrowed={undefined}
        isStart
        canWrite={canWrite}
        onNew={() => go({ mode: 'new' })}
        onAll={() => go({ class: undefined })}
      />
    </>
  );
}
