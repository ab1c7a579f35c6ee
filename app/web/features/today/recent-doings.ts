import type { Doing } from '@reverie/shared/contract/memories/today';
import { whoIs, type Names } from '@reverie/shared/contract/events/actor-words';
import { inWords } from './words.ts';

/** Who did what to memories of one namespace. */
export interface RecentDoing {
  who: string;
  namespace: string;
  did: string;
  /** When the last of it was done. */
  at: string;
}

const VERBS = ['wrote', 'changed', 'deleted'] as const;

/** What was done to memories, a line for each who and where, the latest first; devices are called by `names`. */
export function doingsOf(doings: readonly Doing[], names: Names): RecentDoing[] {
  const groups = new Map<string, { who: string; namespace: string; own: Doing[] }>();
  for (const doing of doings) {
    const { actor, name, author, namespace } = doing;
    const who = whoIs(actor, name === null ? names : new Map([[actor.id, name]]), author);
    const id = JSON.stringify([who, namespace]);
    const group = groups.get(id) ?? { who, namespace, own: [] };
    group.own.push(doing);
    groups.set(id, group);
  }
  return [...groups.values()]
    .map(({ own, ...group }) => ({
      ...group,
      did: didWhat(own),
      at: own.reduce((last, { at }) => (at > last ? at : last), ''),
    }))
    .toSorted((a, b) => b.at.localeCompare(a.at));
}

/** `wrote two memories and changed one`. */
function didWhat(doings: readonly Doing[]): string {
  const parts = VERBS.map((verb) => ({
    verb,
    count: doings.reduce((sum, doing) => sum + doing[verb], 0),
  })).filter(({ count }) => count > 0);
  const said = parts.map(({ verb, count }, at) => {
    const noun = at > 0 ? '' : count === 1 ? ' memory' : ' memories';
    return `${verb} ${inWords(count)}${noun}`;
  });
  return said.length > 1 ? `${said.slice(0, -1).join(', ')} and ${said.at(-1) ?? ''}` : (said[0] ?? '');
}
