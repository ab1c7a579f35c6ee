import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { countOf } from '../../../../platform/format.ts';
import { notify } from '../../../../platform/notices.ts';
import { IconButton } from '../../../../ui/Button.tsx';
import { Time } from '../../../../ui/Time.tsx';
import { authorWords, forWhom } from '../../words.ts';
import { useActs } from '../acts.ts';
import css from './Entry.module.css';

/** Who said it and when, and what can be done with it. */
export function EntryHead({ entry }: { entry: SessionEntry }) {
  const { author, redactions } = entry;
  const whom = forWhom(author);
  return (
    <div className={css['head']}>
      <bdi className={css['author']}>{authorWords(author)}</bdi>
      {whom !== undefined && (
        <span>
          for <bdi>{whom}</bdi>
        </span>
      )}
      <Time at={entry.at} />
      {redactions > 0 && <span>{countOf(redactions, 'secret was', 'secrets were')} taken out</span>}
      <EntryActs entry={entry} />
    </div>
  );
}

/** A link to this entry, and a note about it. */
export function EntryActs({ entry }: { entry: SessionEntry }) {
  const { session, canNote, note } = useActs();
  const copy = () => {
    const link = `${location.origin}/sessions/${session}?entry=${encodeURIComponent(entry.id)}`;
    navigator.clipboard.writeText(link).then(
      () => notify('good', 'The link to this entry was copied.'),
      () => notify('bad', `The browser did not allow copying. The link is ${link}`),
    );
  };
  return (
    <span className={css['acts']}>
      {canNote && <IconButton icon="ask" label="Write a note about this" onClick={() => note(entry.id)} />}
      <IconButton icon="copy" label="Copy the link to this" onClick={copy} />
    </span>
  );
}
