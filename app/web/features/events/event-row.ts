import {
  actorKinds,
  eventFamilies,
  type Actor,
  type Event,
  type EventType,
} from '@reverie/shared/contract/events';
import { z } from 'zod';

/** An event of the list. What changed is not kept here: a thousand values may be a gigabyte, and some are deleted. */
export interface EventRow {
  seq: number;
  id: string;
  type: EventType;
  namespace: string;
  created_at: string;
  actor: Actor;
  /** The memory it is about; undefined where it is about none, or where that was deleted since. */
  key: string | undefined;
  /** Says something besides, such as who sent a message. */
  note: string | undefined;
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

const DreamStep = z.object({ step: z.object({ strategy: z.string(), state: z.string() }) });

export function familyOf(type: EventType): EventFamily | undefined {
  return eventFamilies.find((family) => type.startsWith(`${family}.`));
}

/** The memory that an event is about, while the event still says so. */
export function keyOf({ type, data }: Event): string | undefined {
  return type.startsWith('memory.') ? (textOf(data.after, 'key') ?? textOf(data.before, 'key')) : undefined;
}

export function rowOf(event: Event): EventRow {
  const { data, seq, id, type, namespace, created_at, actor } = event;
  return {
    seq,
    id,
    type,
    namespace,
    created_at,
    actor,
    key: keyOf(event),
    note: noteOf(event),
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
  return rows.map((row) => (isGone(row) ? { ...row, key: undefined, redacted: true } : row));
}

function noteOf({ type, data }: Event): string | undefined {
  if (type === 'memory.clear') {
    const count = data.before?.['count'];
    return typeof count === 'number' ? `${count} forgotten` : undefined;
  }
  if (type === 'channel.message')
    return (
      [textOf(data.after, 'kind'), textOf(data.after, 'from')].filter(Boolean).join(' from ') || undefined
    );
  if (type.startsWith('channel.')) return textOf(data.after, 'channel');
  return type === 'dream.step' ? stepNote(data.after) : dreamNote(type, data.after);
}

/** Which strategy a dream is at, and how it stands. */
function stepNote(after: State): string | undefined {
  const step = DreamStep.safeParse(after).data?.step;
  return step && `${step.strategy}: ${step.state}`;
}

/** Of which strategy an insight is, or what a whole dream came to; never its words, which a deletion may take back. */
function dreamNote(type: EventType, after: State): string | undefined {
  if (type !== 'dream.completed') return textOf(after, 'strategy');
  const insights = after?.['insights'];
  return typeof insights === 'number' ? `${insights} ${insights === 1 ? 'insight' : 'insights'}` : undefined;
}

export function textOf(state: State, name: string): string | undefined {
  const value = state?.[name];
  return typeof value === 'string' ? value : undefined;
}
