import type { Author } from '@reverie/shared/contract/author';
import {
  eventFamilies,
  type Actor,
  type actorKinds,
  type Event,
  type EventType,
} from '@reverie/shared/contract/events/events';
import { whatOf, type What } from '@reverie/shared/contract/events/what-happened';
import { titleIn } from './title.ts';

/** An event of the list. What changed is not kept here: a thousand values may be a gigabyte, and some are deleted. */
export interface EventRow {
  seq: number;
  id: string;
  type: EventType;
  namespace: string;
  created_at: string;
  actor: Actor;
  /** Who it was, where it was done on another device. */
  author?: Author | undefined;
  what: What;
  /** The memory it is about; undefined where it is about none, or where that was deleted since. */
  key: string | undefined;
  /** What that memory is called; undefined where it is called by its key. */
  title: string | undefined;
  /** What it said was taken out of the log, because the memory was deleted. */
  redacted: boolean;
}

export type EventFamily = (typeof eventFamilies)[number];
export type ActorKind = (typeof actorKinds)[number];

/** Which events are listed. */
export interface EventFilter {
  family: EventFamily | undefined;
  namespace: string | undefined;
  actor: ActorKind | undefined;
}

type State = Event['data']['before'];

export function familyOf(type: EventType): EventFamily | undefined {
  return eventFamilies.find((family) => type.startsWith(`${family}.`));
}

/** The memory that an event is about, while the event still says so. */
export function keyOf({ type, data }: Event): string | undefined {
  return type.startsWith('memory.') ? (textOf(data.after, 'key') ?? textOf(data.before, 'key')) : undefined;
}

export function rowOf(event: Event): EventRow {
  const { data, seq, id, type, namespace, created_at, actor, author } = event;
  const isChange = type.startsWith('memory.') && type !== 'memory.delete';
  return {
    seq,
    id,
    type,
    namespace,
    created_at,
    actor,
    ...(author && { author }),
    what: whatOf(event),
    key: keyOf(event),
    // What was deleted is called by its key: its words are gone, or will be within a minute.
    title: isChange ? titleIn(data.after ?? data.before) : undefined,
    redacted: isRedacted(type, data),
  };
}

/** Whether an event of a memory no longer says what changed. */
export function isRedacted(type: EventType, { before, after }: Event['data']): boolean {
  return type.startsWith('memory.') && before === null && after === null;
}

/** Whether an event belongs to a list. */
export function fits({ family, namespace, actor }: EventFilter, event: EventRow): boolean {
  return (
    (family === undefined || familyOf(event.type) === family) &&
    (namespace === undefined || event.namespace === namespace) &&
    (actor === undefined || event.actor.kind === actor)
  );
}

/** The rows as the log has them after a deletion: it takes what the memory said out of all earlier events. */
export function afterDeletion(
  rows: readonly EventRow[],
  { type, namespace, seq, key }: EventRow,
): EventRow[] {
  const isGone = (row: EventRow) =>
    row.seq < seq &&
    row.namespace === namespace &&
    row.key !== undefined &&
    ((type === 'memory.delete' && row.key === key) ||
      (type === 'memory.clear' && row.type !== 'memory.delete'));
  return rows.map((row) =>
    isGone(row) ? { ...row, key: undefined, title: undefined, redacted: true } : row,
  );
}

export function textOf(state: State, name: string): string | undefined {
  const value = state?.[name];
  return typeof value === 'string' ? value : undefined;
}
