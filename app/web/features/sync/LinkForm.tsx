import {
  type ChosenNamespaces,
  linkDevice,
  type NewNamespaces,
  recoverAccount,
  type SyncStatus,
} from '@reverie/shared/contract/sync/sync';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { WhichSync } from './Choice.tsx';
import { namespacesHereQuery } from './queries.ts';
import css from './SyncView.module.css';

const ways = {
  email: 'my first device: I give my e-mail address',
  code: 'a further device: I have a code from a linked one',
  recover: 'a new device: none of the others is left',
} as const;
type Way = keyof typeof ways;

/** Which of the namespaces here sync, where some are left out; the others that there are do as new ones will. */
function chosenOf(
  here: readonly string[],
  { left, then }: { left: ReadonlySet<string>; then: NewNamespaces },
): ChosenNamespaces {
  const only = here.filter((name) => !left.has(name));
  const except = here.filter((name) => left.has(name));
  if (then === 'sync') return except.length === 0 ? 'all' : { except };
  return only.length === 0 ? 'none' : { only };
}

/** Links this machine: the first one with an e-mail address, each further one with a code; and where all are lost, by a code that is mailed. */
export function LinkForm({ stays }: Pick<SyncStatus, 'stays'>) {
  const queries = useQueryClient();
  // What stayed here before is not chosen by itself.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set(stays.map(({ namespace }) => namespace)));
  const [then, setThen] = useState<NewNamespaces>('sync');
  const here = useQuery(namespacesHereQuery).data ?? [];
  const [relay, setRelay] = useState('');
  const [how, setHow] = useState<Way>('email');
  const [proof, setProof] = useState('');
  const names = here.map(({ namespace }) => namespace);
  const chosen =
    names.length === 0 ? {} : { namespaces: chosenOf(names, { left, then }), new_namespaces: then };
  const [mailed, setMailed] = useState('');
  const ask = useMutation({
    mutationFn: () => call(recoverAccount, { body: { relay: relay.trim(), email: proof } }),
  });
  const isAsking = how === 'recover' && !ask.isSuccess;
  const link = useMutation({
    mutationFn: () =>
      call(linkDevice, {
        body: {
          relay: relay.trim(),
          ...(how === 'code' ? { code: proof } : { email: proof }),
          ...(how === 'recover' && { recover: mailed }),
          ...chosen,
        },
      }),
    onSuccess: async ({ waiting_for }) => {
      notify(
        'good',
        waiting_for === 'approval'
          ? 'Approve this device on one that is linked.'
          : 'This machine is linked. What you chose is sent in the background.',
      );
      await queries.invalidateQueries({ queryKey: ['sync'] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isAsking) ask.mutate();
    else link.mutate();
  };
  return (
    <form className={css['form']} onSubmit={submit} aria-label="Link this machine">
      <h2>Link this machine</h2>
      <p className={css['soft']}>
        A relay is a server that carries changes to your other devices and people you share with. Nothing is
        sent before you link; all stays on this machine, too.
      </p>
      <Field label="Address of the relay">
        {(control) => (
          <input
            {...control}
            type="url"
            required
            placeholder="https://relay.example.org"
            autoComplete="off"
            value={relay}
            onChange={(event) => setRelay(event.target.value)}
          />
        )}
      </Field>
      <Field label="This is">
        {(control) => (
          <select
            {...control}
            value={how}
            onChange={(event) => {
              setHow(event.target.value as Way);
              setProof('');
              ask.reset();
            }}
          >
            {Object.entries(ways).map(([way, words]) => (
              <option key={way} value={way}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={how === 'code' ? 'Code' : 'E-mail address'}>
        {(control) => (
          <input
            {...control}
            type={how === 'code' ? 'text' : 'email'}
            required
            readOnly={how === 'recover' && !isAsking}
            autoComplete="off"
            spellCheck={false}
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        )}
      </Field>
      {how === 'recover' && !isAsking && (
        <Field
          label="Code of the mail"
          hint={`It is in the newest mail of the last hour, if an account there has confirmed the address. With it, all other devices of the account are removed, and the people you share with are told.${ask.data?.relay_known === false ? ' This machine knows no key of the relay: you trust whoever answers at its address.' : ''}`}
        >
          {(control) => (
            <input
              {...control}
              autoFocus
              type="text"
              required
              autoComplete="one-time-code"
              spellCheck={false}
              value={mailed}
              onChange={(event) => setMailed(event.target.value)}
            />
          )}
        </Field>
      )}
      {ask.isError && <Banner tone="bad">No code was sent: {ask.error.message}</Banner>}
      <WhichSync left={left} onLeft={setLeft} then={then} onThen={setThen} />
      {link.isError && <Banner tone="bad">It was not linked: {link.error.message}</Banner>}
      <div>
        <Button type="submit" look="strong" disabled={link.isPending || ask.isPending}>
          {isAsking ? 'Send a code' : link.isPending ? 'Linking…' : 'Link'}
        </Button>
      </div>
    </form>
  );
}
