import { addEntries, type SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner } from '../../../ui/Message.tsx';
import { authorWords } from '../words.ts';
import { useActs } from './acts.ts';
import css from './entries/Entry.module.css';
import { EntryHead } from './entries/EntryHead.tsx';
import { MarkdownText } from './entries/Text.tsx';

/** What a person wrote about an entry, or about the session. */
export function NoteEntry({ entry, isBelow = false }: { entry: SessionEntry; isBelow?: boolean }) {
  const { jump } = useActs();
  const { reply_to } = entry;
  return (
    <div
      className={css['note']}
      data-below={isBelow}
      role="note"
      aria-label={entry.author.id === 'person' ? 'Your note' : `Note of ${authorWords(entry.author)}`}
    >
      <EntryHead entry={entry} />
      <MarkdownText entry={entry} />
      {!isBelow && reply_to !== null && (
        <Button look="quiet" onClick={() => jump(reply_to)}>
          To what it is about
        </Button>
      )}
    </div>
  );
}

/** Where a note is written, about an entry or about the whole session. */
export function NoteForm({ about, onClose }: { about: string | undefined; onClose: () => void }) {
  const { session, noted } = useActs();
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () =>
      call(addEntries, {
        params: { id: session },
        body: {
          entries: [{ kind: 'note', text, agent: null, ...(about !== undefined && { reply_to: about }) }],
        },
      }),
    onSuccess: () => {
      noted();
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim() !== '') send.mutate();
  };
  return (
    <form className={css['noteForm']} onSubmit={submit}>
      <Field label="Note" hint="Everybody who takes part in this session reads it.">
        {(control) => (
          <textarea
            {...control}
            rows={3}
            dir="auto"
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') onClose();
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
                event.currentTarget.form?.requestSubmit();
            }}
          />
        )}
      </Field>
      {send.isError && <Banner tone="bad">The note was not kept: {send.error.message}</Banner>}
      <div className={css['noteActs']}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="strong" disabled={text.trim() === '' || send.isPending}>
          Keep the note
        </Button>
      </div>
    </form>
  );
}
