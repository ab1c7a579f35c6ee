import { Problem } from '@reverie/shared/contract/problems';
import { objectIn } from '../../db/json-column.ts';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { notedDay } from '../../language/notes/noted-day.ts';
import { saveAddress } from './address.store.ts';
import { classify } from './classify.ts';
import type { MemoryDeps } from './deps.ts';
import { hidingAround, indexedOf, placeOf, saidHidden, sayHidden, SHELF, takeOut } from './hiding.ts';
import { findBehind, moveBehind } from './hiding.store.ts';
import { notFound } from './memories.service.ts';
import { findMemory, type MemoryRow, toMemory } from './memories.store.ts';
import { countChange, openNamespace } from './namespaces/namespaces.store.ts';

interface Address {
  namespace: string;
  key: string;
}

/** Gives a memory another address. Throws `memory_not_found`, and `conflict` where the new address is taken. */
export function renameMemory(
  deps: MemoryDeps,
  author: Author,
  { from, to }: { from: Address; to: Address },
): void {
  deps.store.write((db) => {
    const { account } = author;
    const row = findMemory(db, { account, ...from });
    if (!row) throw notFound(from);
    if (from.namespace === to.namespace && from.key === to.key) return;
    if (findMemory(db, { account, ...to }))
      throw new Problem(
        'conflict',
        `There is a memory ${JSON.stringify(to.key)} in the namespace ${JSON.stringify(to.namespace)} already; give this one another key, or rename or delete that one first`,
      );
    moveMemory(db, deps, { author, row, to });
  });
}

/** Moves a row to an address that is free, with all that hangs on it, inside a transaction. */
function moveMemory(
  db: WriteDb,
  deps: MemoryDeps,
  { author, row, to }: { author: Author; row: MemoryRow; to: Address },
): void {
  const { account } = author;
  const now = deps.clock.now();
  const from = { namespace: row.namespace, key: row.key };
  const isElsewhere = from.namespace !== to.namespace;
  // What it is hidden behind stays where it is: there it would be neither there nor found.
  if (isElsewhere && findBehind(db, row.id)) {
    sayHidden(db, deps, { author, row, said: {} });
    return moveMemory(db, deps, { author, row: { ...row, hidden: null, hidden_behind: null }, to });
  }
  const settleHiding = [from, to].map((at) => hidingAround(db, deps, { author, ...at }));
  if (row.hidden === null) deps.index.remove(db, { ...indexedOf(account, row), place: placeOf(row) });
  else takeOut(db, deps, { account, row });
  deps.facts.withdrawn(db, row);

  const namespaceId = isElsewhere
    ? openNamespace(db, account, { name: to.namespace, now })
    : row.namespace_id;
  const { created_at } = row;
  // In another namespace nothing is hidden behind it: that is shown until it comes back.
  const followed = isElsewhere
    ? []
    : moveBehind(db, { account, namespaceId, created_at, from: from.key, to: to.key });
  const noted_at = notedDay({ key: to.key, value: row.value, metadata: objectIn(row.metadata) })?.on ?? null;
  const moved: MemoryRow = { ...row, ...to, namespace_id: namespaceId, class: classify(to.key), noted_at };
  const place = placeOf(moved);
  saveAddress(db, row.id, { ...moved, namespaceId, place: row.hidden === null ? place : undefined });
  if (isElsewhere) {
    countChange(db, namespaceId, { memories: 1, bytes: row.bytes, now });
    countChange(db, row.namespace_id, { memories: -1, bytes: -row.bytes, now });
  }
  if (row.hidden === null) {
    deps.index.put(db, { ...indexedOf(account, moved), place }, undefined);
    deps.facts.changed(db, { id: row.id });
  } else {
    const shelf = openNamespace(db, account, { name: SHELF + to.namespace, now });
    deps.index.shelve(db, { ...indexedOf(account, moved), namespaceId: shelf });
  }
  deps.followers.renamed(db, { id: row.id, from: from.key, to });
  tell(db, deps, { author, before: row, after: moved });
  deps.sync.renamed(db, { author, from, to }, { ...moved, ...saidHidden(db, row) });
  for (const key of followed) {
    const behind = findMemory(db, { account, namespace: to.namespace, key });
    if (behind)
      deps.sync.wrote(db, { author, namespace: to.namespace, key }, { ...behind, ...saidHidden(db, behind) });
  }
  for (const settle of settleHiding) settle();
}

/** Tells of it in the namespace where it is now, and in the one that it left. */
function tell(
  db: WriteDb,
  { events }: Pick<MemoryDeps, 'events'>,
  { author, before, after }: { author: Author; before: MemoryRow; after: MemoryRow },
): void {
  const event = {
    ...author,
    type: 'memory.update' as const,
    before: toMemory(before),
    after: toMemory(after),
  };
  if (before.namespace !== after.namespace)
    events.record(db, { ...event, namespace: before.namespace, key: before.key });
  events.record(db, { ...event, namespace: after.namespace, key: after.key });
  events.renamed(db, { account: author.account, ...before });
}
