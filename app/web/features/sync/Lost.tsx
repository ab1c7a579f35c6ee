import { settleLost, type LostNamespace } from '@reverie/shared/contract/sync/lost';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './SyncView.module.css';

interface Can {
  isOwner: boolean;
  isLinked: boolean;
}

/** Namespaces that left sync: which, since when, why, and what can be done, also while not linked. Their memories are still here. */
export function Lost({ lost, ...can }: { lost: readonly LostNamespace[] } & Can) {
  if (lost.length === 0) return null;
  return (
    <section aria-label="Not synced any more" className={css['part']}>
      <h2>Not synced any more</h2>
      <Items label="Namespaces that left sync">
        {lost.map((one) => (
          <One key={one.namespace} lost={one} {...can} />
        ))}
      </Items>
    </section>
  );
}

function doneOf(then: 'keep' | 'sync', isLinked: boolean): string {
  if (then === 'keep') return 'It stays on this machine only.';
  return isLinked
    ? 'It is synced again, as your own.'
    : 'It is synced with the others once this machine is linked.';
}

function One({ lost, isOwner, isLinked }: { lost: LostNamespace } & Can) {
  const { namespace, since, message, advice, unsent, kept } = lost;
  const queries = useQueryClient();
  const settle = useMutation({
    mutationFn: (then: 'keep' | 'sync') => call(settleLost, { body: { namespace, then } }),
    onSuccess: async (_, then) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify('good', doneOf(then, isLinked));
    },
    onError: (error) => notify('bad', `That did not work: ${error.message}`),
  });
  return (
    <Item
      name={namespace}
      badges={kept ? <Badge tone="plain">kept here</Badge> : <Badge tone="warn">left sync</Badge>}
      more={<Time at={since} full />}
      actions={
        isOwner && (
          <>
            {!kept && (
              <Button disabled={settle.isPending} onClick={() => settle.mutate('keep')}>
                Keep here only
              </Button>
            )}
            <Button disabled={settle.isPending} onClick={() => settle.mutate('sync')}>
              {isLinked ? 'Sync as my own' : 'Sync once linked'}
            </Button>
          </>
        )
      }
    >
      <p>
        {message} {advice}
      </p>
      {unsent > 0 && (
        <p className={css['soft']}>
          {countOf(unsent, 'change of this machine', 'changes of this machine')} reached nobody else.
        </p>
      )}
    </Item>
  );
}
