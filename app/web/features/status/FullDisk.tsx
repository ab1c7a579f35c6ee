import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refusedAsFull } from '../../platform/daemon/api.ts';
import { isSettled } from '../../platform/idle.ts';
import { useStore } from '../../platform/store.ts';
import { Banner } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { healthQuery } from './queries.ts';

/** Says on every view that the disk is full, until it is not. */
export function FullDisk() {
  const isLate = useStore(isSettled);
  const { data, refetch } = useQuery({ ...healthQuery, enabled: isLate });
  const refused = useStore(refusedAsFull);
  useEffect(() => {
    if (refused > 0) void refetch();
  }, [refused, refetch]);
  if (data?.storage.state !== 'full') return null;
  const { since } = data.storage;
  return (
    <Banner tone="bad">
      <span>
        The disk is full
        {since !== null && (
          <>
            , since <Time at={since} />
          </>
        )}
        . Everything that is stored can be read, and nothing new can be stored. Free some space on it: Reverie
        goes on by itself.
      </span>
    </Banner>
  );
}
