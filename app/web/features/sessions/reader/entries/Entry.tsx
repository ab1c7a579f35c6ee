import { memo } from 'react';
import { AnswerEntry } from './AnswerEntry.tsx';
import { NoteEntry, NoteForm } from '../Notes.tsx';
import { useActs } from '../acts.ts';
import css from './Entry.module.css';
import { FoldedEntry } from './FoldedEntry.tsx';
import { PromptEntry } from './PromptEntry.tsx';
import type { ReaderRow } from './rows.ts';
import { ToolEntry } from './ToolEntry.tsx';
import { authorWords, KIND_WORDS } from '../../words.ts';

interface EntryProps {
  row: ReaderRow;
  /** Where it stands, and of how many, as far as they are read. */
  at: number;
  count: number;
  /** Whether one came here by a link, a search or a key. */
  isCurrent: boolean;
}

/** One entry of a session as it is read, with its notes below it. */
export const Entry = memo(function Entry({ row, at, count, isCurrent }: EntryProps) {
  const { noting, note } = useActs();
  const { entry } = row;
  return (
    <article
      className={css['entry']}
      data-kind={entry.kind}
      data-current={isCurrent}
      data-entry={entry.id}
      aria-label={`${KIND_WORDS[entry.kind]}, ${authorWords(entry.author)}`}
      aria-posinset={at + 1}
      aria-setsize={count}
      tabIndex={-1}
    >
      <Body row={row} />
      {row.notes.map((one) => (
        <NoteEntry key={one.id} entry={one} isBelow />
      ))}
      {noting === entry.id && <NoteForm about={entry.id} onClose={() => note(undefined)} />}
    </article>
  );
});

function Body({ row }: { row: ReaderRow }) {
  const { entry } = row;
  switch (entry.kind) {
    case 'prompt':
      return <PromptEntry entry={entry} />;
    case 'answer':
    case 'summary':
      return <AnswerEntry entry={entry} />;
    case 'tool_call':
    case 'tool_result':
      return <ToolEntry row={row} />;
    case 'note':
      return <NoteEntry entry={entry} />;
    case 'thinking':
    case 'other':
      return <FoldedEntry entry={entry} />;
  }
}
