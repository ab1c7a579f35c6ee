import type { AccountId } from '@reverie/shared/accounts/caller';
import type { EvaluatedCase, Evaluation } from '@reverie/shared/contract/agents/recalls';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { WEAKER } from '@reverie/shared/contract/search/search';
import type { ReadDb } from '../../../db/open-store.ts';
import type { Clock, Stop } from '../../../platform/clock.ts';
import { newUlid } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import {
  accountsWithCases,
  type CaseRow,
  type EvaluationRow,
  insertEvaluation,
  judgedCases,
  lastEvaluations,
  type ResultRow,
  resultsOf,
} from './evaluations.store.ts';
import { dropRecallsBefore } from './recalls.store.ts';
import type { RecallsDeps } from './recalls.service.ts';

/** A memory counts as shown where it is among so many of the best: so many tools and hooks look at. */
const SHOWN = 8;
/** Memories that are looked at to tell the rank of what is not shown. */
const LOOKED_AT = 50;

/** Searches again for everything that was judged, and stores where each judged memory is found now. */
export async function evaluate(
  deps: RecallsDeps,
  account: AccountId,
  cause: Evaluation['cause'],
): Promise<Evaluation> {
  const { store, clock, world } = deps;
  const cases = store.read((db) => withMemories(deps, account, judgedCases(db, account)));
  const made_with = world.madeWith();
  const results: ResultRow[] = [];
  for (const one of cases) {
    const found = await world.look(account, { ...one, limit: LOOKED_AT });
    results.push(resultOf(one, found, world.hookLine));
  }
  const at = clock.now();
  const evaluation: EvaluationRow = { id: `evl_${newUlid(at)}`, at, cause, made_with };
  return store.write((db) => {
    insertEvaluation(db, account, { evaluation, results });
    return compared(db, deps, { account, last: evaluation });
  });
}

/** Where a judged memory is found now, and whether an agent would be shown it again. */
function resultOf(
  { recall, memory_id, way, score: then }: CaseRow,
  found: readonly { id: number; score: number }[],
  hookLine: number,
): ResultRow {
  const at = found.findIndex(({ id }) => id === memory_id);
  const score = found[at]?.score ?? null;
  // What stood below the line when it helped does not have to be above it now.
  const line = way === 'prompt' ? hookLine : Math.min(WEAKER, then ?? WEAKER);
  return {
    recall,
    memory_id,
    score,
    rank: at < 0 ? null : at + 1,
    shown: score !== null && at < SHOWN && score >= line ? 1 : 0,
  };
}

/** Cases with their memories; what is in the trash is none. */
function withMemories<C extends CaseRow>(
  { world }: Pick<RecallsDeps, 'world'>,
  account: AccountId,
  cases: readonly C[],
): (C & { memory: Memory })[] {
  const byId = world.byId(
    account,
    cases.map(({ memory_id }) => memory_id),
  );
  return cases.flatMap((one) => {
    const memory = byId.get(one.memory_id);
    return memory ? [{ ...one, memory }] : [];
  });
}

/** The last evaluation of an account beside the one before it, and how many cases there are now. */
export function lastEvaluation(
  deps: Pick<RecallsDeps, 'store' | 'world'>,
  account: AccountId,
): { cases: number; last: Evaluation | null } {
  return deps.store.read((db) => {
    const [last] = lastEvaluations(db, account, 1);
    return {
      cases: withMemories(deps, account, judgedCases(db, account)).length,
      last: last ? compared(db, deps, { account, last }) : null,
    };
  });
}

/** What was looked for is the same case in each evaluation, whichever recall it was judged in last. */
const nameOf = ({ memory_id, namespace, query }: CaseRow) => JSON.stringify([memory_id, namespace, query]);

function compared(
  db: ReadDb,
  deps: Pick<RecallsDeps, 'world'>,
  { account, last }: { account: AccountId; last: EvaluationRow },
): Evaluation {
  const before = lastEvaluations(db, account, 2).find(({ id }) => id !== last.id);
  const earlier = new Map(
    (before ? resultsOf(db, before.id) : []).map((row) => [nameOf(row), row.result] as const),
  );
  const cases = withMemories(deps, account, resultsOf(db, last.id)).map((row) => {
    const { recall, query, way, verdict, result, memory } = row;
    const old = earlier.get(nameOf(row));
    // By what is said of it now, also the result before: a verdict that was turned around is no change of the search.
    const isRight = ({ shown }: ResultRow) => (shown === 1) === (verdict === 'helped');
    const told: EvaluatedCase = {
      recall,
      query,
      way,
      verdict,
      key: memory.key,
      namespace: memory.namespace,
      title: memory.title,
      right: isRight(result),
      now: { rank: result.rank, score: result.score },
      before: old ? { rank: old.rank, score: old.score } : null,
    };
    return { told, changed: old !== undefined && isRight(old) !== told.right };
  });
  const those = (isMeant: (one: (typeof cases)[number]) => boolean) =>
    cases.filter(isMeant).map(({ told }) => told);
  return {
    id: last.id,
    at: new Date(last.at).toISOString(),
    cause: last.cause,
    made_with: last.made_with,
    cases: cases.length,
    right: cases.filter(({ told }) => told.right).length,
    worse: those(({ told, changed }) => changed && !told.right),
    better: those(({ told, changed }) => changed && told.right),
    wrong: those(({ told }) => !told.right),
  };
}

const DAY = 86_400_000;
/** How often is looked whether something changed, ms. */
const LOOK_EVERY = 60_000;

/** Evaluates once the program or the embedding model has changed and no vector is pending, and drops old receipts. */
export function startRecalls(deps: RecallsDeps & { clock: Clock; log: Log }): Stop {
  const { store, clock, log, world, days } = deps;
  let isLooking = false;
  const evaluateChanged = async () => {
    if (world.pending() > 0) return;
    const madeWith = world.madeWith();
    for (const account of store.read(accountsWithCases)) {
      const [last] = store.read((db) => lastEvaluations(db, account, 1));
      if (last?.made_with === madeWith) continue;
      // The first one has nothing to be held against: it is what later ones are.
      const { worse, cases, right } = await evaluate(deps, account, 'changed');
      if (worse.length > 0)
        log.warn(
          { cases, right, worse: worse.length, madeWith },
          'recalls that were right before are wrong since this change: `reverie eval` lists them',
        );
    }
  };
  const timer = clock.every(LOOK_EVERY, () => {
    try {
      store.write((db) => dropRecallsBefore(db, clock.now() - Math.max(days, 1) * DAY));
    } catch (err) {
      log.warn({ err }, 'old recalls could not be dropped; it is tried again in a minute');
    }
    if (isLooking) return;
    isLooking = true;
    void evaluateChanged()
      .catch((err: unknown) => log.warn({ err }, 'what was judged could not be evaluated; it is tried again'))
      .finally(() => {
        isLooking = false;
      });
  });
  return () => timer.stop();
}
