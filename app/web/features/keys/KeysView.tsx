import { createKey, listKeys, revokeKey, rotateKey, type ApiKey } from '@reverie/shared/contract/keys';
import { abilitiesOf, scopes, type Scope } from '@reverie/shared/contract/route';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { Column, Lead } from '../../ui/Column.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner, OwnerOnly, Skeleton, Snippet } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './KeysView.module.css';

const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await call(listKeys, {}, { signal })).keys,
});

const MEANING: Readonly<Record<Scope, string>> = {
  read: 'Read',
  write: 'Read and write',
  owner: 'Owner: all, keys too',
};

/** The keys of the machine's account: who may read and write memories. */
export default function KeysView({ isOwner }: { isOwner: boolean }) {
  const keys = useQuery({ ...keysQuery, enabled: isOwner });
  const [made, setMade] = useState<{ name: string; key: string }>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  if (!isOwner) return <OwnerOnly title="Only the owner may look after keys" />;
  return (
    <Column width="wide">
      <h1>API keys</h1>
      <Lead>One key for each program or agent: so each can be revoked alone.</Lead>
      <NewKey onMade={setMade} />
      {keys.isError ? (
        <Trouble error={keys.error} retry={() => void keys.refetch()} />
      ) : !keys.data ? (
        <Skeleton lines={5} />
      ) : (
        <KeyTable keys={keys.data} onRevoke={setRevoking} onRotate={setRotating} />
      )}
      {made && (
        <Dialog title={`The key “${made.name}”`} onClose={() => setMade(undefined)}>
          <p>Copy it now: only its hash is kept, so it cannot be shown again.</p>
          <Snippet>{made.key}</Snippet>
          <div className={css['actions']}>
            <CopyButton text={made.key} what="key" wide />
            <Button data-first look="strong" onClick={() => setMade(undefined)}>
              Done
            </Button>
          </div>
        </Dialog>
      )}
      {revoking && <Revoke of={revoking} onClose={() => setRevoking(undefined)} />}
      {rotating && (
        <Rotate
          of={rotating}
          onClose={() => setRotating(undefined)}
          onMade={(next) => {
            setRotating(undefined);
            setMade(next);
          }}
        />
      )}
    </Column>
  );
}

function NewKey({ onMade }: { onMade: (made: { name: string; key: string }) => void }) {
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
      setName('');
      onMade(key);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form className={css['form']} onSubmit={submit} aria-label="New key">
      <Field label="Name">
        {(control) => (
          <input
            {...control}
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
      <Button type="submit" look="strong" icon="plus" disabled={make.isPending}>
        Make key
      </Button>
      {make.isError && (
        <div className={css['wide']}>
          <Banner tone="bad">No key was made: {make.error.message}</Banner>
        </div>
      )}
    </form>
  );
}

interface Acts {
  onRevoke: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
}

function KeyTable({ keys, ...acts }: Acts & { keys: readonly ApiKey[] }) {
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Begins with</th>
          <th scope="col">Scope</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} data-dead={key.revoked_at !== null}>
            <th scope="row" dir="auto">
              {nameOf(key)}
            </th>
            <td data-label="Begins with">
              {key.key_prefix === '' ? 'no text of its own' : <code>{key.key_prefix}…</code>}
            </td>
            <td data-label="Scope">
              {key.scope}
              {narrowerText(key)}
            </td>
            <td data-label="Made">
              <Time at={key.created_at} />
            </td>
            <td data-label="Last used">
              {key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />}
            </td>
            <td data-label="State" className={css['state']}>
              <State of={key} {...acts} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What a key is called; that of the page is the one of this machine. */
function nameOf({ name, open_sessions }: ApiKey): string {
  return open_sessions === null ? name : 'Page on this machine';
}

/** What makes a key narrower than its scope; empty where nothing does. */
function narrowerText({ scope, can, namespaces }: ApiKey): string {
  const may = can.length < abilitiesOf(scope).length ? `, may ${can.join(', ')}` : '';
  return namespaces.includes('*') ? may : `${may}, in ${namespaces.join(', ')} only`;
}

function State({ of: key, onRevoke, onRotate }: Acts & { of: ApiKey }) {
  if (key.revoked_at !== null)
    return (
      <span>
        revoked <Time at={key.revoked_at} />
      </span>
    );
  return (
    <>
      {key.expires_at !== null && (
        <span>
          expires <Time at={key.expires_at} />
        </span>
      )}
      {key.open_sessions !== null && (
        <span>{countOf(key.open_sessions, 'open session', 'open sessions')}</span>
      )}
      {!(key.kept_in_file && key.expires_at !== null) && key.open_sessions === null && (
        <Button onClick={() => onRotate(key)} aria-label={`Rotate ${key.name}`}>
          Rotate
        </Button>
      )}{' '}
      {!key.kept_in_file && (
        <Button onClick={() => onRevoke(key)} aria-label={`Revoke ${nameOf(key)}`}>
          Revoke
        </Button>
      )}
    </>
  );
}

function Revoke({ of: key, onClose }: { of: ApiKey; onClose: () => void }) {
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
function Rotate({ of: key, onClose, onMade }: RotateProps) {
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
