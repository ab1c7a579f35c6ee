import type { AccountId } from '@reverie/shared/accounts/caller';
import type { InsightChange, Resolution } from '@reverie/shared/contract/dreams/dreams';
import { objectIn } from '../../../db/json-column.ts';
import type { ReadDb } from '../../../db/open-store.ts';
import { saidAt } from '../../../language/notes/noted-day.ts';
import type { DreamMemories } from '../deps.ts';
import type { Undo } from './changes.ts';

/** How a disagreement was decided, as its undo tells: the memory that undoing would show again is the one that lost. */
export function resolutionOf(change: InsightChange | null, undo: Undo | null): Resolution | null {
  if (change?.kind !== 'disagree' || !undo || undo.kind === 'restore') return null;
  if (undo.kind === 'nothing') return 'both';
  return undo.keys.includes(change.older.key) ? 'newer' : 'older';
}

interface Sides {
  account: AccountId;
  namespace: string;
  keys: readonly string[];
  /** The days that texts name for what they say, in milliseconds since 1970. */
  statedOn?: Readonly<Record<string, number>> | undefined;
}

/** Two memories as the sides of a disagreement, the older one first; null where there are not two. */
export function disagreementOf(
  db: ReadDb,
  { find }: Pick<DreamMemories, 'find'>,
  { account, namespace, keys, statedOn = {} }: Sides,
): InsightChange | null {
  const sides = keys
    .flatMap((key) => find(db, { account, namespace, key }) ?? [])
    .map((memory) => ({
      id: memory.id,
      key: memory.key,
      at: statedOn[memory.key] ?? saidAt({ ...memory, metadata: objectIn(memory.metadata) }),
    }))
    .sort((a, b) => a.at - b.at || a.id - b.id)
    .map(({ key, at }) => ({ key, date: new Date(at).toISOString() }));
  const [older, newer, ...more] = sides;
  return older && newer && more.length === 0 ? { kind: 'disagree', older, newer } : null;
}
