import { removeParticipant } from '@reverie/shared/contract/sessions/session-sharing';
import type { Participant } from '@reverie/shared/contract/sessions/sessions';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/Confirm.tsx';
import css from './SessionView.module.css';

interface ParticipantRowProps {
  session: string;
  person: Participant;
  canRemove: boolean;
  onRemoved: () => void;
}

/** A person who takes part: whether they are here now, what they may, and how that is ended. */
export function ParticipantRow({ session, person, canRemove, onRemoved }: ParticipantRowProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call(removeParticipant, { params: { id: session, participant: person.id } }),
    onSuccess: () => {
      setAsking(false);
      onRemoved();
    },
  });
  const { name, online, role, self } = person;
  return (
    <li className={css['person']}>
      <span className={css['online']} data-online={online} title={online ? 'Here now' : 'Not here'}>
        <span className="sr-only">{online ? 'Here now: ' : 'Not here: '}</span>
      </span>
      <bdi>{name}</bdi>
      {self && <Badge tone="accent">you</Badge>}
      <Badge tone="plain">{role}</Badge>
      {canRemove && (
        <Button look="quiet" onClick={() => setAsking(true)} aria-label={self ? 'Leave' : `Remove ${name}`}>
          {self ? 'Leave…' : 'Remove…'}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={self ? 'Leave this session?' : `Remove ${name}?`}
          act={self ? 'Leave' : 'Remove'}
          keep="Not now"
          doing={remove}
          failed={self ? 'You are still in it' : 'They were not removed'}
          onClose={() => setAsking(false)}
        >
          <p>
            {self
              ? 'You get nothing more of it. What came until now stays here, and can be deleted.'
              : `${name} reads nothing more of it from now on. What they have read already stays with them. Open links of the session stop working, whoever they were for.`}
          </p>
        </Confirm>
      )}
    </li>
  );
}
