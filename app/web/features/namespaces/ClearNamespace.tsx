import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clearNamespace } from '@reverie/shared/contract/memories/memories';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Field } from '../../ui/Field.tsx';
import { keptLonger } from '../memories/kept-longer.ts';
import css from './ClearNamespace.module.css';

interface ClearProps {
  namespace: string;
  count: number | undefined;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a whole namespace is forgotten: its name has to be typed. */
export function ClearNamespace({ namespace, count, onDone, onClose }: ClearProps) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [hint, setHint] = useState<string>();
  const clear = useMutation({
    mutationFn: () => call(clearNamespace, { body: { namespace } }),
    onSuccess: async ({ deleted }) => {
      await queries.invalidateQueries();
      notify(
        'good',
        `${countOf(deleted, 'memory was', 'memories were')} forgotten; ${namespace} is empty now.`,
      );
      onDone();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typed === namespace) clear.mutate();
    else setHint('This is not the name of the namespace.');
  };
  return (
    <Dialog title="Clear this namespace?" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <p>
          {count === undefined ? 'Every memory' : countOf(count, 'memory', 'memories')} in{' '}
          <strong dir="auto">{namespace}</strong> will be forgotten for good, with all earlier versions and
          what is in its trash. This cannot be undone.
        </p>
        <details className={css['kept']}>
          <summary>What keeps it longer</summary>
          <Facts rows={keptLonger} />
        </details>
        <Field
          label={
            <>
              Type <bdi>{namespace}</bdi> to confirm
            </>
          }
          error={clear.isError ? `Nothing was cleared: ${clear.error.message}` : hint}
        >
          {(control) => (
            <input
              {...control}
              dir="auto"
              autoComplete="off"
              spellCheck={false}
              data-first
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setHint(undefined);
              }}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Keep everything</Button>
          <Button type="submit" look="danger" disabled={typed !== namespace || clear.isPending}>
            {clear.isPending ? 'Clearing…' : 'Clear namespace'}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
