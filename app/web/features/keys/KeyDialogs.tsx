import { revokeKey, rotateKey, type ApiKey } from '@reverie/shared/contract/accounts/keys';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { nameOf } from './words.ts';

/** Asks before a key is revoked: whoever uses it is shut out. */
export function Revoke({ of: key, onClose }: { of: ApiKey; onClose: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(revokeKey, { params: { id: key.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] });
      notify('good', `The key “${nameOf(key)}” no longer works.`);
      onClose();
    },
  });
  if (key.open_sessions !== null)
    return (
      <Confirm
        title="Sign the page out everywhere?"
        act="Sign out everywhere"
        doing={revoke}
        failed="Nobody was signed out"
        onClose={onClose}
      >
        <p>
          Every browser that is signed in here is signed out at once, this one too if it was opened with{' '}
          <code>reverie open</code>. To come back, run that again.
        </p>
      </Confirm>
    );
  return (
    <Confirm
      title="Revoke this key?"
      act="Revoke key"
      doing={revoke}
      failed="It was not revoked"
      onClose={onClose}
    >
      <p>
        Whoever uses <strong dir="auto">{key.name}</strong> (<code>{key.key_prefix}…</code>) is shut out at
        once. This cannot be undone; a new key can be made.
      </p>
    </Confirm>
  );
}

interface RotateProps {
  of: ApiKey;
  onClose: () => void;
  onMade: (made: { name: string; key: string }) => void;
}

/** Replaces a key; the old one goes on working for a day, so that nobody is shut out meanwhile. */
export function Rotate({ of: key, onClose, onMade }: RotateProps) {
  const queries = useQueryClient();
  const [immediate, setImmediate] = useState(false);
  const rotate = useMutation({
    mutationFn: () => call(rotateKey, { params: { id: key.id }, body: { immediate } }),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ['keys'] });
      if (!key.kept_in_file) return onMade(made);
      notify('good', `The key “${key.name}” is replaced, and its file holds the new one.`);
      onClose();
    },
  });
  return (
    <Confirm
      title="Rotate this key?"
      act="Rotate key"
      look="strong"
      doing={rotate}
      failed="It was not rotated"
      onClose={onClose}
    >
      <p>
        A new key takes the place of <strong dir="auto">{key.name}</strong> (<code>{key.key_prefix}…</code>).{' '}
        {key.kept_in_file
          ? 'Its file on this machine gets the new one.'
          : 'It is shown once, to be given to whoever uses it.'}
      </p>
      <label>
        <input type="checkbox" checked={immediate} onChange={(event) => setImmediate(event.target.checked)} />{' '}
        End the old key at once, not in 24 hours
      </label>
    </Confirm>
  );
}
