import { changeSession } from '@reverie/shared/contract/sessions/sessions';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner } from '../../../ui/Message.tsx';
import type { ActingProps } from './acting.ts';

/** Gives a session another title; the agent's own log keeps its. */
export function RenameSession({ session, onClose }: ActingProps) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(session.title);
  const rename = useMutation({
    mutationFn: () => call(changeSession, { params: { id: session.id }, body: { title: title.trim() } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <Dialog title="Rename this session" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field label="Title">
          {(control) => (
            <input
              {...control}
              data-first
              required
              dir="auto"
              maxLength={256}
              autoComplete="off"
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
          )}
        </Field>
        {rename.isError && <Banner tone="bad">It was not renamed: {rename.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={title.trim() === '' || rename.isPending}>
            Rename
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
