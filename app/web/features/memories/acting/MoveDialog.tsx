import { Namespace } from '@reverie/shared/contract/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { countOf } from '../../../platform/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { nameOf } from '../address.ts';
import { refresh } from '../queries.ts';
import { moveAll } from './moving.ts';
import type { DialogProps } from './targets.ts';
import { reasonOf } from './undoing.ts';
import { useMoveBack } from './use-move-back.ts';

/** Puts memories into another namespace; those whose key is taken there stay, and it says which. */
export function MoveDialog({ targets, known, onDone, onMoved, onClose }: DialogProps) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string>();
  const list = useId();
  const queries = useQueryClient();
  const offerBack = useMoveBack();
  const here = new Set(targets.map(({ namespace }) => namespace));
  const move = useMutation({
    mutationFn: (to: string) => moveAll(call, targets, { whereTo: ({ key }) => ({ namespace: to, key }) }),
    onSuccess: ({ moved, taken, failure }, to) => {
      if (moved.length > 0) {
        offerBack(`${countOf(moved.length, 'memory was', 'memories were')} moved to ${to}.`, moved, onMoved);
        onMoved(moved);
      }
      if (failure !== undefined)
        return setWrong(`Not all was moved: ${reasonOf(failure)}. What was not is where it was.`);
      if (taken.length === 0) {
        onDone();
        return onClose();
      }
      const names = taken.slice(0, 3).map((one) => `“${nameOf(one)}”`);
      setWrong(
        `${to} has a memory of the same key already, so ${names.join(', ')}${taken.length > 3 ? ` and ${taken.length - 3} more` : ''} stayed. Rename one of the two first.`,
      );
    },
    onSettled: (_, __, to) => refresh(queries, new Set([...here, to])),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const parsed = Namespace.safeParse(typed.trim());
    if (!parsed.success)
      return setWrong(`The namespace ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
    if (here.size === 1 && here.has(parsed.data))
      return setWrong('It is there already. Choose another namespace.');
    move.mutate(parsed.data);
  };
  const [first] = targets;
  return (
    <Dialog
      title={
        targets.length === 1 ? 'Move this memory' : `Move ${countOf(targets.length, 'memory', 'memories')}`
      }
      onClose={onClose}
    >
      <DialogForm onSubmit={submit}>
        {targets.length === 1 && first && (
          <p>
            <bdi>{nameOf(first)}</bdi> goes with its history, tags and end.
          </p>
        )}
        <Field label="To the namespace" error={wrong} hint="A new name makes a new namespace.">
          {(control) => (
            <>
              <input
                {...control}
                data-first
                dir="auto"
                autoComplete="off"
                spellCheck={false}
                list={list}
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value);
                  setWrong(undefined);
                }}
              />
              <datalist id={list}>
                {known
                  .filter((name) => !(here.size === 1 && here.has(name)))
                  .map((name) => (
                    <option key={name} value={name} />
                  ))}
              </datalist>
            </>
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={typed.trim() === '' || move.isPending}>
            {move.isPending ? 'Moving…' : 'Move'}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
