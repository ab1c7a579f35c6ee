import { joinSession } from '@reverie/shared/contract/sessions/session-sharing';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner } from '../../../ui/Message.tsx';

/** Joins a session that somebody shares, by the link that they gave. */
export function JoinSession({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [invite, setInvite] = useState('');
  const join = useMutation({
    mutationFn: () => call(joinSession, { body: { invite } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      onClose();
      await navigate({ to: '/sessions/$id', params: { id }, search: {} });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    join.mutate();
  };
  return (
    <Dialog title="Join a session" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field
          label="Link"
          hint="Whoever shares the session gives it to you. Your name is seen by who takes part."
        >
          {(control) => (
            <input
              {...control}
              data-first
              required
              autoComplete="off"
              spellCheck={false}
              value={invite}
              onChange={(event) => setInvite(event.target.value)}
            />
          )}
        </Field>
        {join.isError && <Banner tone="bad">You did not join: {join.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={invite.trim().length < 8 || join.isPending}>
            Join
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
