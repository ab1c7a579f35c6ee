import { listMemories } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { call } from '../../../platform/daemon/api.ts';
import type { FindNotes } from './sheet/completing.ts';

/** Names that are offered at once. */
const OFFERED = 12;

/** Finds notes of a namespace for a link: those whose key begins so first, then what search finds; before anything is typed, what changed last. */
export function findNotesIn(namespace: string): FindNotes {
  return async (typed, signal) => {
    const few = { namespace, limit: OFFERED, values: false };
    if (typed === '') {
      const { memories } = await call(listMemories, { body: { ...few, order: 'updated' } }, { signal });
      return memories;
    }
    const [{ memories }, { results }] = await Promise.all([
      call(listMemories, { body: { ...few, prefix: typed } }, { signal }),
      call(searchMemories, { body: { ...few, query: typed } }, { signal }),
    ]);
    const isNamed = ({ key, title }: { key: string; title: string }) =>
      `${key}\n${title}`.toLowerCase().includes(typed.toLowerCase());
    const found = [...memories, ...results.filter(isNamed), ...results];
    return [...new Map(found.map((one) => [one.key, one])).values()].slice(0, OFFERED);
  };
}
