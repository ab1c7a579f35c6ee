import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { latePart } from '../platform/late-part.ts';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { TodayView } from '../features/today/TodayView.tsx';
import { Unfetched } from '../platform/queries/Fetched.tsx';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import { Skeleton } from '../ui/Message.tsx';
import { useTitle, useUnread } from '../shell/use-counts.ts';

const StartView = latePart(() => import('../features/start/StartView.tsx'));

/** The first view: what wants to be looked at today; in an empty home, how to begin. */
export function TodayPage() {
  const namespaces = useQuery(namespacesQuery);
  const now = useStore(session);
  const canWrite = allows(now, 'write');
  const [isStarting, setStarting] = useState(false);
  const unread = useUnread();
  useTitle('Today');
  if (!namespaces.data) return <Unfetched of={namespaces} lines={9} />;
  const { data: rows } = namespaces;
  // Who begins here is told here that it worked, and leaves by their own hand.
  if (rows.length === 0 && !isStarting) setStarting(true);
  if (isStarting || rows.length === 0)
    return (
      <Suspense fallback={<Skeleton lines={9} />}>
        <StartView
          canWrite={canWrite}
          isOwner={allows(now, 'owner')}
          isBegun={rows.length > 0}
          onDone={() => setStarting(false)}
        />
      </Suspense>
    );
  return <TodayView unread={unread} />;
}
