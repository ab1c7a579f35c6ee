import { shareSession } from '@reverie/shared/contract/sessions/session-sharing';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner, Snippet } from '../../../ui/Message.tsx';
import { Time } from '../../../ui/Time.tsx';
import { previewQuery } from '../queries.ts';
import css from './ShareDialog.module.css';

const HOUR_S = 3_600;
const DAY_S = 86_400;
const EXPIRIES = [
  [HOUR_S, 'an hour'],
  [DAY_S, 'a day'],
  [7 * DAY_S, 'a week'],
  [30 * DAY_S, '30 days'],
] as const;

interface MakeLinkProps {
  session: string;
  from: 'start' | 'now';
}

/** Makes a link for somebody else: what they may, and how long it lets in. */
export function MakeLink({ session, from }: MakeLinkProps) {
  const queries = useQueryClient();
  const [role, setRole] = useState<'viewer' | 'editor'>('viewer');
  const [expiry, setExpiry] = useState<number>(7 * DAY_S);
  const preview = useInfiniteQuery(previewQuery(session, from, false));
  const token = preview.data?.pages[0]?.token;
  const make = useMutation({
    mutationFn: (shown: string) =>
      call(shareSession, { params: { id: session }, body: { from, role, expires_in: expiry, token: shown } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
    // Something else would leave than was shown: it is shown anew.
    onError: () => void preview.refetch(),
  });
  if (make.data)
    return (
      <section className={css['part']} aria-label="The link">
        <p>Give this link only to who is meant: whoever has it may join.</p>
        <Snippet action={<CopyButton text={make.data.invite} what="link" />}>{make.data.invite}</Snippet>
        <p className={css['soft']}>
          They may {make.data.role === 'editor' ? 'read, and write notes' : 'read'}. It lets in until{' '}
          <Time at={make.data.expires_at} full />.
        </p>
        <div>
          <Button onClick={() => make.reset()}>Make another link</Button>
        </div>
      </section>
    );
  return (
    <section className={css['part']} aria-label="Make a link">
      <div className={css['fields']}>
        <Field label="They may">
          {(control) => (
            <select
              {...control}
              value={role}
              onChange={({ target }) => setRole(target.value === 'editor' ? 'editor' : 'viewer')}
            >
              <option value="viewer">read</option>
              <option value="editor">read, and write notes</option>
            </select>
          )}
        </Field>
        <Field label="The link lets in for">
          {(control) => (
            <select {...control} value={expiry} onChange={({ target }) => setExpiry(Number(target.value))}>
              {EXPIRIES.map(([seconds, words]) => (
                <option key={seconds} value={seconds}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button
          look="strong"
          icon="share"
          disabled={token === undefined || make.isPending}
          onClick={() => token !== undefined && make.mutate(token)}
        >
          {make.isPending ? 'Making it…' : 'Make a link'}
        </Button>
      </div>
      <p className={css['soft']}>
        Exactly what stands above leaves. What comes later follows by itself; a new kind of secret is shown to
        you first.
      </p>
      {make.isError && <Banner tone="bad">No link was made, and nothing left: {make.error.message}</Banner>}
    </section>
  );
}
