import type { Actor, Event } from '@reverie/shared/contract/events';
import { midnightOf, readersDay } from '../../platform/readers-clock.ts';
import { whoIs, type Names } from '../actors/who.ts';
import { inWords } from './words.ts';

/** Who did what to memories of one namespace. */
export interface RecentDoing {
  who: string;
  namespace: string;
  did: string;
  /** When the last of it was done. */
  at: string;
}

/** The midnight before the last one, in the reader's time zone, ms. */
export function startOfYesterday(now: number): number {
  const day = readersDay(now);
  return midnightOf(new Date(day.getFullYear(), day.getMonth(), day.getDate() - 1)).getTime();
}

const VERBS = [
  { type: 'memory.write', verb: 'wrote' },
  { type: 'memory.update', verb: 'changed' },
  { type: 'memory.delete', verb: 'deleted' },
] as const;

/** What was done to memories, a line for each who and where, the latest first. */
export function doingsOf(events: readonly Event[], names: Names): RecentDoing[] {
  const groups = new Map<string, { actor: Actor; namespace: string; events: Event[] }>();
  for (const event of events) {
    if (!VERBS.some(({ type }) => type === event.type)) continue;
    const id = JSON.stringify([whoIs(event.actor, names), event.namespace]);
    const group = groups.get(id) ?? { actor: event.actor, namespace: event.namespace, events: [] };
    group.events.push(event);
    groups.set(id, group);
  }
  return [...groups.values()]
    .map(({ actor, namespace, events: own }) => ({
      who: whoIs(actor, names),
      namespace,
      did: didWhat(own),
      at: own.reduce((last, { created_at }) => (created_at > last ? created_at : last), ''),
    }))
    .toSorted((a, b) => b.at.localeCompare(a.at));
}

/** `wrote two memories and changed one`. */
function didWhat(events: readonly Event[]): string {
  const parts = VERBS.map(({ type, verb }) => ({
    verb,
    count: events.filter((event) => event.type === type).length,
  })).filter(({ count }) => count > 0);
  const said = parts.map(({ verb, count }, at) => {
    const noun = at > 0 ? '' : count === 1 ? ' memory' : ' memories';
    return `${verb} ${inWords(count)}${noun}`;
  });
  return said.length > 1 ? `${said.slice(0, -1).join(', ')} and ${said.at(-1) ?? ''}` : (said[0] ?? '');
}
