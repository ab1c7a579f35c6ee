import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { latePart } from '../../../platform/late-part.ts';
import { BareIconButton, Button } from '../../../ui/Button.tsx';
import { Skeleton } from '../../../ui/Message.tsx';
import { NoteForm } from './Notes.tsx';
import { ParticipantRow } from './ParticipantRow.tsx';
import css from './SessionView.module.css';

/** What edits together with others is fetched only where a session is shared. */
const SharedNotes = latePart(() => import('./shared-notes/SharedNotes.tsx'));

interface BesideProps {
  session: CodingSession;
  canNote: boolean;
  isOwner: boolean;
  onShare: () => void;
  onClose: () => void;
}

/** Who takes part in a session, and what they write beside it. */
export function Beside({ session, canNote, isOwner, onShare, onClose }: BesideProps) {
  const queries = useQueryClient();
  const [isNoting, setNoting] = useState(false);
  return (
    <aside className={css['beside']} aria-label="People and notes">
      <div className={css['besideHead']}>
        <h2>People</h2>
        <BareIconButton icon="close" label="Close people and notes" onClick={onClose} />
      </div>
      <ul role="list" aria-label="Who takes part" className={css['part']}>
        {session.participants.map((person) => (
          <ParticipantRow
            key={person.id}
            session={session.id}
            person={person}
            canRemove={isOwner && (session.role === 'owner' ? !person.self : person.self)}
            onRemoved={() => void queries.invalidateQueries({ queryKey: ['sessions'] })}
          />
        ))}
      </ul>
      {isOwner && session.role === 'owner' && !session.shared && (
        <div className={css['part']}>
          <p>Nobody else sees this session. Share it, and they read it as it happens, without its secrets.</p>
          <div>
            <Button icon="share" onClick={onShare}>
              Share…
            </Button>
          </div>
        </div>
      )}
      {canNote && (
        <div className={css['part']}>
          <h2>Notes in the session</h2>
          {isNoting ? (
            <NoteForm about={undefined} onClose={() => setNoting(false)} />
          ) : (
            <div>
              <Button icon="plus" onClick={() => setNoting(true)}>
                Write a note
              </Button>
            </div>
          )}
        </div>
      )}
      {session.shared && isOwner && (
        <div className={css['part']}>
          <h2>Shared notes</h2>
          <Suspense fallback={<Skeleton lines={3} />}>
            <SharedNotes session={session.id} canWrite={canNote} />
          </Suspense>
        </div>
      )}
    </aside>
  );
}
