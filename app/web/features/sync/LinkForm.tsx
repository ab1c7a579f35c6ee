import {
  type ChosenNamespaces,
  linkDevice,
  type NewNamespaces,
  type SyncStatus,
} from '@reverie/shared/contract/sync';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/api.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/Message.tsx';
import { WhichSync } from './Choice.tsx';
import { namespacesHereQuery } from './queries.ts';
import css from './SyncView.module.css';

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

/** Links this machine: the first one with an e-mail address, each further one with a code. */
export function LinkForm({ stays }: Pick<SyncStatus, 'stays'>) {
  const queries = useQueryClient();
  // What stayed here before is not chosen by itself.
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set(stays.map(({ namespace }) => namespace)));
  const [then, setThen] = useState<NewNamespaces>('sync');
  const here = useQuery(namespacesHereQuery).data ?? [];
  const [relay, setRelay] = useState('');
  const [how, setHow] = useState<'email' | 'code'>('email');
  const [proof, setProof] = useState('');
  const names = here.map(({ namespace }) => namespace);
  const chosen =
    names.length === 0 ? {} : { namespaces: chosenOf(names, { left, then }), new_namespaces: then };
  const link = useMutation({
    mutationFn: () =>
      call(linkDevice, {
        body: { relay: relay.trim(), ...(how === 'email' ? { email: proof } : { code: proof }), ...chosen },
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
    link.mutate();
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
              setHow(event.target.value === 'code' ? 'code' : 'email');
              setProof('');
            }}
          >
            <option value="email">my first device: I give my e-mail address</option>
            <option value="code">a further device: I have a code from a linked one</option>
          </select>
        )}
      </Field>
      <Field label={how === 'email' ? 'E-mail address' : 'Code'}>
        {(control) => (
          <input
            {...control}
            type={how === 'email' ? 'email' : 'text'}
            required
            autoComplete="off"
            spellCheck={false}
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        )}
      </Field>
      <WhichSync left={left} onLeft={setLeft} then={then} onThen={setThen} />
      {link.isError && <Banner tone="bad">It was not linked: {link.error.message}</Banner>}
      <div>
        <Button type="submit" look="strong" disabled={link.isPending}>
          {link.isPending ? 'Linking…' : 'Link'}
        </Button>
      </div>
    </form>
  );
}
