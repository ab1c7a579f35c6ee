import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { Recall, Verdict } from '@reverie/shared/contract/agents/recalls';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newUlid } from '../../../platform/ids.ts';
import { seemsSecret } from '@reverie/redact/seems-secret';
import type { RecallsWorld } from './ports.ts';
import {
  findRecall,
  insertRecall,
  listRecallRows,
  memoryIdOf,
  type RecallFilter,
  recalledIn,
  type RecallRow,
  setVerdict,
} from './recalls.store.ts';

export interface RecallsDeps {
  store: Store;
  clock: Pick<Clock, 'now'>;
  /** Days for which receipts are kept; 0 for none. */
  days: number;
  world: RecallsWorld;
}

/** What was put before an agent. */
export interface ShownRecall extends Omit<RecallRow, 'id' | 'at' | 'shown'> {
  memories: readonly { namespace: string; key: string; reason: string; score: number | null }[];
}

/** Characters of a query that are kept. */
const LONGEST_QUERY = 1_000;

/** Writes a receipt of what was shown; answers its id, or null where receipts are off or none of the memories exists. */
export function recordRecall(
  { store, clock, days }: RecallsDeps,
  { account, key }: Pick<Caller, 'account' | 'key'>,
  shown: ShownRecall,
): string | null {
  if (days === 0) return null;
  const at = clock.now();
  const id = `rcl_${newUlid(at)}`;
  const query = shown.query?.slice(0, LONGEST_QUERY).toWellFormed() ?? null;
  return store.write((db) => {
    const memories = shown.memories.flatMap(({ reason, score, ...address }) => {
      const memory_id = memoryIdOf(db, account, address);
      return memory_id === undefined ? [] : [{ memory_id, reason, score }];
    });
    if (memories.length === 0) return null;
    const { agent, session, way, namespace, tokens } = shown;
    insertRecall(
      db,
      { account, key: key.id },
      {
        recall: {
          id,
          at,
          agent,
          session,
          way,
          namespace,
          tokens,
          query: query !== null && seemsSecret(query) ? null : query,
          shown: new Set(memories.map(({ memory_id }) => memory_id)).size,
        },
        memories,
      },
    );
    return id;
  });
}

type Asking = Pick<Caller, 'account' | 'key' | 'within' | 'readable'>;

/** A page of receipts, the last first. */
export function pageOfRecalls(
  deps: Pick<RecallsDeps, 'store' | 'world'>,
  caller: Asking,
  wanted: Omit<RecallFilter, 'account' | 'within'>,
): { recalls: Recall[]; next: string | null } {
  const { account, within } = caller;
  return deps.store.read((db) => {
    const rows = listRecallRows(db, { ...wanted, account, within });
    return {
      recalls: rows.map((row) => toRecall(db, deps, { caller, row })),
      next: rows.length === wanted.limit ? (rows.at(-1)?.id ?? null) : null,
    };
  });
}

/** Stores the verdict on a recall, or on one memory of it; null clears it. Throws `recall_not_found`, and `memory_not_found`. */
export function judgeRecall(
  deps: Pick<RecallsDeps, 'store' | 'world'>,
  caller: Asking,
  { id, verdict, key }: { id: string; verdict: Verdict | null; key?: string | undefined },
): Recall {
  return deps.store.write((db) => {
    const { account, within, key: asking } = caller;
    const row = findRecall(db, { account, within, key: asking.id }, id);
    if (!row) throw new Problem('recall_not_found', `There is no recall ${JSON.stringify(id)}`);
    const memories = memoriesOf(db, deps, { caller, row });
    const meant = memories.filter(({ memory }) => key === undefined || memory.key === key);
    if (meant.length === 0)
      throw new Problem(
        'memory_not_found',
        key === undefined
          ? 'None of the memories of this recall is there any more'
          : `This recall has no memory ${JSON.stringify(key)}; it has ${memories.map(({ memory }) => JSON.stringify(memory.key)).join(', ')}`,
      );
    for (const { memory_id } of meant) setVerdict(db, { recall: id, memoryId: memory_id }, verdict);
    return toRecall(db, deps, { caller, row });
  });
}

interface Of {
  caller: Asking;
  row: RecallRow;
}

function memoriesOf(db: ReadDb, { world }: Pick<RecallsDeps, 'world'>, { caller, row }: Of) {
  const rows = recalledIn(db, row.id);
  const byId = world.byId(
    caller.account,
    rows.map(({ memory_id }) => memory_id),
  );
  return rows.flatMap((recalled) => {
    const memory = byId.get(recalled.memory_id);
    return memory && caller.readable(memory.namespace) ? [{ ...recalled, memory }] : [];
  });
}

function toRecall(db: ReadDb, deps: Pick<RecallsDeps, 'world'>, of: Of): Recall {
  return {
    ...of.row,
    at: new Date(of.row.at).toISOString(),
    memories: memoriesOf(db, deps, of).map(
      ({ memory: { key, namespace, title }, reason, score, verdict }) => ({
        key,
        namespace,
        title,
        reason,
        score,
        verdict,
      }),
    ),
  };
}
