import { emptyTrash, listTrash, restoreTrash, type TrashedMemory } from '@reverie/shared/contract/trash';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Banner, Message, Skeleton } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { keptLonger } from './kept-longer.ts';
import { refresh } from './queries.ts';
import css from './Trash.module.css';

/** How many are shown; the newest ones are what somebody looks for. */
const SHOWN = 200;

function trashQuery(namespace: string) {
  return queryOptions({
    // Below the memories of the namespace: what changes those fetches this again, too.
    queryKey: ['memories', namespace, 'trash'],
    queryFn: ({ signal }) =>
      call(listTrash, { query: { namespace, limit: SHOWN, preview: 240 } }, { signal }),
  });
}

interface TrashProps {
  namespace: string;
  canWrite: boolean;
}

/** What was moved to the trash of a namespace: back it goes as it was, or away for good. */
export default function Trash({ namespace, canWrite }: TrashProps) {
  const { data, error, isError, refetch } = useQuery(trashQuery(namespace));
  const [leaving, setLeaving] = useState<readonly TrashedMemory[] | 'all'>();
  if (isError) return <Trouble error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  if (data.total === 0)
    return (
      <Message icon="trash" title="The trash is empty">
        <p>What you delete stays here for {countOf(data.days, 'day', 'days')}, and can be brought back.</p>
      </Message>
    );
  return (
    <div className={css['trash']}>
      <p className={css['head']}>
        {countOf(data.total, 'memory', 'memories')}
        {data.total > SHOWN && `, the last ${SHOWN} of them shown`}. After {countOf(data.days, 'day', 'days')}{' '}
        here they are deleted for good.
        {canWrite && (
          <Button look="danger" onClick={() => setLeaving('all')}>
            Empty the trash…
          </Button>
        )}
      </p>
      <ul className={css['list']} role="list" aria-label={`Trash of ${namespace}`}>
        {data.memories.map((memory) => (
          <li key={memory.key + memory.trashed_at} className={css['one']}>
            <bdi className={css['key']}>{memory.key}</bdi>
            <span className={css['text']} dir="auto">
              {memory.value}
            </span>
            <span className={css['until']}>
              until <Time at={memory.ends_at} />
            </span>
            {canWrite && (
              <span className={css['actions']}>
                <Restore memory={memory} />
                <Button look="quiet" onClick={() => setLeaving([memory])}>
                  Delete for good…
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {leaving && (
        <ForGood
          namespace={namespace}
          what={leaving}
          total={data.total}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </div>
  );
}

const itemOf = ({ namespace, key, trashed_at }: TrashedMemory) => ({ namespace, key, trashed_at });

function Restore({ memory }: { memory: TrashedMemory }) {
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: () => call(restoreTrash, { body: { items: [itemOf(memory)] } }),
    onSuccess: () => notify('good', `“${memory.key}” is back, as it was.`),
    onError: (error) => notify('bad', `“${memory.key}” was not brought back: ${error.message}.`),
    onSettled: () => refresh(queries, [memory.namespace]),
  });
  return (
    <Button disabled={restore.isPending} onClick={() => restore.mutate()}>
      Bring back
    </Button>
  );
}

interface ForGoodProps {
  namespace: string;
  what: readonly TrashedMemory[] | 'all';
  total: number;
  onClose: () => void;
}

/** Says what is permanent before it is. */
function ForGood({ namespace, what, total, onClose }: ForGoodProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      call(emptyTrash, { body: what === 'all' ? { namespace } : { items: what.map(itemOf) } }),
    onSuccess: async ({ deleted }) => {
      await refresh(queries, [namespace]);
      notify('good', `${countOf(deleted, 'memory was', 'memories were')} deleted for good.`);
      onClose();
    },
  });
  const many = what === 'all' ? total : what.length;
  return (
    <Dialog title="Delete for good?" onClose={onClose}>
      <p>
        {many === 1 && what !== 'all' ? <bdi>{what[0]?.key}</bdi> : countOf(many, 'memory', 'memories')} will
        be deleted with all earlier versions. This cannot be undone.
      </p>
      <details>
        <summary>What keeps it longer</summary>
        <Facts rows={keptLonger} />
      </details>
      {remove.isError && <Banner tone="bad">Nothing was deleted: {remove.error.message}.</Banner>}
      <DialogActions>
        <Button data-first onClick={onClose}>
          Keep it in the trash
        </Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? 'Deleting…' : 'Delete for good'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
