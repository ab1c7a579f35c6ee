import { changeSession } from '@reverie/shared/contract/sessions/sessions';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { notify } from '../../../platform/notices.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { namespacesQuery } from '../../namespaces/queries.ts';
import type { ActingProps } from './acting.ts';

/** Puts a session into another namespace: who may read that may read it. */
export function MoveSession({ session, onClose }: ActingProps) {
  const queries = useQueryClient();
  const list = useId();
  const { data: known = [] } = useQuery(namespacesQuery);
  const [namespace, setNamespace] = useState(session.namespace);
  const move = useMutation({
    mutationFn: () => call(changeSession, { params: { id: session.id }, body: { namespace } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      notify('good', `The session is in ${namespace} now.`);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    move.mutate();
  };
  return (
    <Dialog title="Move to a namespace" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field label="Namespace" hint="Who may read a namespace may read its sessions, too.">
          {(control) => (
            <input
              {...control}
              data-first
              required
              dir="auto"
              list={list}
              autoComplete="off"
              value={namespace}
              onChange={({ target }) => setNamespace(target.value)}
            />
          )}
        </Field>
        <datalist id={list}>
          {known.map((one) => (
            <option key={one.namespace} value={one.namespace} />
          ))}
        </datalist>
        {move.isError && <Banner tone="bad">It was not moved: {move.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="strong"
            disabled={namespace.trim() === '' || namespace === session.namespace || move.isPending}
          >
            Move
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
