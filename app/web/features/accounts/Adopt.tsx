import { adoptMemories, type Account } from '@reverie/shared/contract/accounts/accounts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner, Skeleton } from '../../ui/Message.tsx';
import css from './Adopt.module.css';
import { nameOf } from './standing.ts';

const CONFLICTS = { skip: 'Leave them out', suffix: 'Store them beside mine, under another key' } as const;
type OnConflict = keyof typeof CONFLICTS;
/** Conflicts that are named in the preview. */
const NAMED = 8;

/** Copies an account's memories into one's own, after a preview; nothing of one's own is overwritten. */
export function Adopt({ account, onClose }: { account: Account; onClose: () => void }) {
  const queries = useQueryClient();
  const [into, setInto] = useState('');
  const [onConflict, setOnConflict] = useState<OnConflict>('skip');
  const wanted = { on_conflict: onConflict, ...(into !== '' && { into }) };
  const preview = useQuery({
    queryKey: ['accounts', 'adopt', account.id, wanted],
    queryFn: ({ signal }) =>
      call(adoptMemories, { params: { id: account.id }, body: { ...wanted, dry_run: true } }, { signal }),
    retry: false,
    staleTime: 0,
  });
  const adopt = useMutation({
    mutationFn: () => call(adoptMemories, { params: { id: account.id }, body: wanted }),
    onSuccess: async ({ adopted }) => {
      await queries.invalidateQueries();
      notify('good', `${countOf(adopted, 'memory was', 'memories were')} adopted.`);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    adopt.mutate();
  };
  return (
    <Dialog title="Adopt these memories?" onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <p>
          What <strong dir="auto">{nameOf(account)}</strong> remembers is copied into your own account.
          Nothing of yours is overwritten, and the account keeps what it has.
        </p>
        <Field
          label="Into the namespace"
          hint="Left empty, each memory goes into the namespace of the same name."
        >
          {(control) => (
            <input
              {...control}
              data-first
              dir="auto"
              autoComplete="off"
              spellCheck={false}
              value={into}
              onChange={(event) => setInto(event.target.value)}
            />
          )}
        </Field>
        <Field label="Where mine says something else under the same key">
          {(control) => (
            <select
              {...control}
              value={onConflict}
              onChange={(event) => setOnConflict(event.target.value === 'suffix' ? 'suffix' : 'skip')}
            >
              {Object.entries(CONFLICTS).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <section aria-label="What will be done" aria-live="polite">
          {preview.isError && <Banner tone="bad">This cannot be done: {preview.error.message}</Banner>}
          {!preview.isError && (preview.data ? <Preview of={preview.data} /> : <Skeleton lines={2} />)}
        </section>
        {adopt.isError && (
          <Banner tone="bad">
            Not everything was adopted: {adopt.error.message} Adopting again goes on.
          </Banner>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="strong"
            disabled={adopt.isPending || !preview.data || preview.data.adopted === 0}
          >
            {adopt.isPending ? 'Adopting…' : 'Adopt'}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

interface PreviewProps {
  of: {
    adopted: number;
    unchanged: number;
    conflicts: number;
    named: readonly { namespace: string; key: string; stored_as: string | null }[];
  };
}

function Preview({ of: { adopted, unchanged, conflicts, named } }: PreviewProps) {
  return (
    <>
      <p>
        {countOf(adopted, 'memory', 'memories')} will be copied
        {unchanged > 0 && `, ${unchanged} you have already`}
        {conflicts > 0 && `, ${countOf(conflicts, 'key stands', 'keys stand')} for something else here`}.
      </p>
      {named.length > 0 && (
        <ul className={css['named']} role="list">
          {named.slice(0, NAMED).map(({ namespace, key, stored_as }) => (
            <li key={`${namespace} ${key}`}>
              <bdi>{key}</bdi> in <bdi>{namespace}</bdi>:{' '}
              {stored_as === null ? (
                'left out'
              ) : (
                <>
                  stored as <bdi>{stored_as}</bdi>
                </>
              )}
            </li>
          ))}
          {conflicts > NAMED && <li>and {countOf(conflicts - NAMED, 'other', 'others')}</li>}
        </ul>
      )}
    </>
  );
}
