import { Key } from '@reverie/shared/contract/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { refresh } from '../queries.ts';
import { moveAll } from './moving.ts';
import type { DialogProps } from './targets.ts';
import { reasonOf } from './undoing.ts';
import { useMoveBack } from './use-move-back.ts';

/** Gives one memory another key. */
export function RenameDialog({ targets, onDone, onMoved, onClose }: DialogProps) {
  const [target] = targets;
  const [typed, setTyped] = useState(target?.key ?? '');
  const [wrong, setWrong] = useState<string>();
  const queries = useQueryClient();
  const offerBack = useMoveBack();
  const rename = useMutation({
    mutationFn: (key: string) => moveAll(call, targets, { whereTo: ({ namespace }) => ({ namespace, key }) }),
    onSuccess: ({ moved, taken, mended, failure }, key) => {
      if (failure !== undefined) return setWrong(`Not renamed: ${reasonOf(failure)}.`);
      if (taken.length > 0)
        return setWrong(
          `There is a memory with the key “${key}” already. Choose another key, or rename that one first.`,
        );
      const links = mended === 0 ? '' : ` Links in ${mended === 1 ? 'one note' : `${mended} notes`} follow.`;
      offerBack(`Renamed to ${key}.${links}`, moved, onMoved);
      onMoved(moved);
      onDone();
      onClose();
    },
    // Not waited for: until it had ended, Enter would do nothing.
    onSettled: () => void refresh(queries, target ? [target.namespace] : []),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const parsed = Key.safeParse(typed);
    if (!parsed.success) return setWrong(`The key ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
    rename.mutate(parsed.data);
  };
  return (
    <Dialog title="Rename this memory" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field
          label="Key"
          error={wrong}
          hint="Programs and agents find it by this name; links of other notes follow. Its title comes from its text, and stays."
        >
          {(control) => (
            <input
              {...control}
              data-first
              dir="auto"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setWrong(undefined);
              }}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={typed === target?.key || rename.isPending}>
            {rename.isPending ? 'Renaming…' : 'Rename'}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
