import { createKey } from '@reverie/shared/contract/accounts/keys';
import { scopes, type Scope } from '@reverie/shared/contract/route';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { MEANING } from './words.ts';

interface NewKeyProps {
  onClose: () => void;
  onMade: (made: { name: string; key: string }) => void;
}

/** Asks what a new key is for, what it may do and how long, and makes it. */
export function NewKey({ onClose, onMade }: NewKeyProps) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('write');
  const [days, setDays] = useState('');
  const make = useMutation({
    mutationFn: () =>
      call(createKey, {
        body: { name, scope, ...(days === '' ? {} : { expires_in_days: Number(days) }) },
      }),
    onSuccess: async (key) => {
      onMade(key);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              data-first
              dir="auto"
              required
              maxLength={100}
              autoComplete="off"
              placeholder="What it is for, such as my-agent"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Scope">
          {(control) => (
            <select
              {...control}
              value={scope}
              onChange={(event) => setScope(scopes.find((one) => one === event.target.value) ?? 'write')}
            >
              {scopes.map((one) => (
                <option key={one} value={one}>
                  {MEANING[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Days it is valid">
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              max={3650}
              placeholder="no limit"
              value={days}
              onChange={(event) => setDays(event.target.value)}
            />
          )}
        </Field>
        {make.isError && <Banner tone="bad">No key was made: {make.error.message}</Banner>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="strong" disabled={make.isPending}>
            Make key
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
