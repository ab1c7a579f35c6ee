import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isInApp } from '../../../../platform/desktop.ts';
import { socketOrigin } from '../../../../platform/daemon/live.ts';
import { session } from '../../../../platform/daemon/session.ts';
import { Field } from '../../../../ui/Field.tsx';
import { Banner, Skeleton } from '../../../../ui/Message.tsx';
import { notesQuery } from '../../queries.ts';
import css from './SharedNotes.module.css';
import { openNotes, type NotesState, type OpenNotes, type Where } from './open-notes.ts';
import { caretAfter } from './text-change.ts';

/** A text that everybody who takes part writes at once, and who is there with it. */
export default function SharedNotes({ session: id, canWrite }: { session: string; canWrite: boolean }) {
  const { data, isError, error } = useQuery(notesQuery(id));
  if (isError) return <Banner tone="plain">The shared notes cannot be reached: {error.message}.</Banner>;
  if (!data) return <Skeleton lines={3} />;
  return <Document key={data.room} where={data} canWrite={canWrite} />;
}

const EMPTY: NotesState = { text: '', people: [], link: 'connecting' };

function Document({ where, canWrite }: { where: Where; canWrite: boolean }) {
  const [state, setState] = useState(EMPTY);
  const notes = useRef<OpenNotes>(undefined);
  const area = useRef<HTMLTextAreaElement>(null);
  /** Where the cursor has to stand once the text is drawn. */
  const caret = useRef<[number, number]>(undefined);
  const { room } = where;
  useEffect(() => {
    const now = session.get();
    if (now.kind !== 'open') return;
    const opened = openNotes(
      { ...where, address: socketOrigin() + where.path, token: now.token, isInApp },
      (next, change) => {
        const at = area.current;
        if (change && at)
          caret.current = [caretAfter(at.selectionStart, change), caretAfter(at.selectionEnd, change)];
        setState(next);
      },
    );
    notes.current = opened;
    return () => opened.close();
    // What is behind the door is named by its room.
  }, [room]);
  useLayoutEffect(() => {
    const [wanted, at] = [caret.current, area.current];
    caret.current = undefined;
    if (wanted && at && document.activeElement === at) at.setSelectionRange(...wanted);
  }, [state.text]);
  const mayWrite = canWrite && where.role !== 'viewer';
  return (
    <div className={css['notes']}>
      <p className={css['who']} role="status">
        {whoWords(state)}
      </p>
      <Field
        label={<span className="sr-only">Shared notes</span>}
        hint="Everybody who takes part writes here at once."
      >
        {(control) => (
          <textarea
            {...control}
            ref={area}
            rows={12}
            dir="auto"
            readOnly={!mayWrite}
            value={state.text}
            onChange={({ target }) => notes.current?.write(target.value, target.selectionStart)}
            onSelect={({ currentTarget }) => notes.current?.stand(currentTarget.selectionStart)}
          />
        )}
      </Field>
    </div>
  );
}

function whoWords({ link, people }: NotesState): string {
  if (link === 'connecting') return 'Connecting…';
  if (link === 'lost') return 'Not connected; what you write is sent once it is again.';
  return people.length === 0 ? 'You are alone with them.' : `Also here: ${people.join(', ')}.`;
}
