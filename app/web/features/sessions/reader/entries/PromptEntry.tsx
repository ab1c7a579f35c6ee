import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { Marked } from '../../../../ui/text/Marked.tsx';
import { useActs } from '../acts.ts';
import css from './Entry.module.css';
import { EntryHead } from './EntryHead.tsx';
import { MarkdownText } from './Text.tsx';

/** A prompt of more characters is a document rather than a sentence, and read like one. */
const LARGE = 600;

/** What a person asked: the large letters by which one finds one's way. */
export function PromptEntry({ entry }: { entry: SessionEntry }) {
  const { marks } = useActs();
  return (
    <div className={css['prompt']}>
      <EntryHead entry={entry} />
      {entry.text.length > LARGE ? (
        <MarkdownText entry={entry} />
      ) : (
        <p className={css['asked']} dir="auto">
          <Marked text={entry.text} marks={marks(entry.id)} />
        </p>
      )}
    </div>
  );
}
