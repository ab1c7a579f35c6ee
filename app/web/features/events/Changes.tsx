import type { Event } from '@reverie/shared/contract/events/events';
import { DiffView } from '../../ui/text/DiffView.tsx';
import { Banner } from '../../ui/Message.tsx';
import { pairLines, pairsOf } from '../../ui/text/pairs.ts';
import { Code } from '../../ui/reading/typeset/Code.tsx';
import { isRedacted, textOf } from './event-row.ts';
import css from './EventDetail.module.css';

type State = Event['data']['before'];

/** What an event changed or said, as a person reads it. */
export function Changes({ event }: { event: Event }) {
  if (isRedacted(event.type, event.data))
    return (
      <Banner tone="plain">
        What this event said was about a memory that has been deleted. Deleted means gone: it was taken out of
        the log, too, and only that something happened is kept.
      </Banner>
    );
  if (event.type.startsWith('memory.') && event.type !== 'memory.clear')
    return <MemoryChanges event={event} />;
  const words = wordsIn(event.data.after);
  return words.length === 0 ? null : (
    <blockquote className={css['words']} dir="auto">
      {words.join('\n\n')}
    </blockquote>
  );
}

/** All that an event carries, as programs get it. */
export function Raw({ event }: { event: Event }) {
  if (isRedacted(event.type, event.data)) return null;
  return (
    <details className={css['payload']}>
      <summary>Raw</summary>
      <Code language="json" text={JSON.stringify(event, undefined, 2)} />
    </details>
  );
}

/** Where events other than those of memories say something in words: a proposal its title, a message its text. */
function wordsIn(after: State): string[] {
  const payload = after?.['payload'];
  const said = typeof payload === 'object' && payload !== null ? { ...payload, ...after } : (after ?? {});
  return ['title', 'text', 'message', 'value'].flatMap((name) => {
    const words: unknown = Reflect.get(said, name);
    return typeof words === 'string' && words.trim() !== '' ? [words.trim()] : [];
  });
}

function MemoryChanges({ event }: { event: Event }) {
  const { before, after } = event.data;
  const value = [textOf(before, 'value') ?? '', textOf(after, 'value') ?? ''] as const;
  const rest = [linesOf(before), linesOf(after)] as const;
  return (
    <>
      {event.type === 'memory.delete' && (
        <Banner tone="plain">
          The log shows what was deleted for about a minute, or until it was delivered, a day at most. Then it
          is gone for good.
        </Banner>
      )}
      <section aria-label="Text" className={css['section']}>
        <h3>{value[0] === value[1] ? 'The text stayed as it is' : 'Text'}</h3>
        {value[0] !== value[1] && <DiffView before={value[0]} after={value[1]} />}
      </section>
      {rest[0] !== rest[1] && (
        <section aria-label="Everything else" className={css['section']}>
          <h3>Everything else</h3>
          <DiffView before={rest[0]} after={rest[1]} />
        </section>
      )}
    </>
  );
}

/** What follows from the text, or is shown above. */
const SHOWN = new Set([
  'value',
  'key',
  'namespace',
  'created_at',
  'updated_at',
  'title',
  'class',
  'noted_at',
]);

/** What a state says besides its text, line by line: its metadata, when it is deleted, what hides it. */
function linesOf(state: State): string {
  const { metadata = {}, ...rest } = Object.fromEntries(
    Object.entries(state ?? {}).filter(([name]) => !SHOWN.has(name)),
  );
  const own = typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
  return pairLines(pairsOf({ ...own, ...rest })).join('\n');
}
