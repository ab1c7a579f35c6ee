import { authorName } from '@reverie/shared/contract/author';
import { dismissConflict, restoreConflict, type Conflict } from '@reverie/shared/contract/sync/conflicts';
import type { SyncStatus } from '@reverie/shared/contract/sync/sync';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { DiffView } from '../../ui/text/DiffView.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { Time } from '../../ui/Time.tsx';
import { conflictsQuery } from './queries.ts';
import css from './SyncView.module.css';

const REASONS: Readonly<Record<Conflict['reason'], string>> = {
  lost: 'another device wrote later',
  refused: 'the relay refused it',
  downgraded: 'you may no longer write here',
};

/** Versions that lost against another device: nothing is lost until somebody drops it, for all devices. */
export function Conflicts({ status, canWrite }: { status: SyncStatus; canWrite: boolean }) {
  const { conflicts: own, conflicts_of_others: others } = status;
  const lost = useQuery(conflictsQuery);
  return (
    <section aria-label="Conflicts" className={css['part']}>
      <h2>{own === 0 ? 'Conflicts' : countOf(own, 'conflict', 'conflicts')}</h2>
      <p className={css['soft']}>
        Two devices changed the same memory. The later one stands; this is what the other one said.
        {others > 0 &&
          ` ${countOf(others, 'is', 'are')} in what you may only read: those who write there decide.`}
      </p>
      <Fetched of={lost} lines={4}>
        {({ conflicts }) => (
          <Items label="Versions that lost">
            {conflicts.map((conflict) => (
              <One key={conflict.id} conflict={conflict} canWrite={canWrite} />
            ))}
          </Items>
        )}
      </Fetched>
    </section>
  );
}

function One({ conflict, canWrite }: { conflict: Conflict; canWrite: boolean }) {
  const queries = useQueryClient();
  const done = (text: string) => async () => {
    await Promise.all(
      [['sync'], ['memories', conflict.namespace]].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
    notify('good', text);
  };
  const restore = useMutation({
    mutationFn: () => call(restoreConflict, { params: { id: conflict.id } }),
    onSuccess: done('It stands again; the other version is in the history.'),
    onError: (error) => notify('bad', `It was not restored: ${error.message}`),
  });
  const dismiss = useMutation({
    mutationFn: () => call(dismissConflict, { params: { id: conflict.id } }),
    onSuccess: done('It is dropped.'),
    onError: (error) => notify('bad', `It was not dropped: ${error.message}`),
  });
  const isBusy = restore.isPending || dismiss.isPending;
  return (
    <Item
      name={`${conflict.key} in ${conflict.namespace}`}
      badges={<Badge tone="warn">{REASONS[conflict.reason]}</Badge>}
      more={
        <>
          by <bdi>{authorName(conflict.author)}</bdi>, <Time at={conflict.written_at} />
          {conflict.current_author && (
            <>
              ; what stands is by <bdi>{authorName(conflict.current_author)}</bdi>
            </>
          )}
        </>
      }
      actions={
        canWrite &&
        conflict.can_settle && (
          <>
            <Button disabled={isBusy} onClick={() => restore.mutate()}>
              Take this version
            </Button>
            <Button disabled={isBusy} onClick={() => dismiss.mutate()}>
              Keep what stands
            </Button>
          </>
        )
      }
    >
      {!conflict.can_settle && <p className={css['soft']}>Those who write there decide.</p>}
      {conflict.current === null ? (
        <>
          <p dir="auto">{conflict.value}</p>
          <p className={css['soft']}>The memory is deleted now.</p>
        </>
      ) : (
        <>
          <p className={css['soft']}>What lost is struck through; what stands is marked as added.</p>
          <DiffView before={conflict.value} after={conflict.current} />
        </>
      )}
    </Item>
  );
}
