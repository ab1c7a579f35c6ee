import type { AccountId } from '@reverie/shared/accounts/caller';
import type { EvaluatedCase, Evaluation } from '@reverie/shared/contract/recalls';
import { WEAKER } from '@reverie/shared/contract/search';
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

/** Looks again for all that was judged, and keeps what came of it. */
export async function evaluate(
  deps: RecallsDeps,
  account: AccountId,
  cause: Evaluation['cause'],
): Promise<Evaluation> {
  const { store, clock, world } = deps;
  const cases = store.read((db) => judgedCases(db, account));
  const made_with = world.madeWith();
  const results: ResultRow[] = [];
  for (const one of cases) {
    const found = await world.look(account, { ...one, limit: LOOKED_AT });
    results.push(resultOf(one, found, world.hookLine));
  }
  const at = clock.now();
  const evaluation: EvaluationRow = {
    ...{ id: `evl_${newUlid(at)}`, at, cause, made_with, cases: cases.length },
    right: results.filter(({ right }) => right === 1).length,
  };
  store.write((db) => insertEvaluation(db, account, { evaluation, results }));
  return shown(deps, account).last ?? unreachable();
}

function unreachable(): never {
  throw new Error('the evaluation that was just kept is not there');
}

/** What helped has to be shown again, and what misled must not be. */
function resultOf(
  { recall, memory_id, way, verdict, score: then }: CaseRow,
  found: readonly { id: number; score: number }[],
  hookLine: number,
): ResultRow {
  const at = found.findIndex(({ id }) => id === memory_id);
  const score = found[at]?.score ?? null;
  // What stood below the line when it helped does not have to be above it now.
  const line = way === 'prompt' ? hookLine : Math.min(WEAKER, then ?? WEAKER);
  const isShown = score !== null && at < SHOWN && score >= line;
  return {
    ...{ recall, memory_id, score, rank: at < 0 ? null : at + 1 },
    right: isShown === (verdict === 'helped') ? 1 : 0,
  };
}

/** The last evaluation of an account beside the one before it, and how many cases there are now. */
export function shown(
  { store, world }: Pick<RecallsDeps, 'store' | 'world'>,
  account: AccountId,
): { cases: number; last: Evaluation | null } {
  return store.read((db) => {
    const cases = judgedCases(db, account).length;
    const [last, before] = lastEvaluations(db, account, 2);
    if (!last) return { cases, last: null };
    const rows = resultsOf(db, last.id);
    const earlier = new Map(
      (before ? resultsOf(db, before.id) : []).map((row) => [`${row.recall} ${row.memory_id}`, row.result]),
    );
    const byId = world.byId(
      account,
      rows.map(({ memory_id }) => memory_id),
    );
    const evaluated = rows.flatMap((row): (EvaluatedCase & { was: boolean | undefined })[] => {
      const memory = byId.get(row.memory_id);
      const old = earlier.get(`${row.recall} ${row.memory_id}`);
      if (!memory) return [];
      const { recall, query, namespace, way, verdict, result } = row;
      return [
        {
          ...{ recall, query, way, verdict, key: memory.key, title: memory.title },
          namespace: namespace === '*' ? memory.namespace : namespace,
          right: result.right === 1,
          now: { rank: result.rank, score: result.score },
          before: old ? { rank: old.rank, score: old.score } : null,
          was: old && old.right === 1,
        },
      ];
    });
    const those = (isMeant: (one: (typeof evaluated)[number]) => boolean): EvaluatedCase[] =>
      evaluated.filter(isMeant).map(({ was: _, ...one }) => one);
    return {
      cases,
      last: {
        ...last,
        at: new Date(last.at).toISOString(),
        worse: those(({ was, right }) => was === true && !right),
        better: those(({ was, right }) => was === false && right),
        wrong: those(({ right }) => !right),
      },
    };
  });
}

const DAY = 86_400_000;
/** How often is looked whether something changed, ms. */
const LOOK_EVERY = 60_000;

/** Evaluates where the program or the model of the vectors is another one and all vectors are there, and drops old receipts. */
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
