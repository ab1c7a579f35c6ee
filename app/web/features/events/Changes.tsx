import type { Event } from '@reverie/shared/contract/events';
import { DiffView } from '../../ui/DiffView.tsx';
import { Banner } from '../../ui/Message.tsx';
import { Code } from '../../ui/reading/Code.tsx';
import { isRedacted, textOf } from './event-row.ts';
import css from './EventDetail.module.css';

type State = Event['data']['before'];

/** What an event changed, and below it all that it carries, as JSON. */
export function Changes({ event }: { event: Event }) {
  if (isRedacted(event.type, event.data))
    return (
      <Banner tone="plain">
        What this event said was about a memory that has been deleted. Deleted means gone: it was taken out of
        the log, too, and only that something happened is kept.
      </Banner>
    );
  const isOfMemory = event.type.startsWith('memory.') && event.type !== 'memory.clear';
  return (
    <>
      {isOfMemory && <MemoryChanges event={event} />}
      <details className={css['payload']} open={!isOfMemory}>
        <summary>Payload</summary>
        <Code language="json" text={JSON.stringify(event, undefined, 2)} />
      </details>
    </>
  );
}

function MemoryChanges({ event }: { event: Event }) {
  const { before, after } = event.data;
  const value = [textOf(before, 'value') ?? '', textOf(after, 'value') ?? ''] as const;
  const rest = [print(restOf(before)), print(restOf(after))] as const;
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

/** What a state says besides what is shown above: value, place and time. */
function restOf(state: State): State {
  if (!state) return null;
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name]) => !['value', 'key', 'namespace', 'created_at', 'updated_at'].includes(name),
    ),
  );
}

function print(state: State): string {
  return state ? `${JSON.stringify(state, undefined, 2)}\n` : '';
}
