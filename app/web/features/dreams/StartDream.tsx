import { startDream } from '@reverie/shared/contract/dreams/dreams';
import { strategies, type Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { strategyWords } from '@reverie/shared/contract/dreams/strategy-words';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import css from './StartDream.module.css';

interface StartProps {
  namespace: string;
  onClose: () => void;
  onStarted: () => void;
}

/** Chooses what a dream looks for, and starts it. */
export function StartDream({ namespace, onClose, onStarted }: StartProps) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<Strategy>>(new Set(strategies));
  const [task, setTask] = useState('');
  const isAll = chosen.size === strategies.length;
  const start = useMutation({
    mutationFn: () =>
      call(startDream, {
        body: {
          namespace,
          ...(!isAll && { strategies: [...chosen] }),
          ...(task.trim() !== '' && { task: task.trim() }),
        },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['dreams'] });
      notify('good', 'The dream has begun. It only proposes; nothing is changed.');
      onStarted();
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (chosen.size > 0) start.mutate();
  };
  const turn = (strategy: Strategy) =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(strategy)) next.add(strategy);
      return next;
    });
  return (
    <Dialog title="Start a dream" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <p>
          It looks through <strong dir="auto">{namespace}</strong> and proposes. Nothing is changed before you
          accept it.
        </p>
        <fieldset className={css['strategies']}>
          <legend>Look for</legend>
          {(Object.keys(strategyWords) as Strategy[]).map((strategy) => (
            <label key={strategy}>
              <input type="checkbox" checked={chosen.has(strategy)} onChange={() => turn(strategy)} />
              <span>
                <strong>{strategyWords[strategy].name}</strong>: {strategyWords[strategy].looksFor}
              </span>
            </label>
          ))}
        </fieldset>
        <div>
          <Button onClick={() => setChosen(new Set(isAll ? [] : strategies))}>
            {isAll ? 'None' : 'All'}
          </Button>
        </div>
        {chosen.has('reflect') && (
          <Field label="A question to reflect on" hint="May stay empty.">
            {(control) => (
              <input
                {...control}
                dir="auto"
                autoComplete="off"
                maxLength={2000}
                value={task}
                onChange={(event) => setTask(event.target.value)}
              />
            )}
          </Field>
        )}
        {start.isError && <Banner tone="bad">It did not start: {start.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button data-first type="submit" look="strong" disabled={chosen.size === 0 || start.isPending}>
            Start
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
