import {
  revokeSessionInvite,
  unshareSession,
  type getShare,
} from '@reverie/shared/contract/sessions/session-sharing';
import type { Received } from '@reverie/shared/contract/route';
import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { countOf } from '../../../platform/format.ts';
import { notify } from '../../../platform/notices.ts';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import { Time } from '../../../ui/Time.tsx';
import { ParticipantRow } from '../reader/ParticipantRow.tsx';
import css from './ShareDialog.module.css';

interface SharedProps {
  session: CodingSession;
  share: Received<typeof getShare>;
}

/** Of a session that is shared: who reads it, which links let in, and how that ends. */
export function Shared({ session, share }: SharedProps) {
  const queries = useQueryClient();
  const [isStopping, setStopping] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: ['sessions'] });
  const revoke = useMutation({
    mutationFn: (invite: string) => call(revokeSessionInvite, { params: { id: session.id, invite } }),
    onSuccess: again,
    onError: ({ message }) => notify('bad', `The link still lets in: ${message}.`),
  });
  const stop = useMutation({
    mutationFn: () => call(unshareSession, { params: { id: session.id } }),
    onSuccess: async () => {
      setStopping(false);
      await again();
    },
  });
  return (
    <section className={css['part']} aria-label="How it is shared">
      <p>
        It is shared {share.from === 'now' ? 'from the moment you shared it' : 'from the start'}.
        {share.pending > 0 &&
          ` ${countOf(share.pending, 'entry is', 'entries are')} on the way to the relay.`}
      </p>
      <ul role="list" aria-label="Who takes part">
        {session.participants.map((person) => (
          <ParticipantRow
            key={person.id}
            session={session.id}
            person={person}
            canRemove={!person.self}
            onRemoved={() => void again()}
          />
        ))}
      </ul>
      {share.invites.length > 0 && (
        <ul role="list" aria-label="Open links" className={css['links']}>
          {share.invites.map(({ id, role, expires_at }) => (
            <li key={id}>
              <span>
                A link to {role === 'editor' ? 'read and write notes' : 'read'}, until{' '}
                <Time at={expires_at} full />
              </span>
              <Button look="quiet" disabled={revoke.isPending} onClick={() => revoke.mutate(id)}>
                End it
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button onClick={() => setStopping(true)}>Stop sharing…</Button>
      </div>
      {isStopping && (
        <Confirm
          title="Stop sharing this session?"
          act="Stop sharing"
          keep="Go on sharing"
          doing={stop}
          failed="It is still shared"
          onClose={() => setStopping(false)}
        >
          <p>
            The relay deletes what it has of it, every link stops working, and nobody else reads on. What
            others have read already stays with them. Your own copy stays.
          </p>
        </Confirm>
      )}
    </section>
  );
}
