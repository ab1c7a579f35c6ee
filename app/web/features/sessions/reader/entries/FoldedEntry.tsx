import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { Code } from '../../../../ui/reading/typeset/Code.tsx';
import { Icon } from '../../../../ui/Icon.tsx';
import { useActs } from '../acts.ts';
import css from './Entry.module.css';
import { EntryActs } from './EntryHead.tsx';
import { MarkdownText, RestOf } from './Text.tsx';
import { readable, shortLine } from './tool-words.ts';

/** What is seldom read: what an agent thought, and records that this version does not know. One quiet line until it is opened. */
export function FoldedEntry({ entry }: { entry: SessionEntry }) {
  const { isOpen, toggle } = useActs();
  const open = isOpen(entry.id);
  const isThought = entry.kind === 'thinking';
  return (
    <div className={css['quiet']}>
      <button
        type="button"
        className={css['line']}
        aria-expanded={open}
        onClick={() => toggle(entry.id)}
        data-open={open}
      >
        <Icon name="right" />
        <span className={css['name']}>{isThought ? 'Thought' : 'Not known'}</span>
        <span className={css['about']} dir="auto">
          {isThought ? shortLine(entry.text) : entry.source.item}
        </span>
      </button>
      {open && (
        <div className={css['opened']}>
          {isThought ? (
            <MarkdownText entry={entry} />
          ) : (
            <>
              <Code {...readable(entry.text)} />
              <RestOf entry={entry} />
            </>
          )}
          <EntryActs entry={entry} />
        </div>
      )}
    </div>
  );
}
