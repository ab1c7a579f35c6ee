import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import css from './Entry.module.css';
import { EntryHead } from './EntryHead.tsx';
import { MarkdownText } from './Text.tsx';

/** What an agent answered, or what it kept of all before when its context was full. */
export function AnswerEntry({ entry }: { entry: SessionEntry }) {
  return (
    <div className={entry.kind === 'summary' ? css['summary'] : css['answer']}>
      <EntryHead entry={entry} />
      {entry.kind === 'summary' && <p className={css['label']}>What the agent kept of all before:</p>}
      <MarkdownText entry={entry} />
    </div>
  );
}
