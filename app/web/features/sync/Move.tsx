import { moveRelay } from '@reverie/shared/contract/sync/sync';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { Field } from '../../ui/Field.tsx';

/** Asks where the relay is now; it has to prove there that it is the same one. */
export function Move({ relay, onClose }: { relay: string; onClose: () => void }) {
  const queries = useQueryClient();
  const [address, setAddress] = useState('');
  const move = useMutation({
    mutationFn: () => call(moveRelay, { body: { relay: address.trim() } }),
    onSuccess: async ({ restored }) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify(
        'good',
        restored
          ? 'It is your relay, restored from a backup: everything is read again, and what it lacks is sent.'
          : 'It is the same relay: nothing is sent again.',
      );
      onClose();
    },
  });
  return (
    <Confirm
      title="Has the relay moved?"
      act="Move"
      look="strong"
      keep="Cancel"
      doing={move}
      failed="Nothing was changed"
      onClose={onClose}
    >
      <p>
        It was at <bdi>{relay}</bdi>. The relay at its new address has to prove that it is the same one; then
        only the address changes.
      </p>
      <Field label="New address of the relay">
        {(control) => (
          <input
            {...control}
            data-first
            type="url"
            required
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        )}
      </Field>
    </Confirm>
  );
}
