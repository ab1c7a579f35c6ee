import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Evaluation, RecallWay, Verdict } from '@reverie/shared/contract/agents/recalls';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** A memory that was judged in a recall that had a query. */
export interface CaseRow {
  recall: string;
  memory_id: number;
  query: string;
  namespace: string;
  way: RecallWay;
  verdict: Verdict;
  /** Its score then. */
  score: number | null;
}

const JUDGED = `FROM recalled_memories m JOIN recalls r ON r.id = m.recall
  WHERE m.verdict IS NOT NULL AND r.query IS NOT NULL`;

/** The judged memories of an account in the order of their recalls; where one query found a memory several times, the last judgement. */
export function judgedCases(db: ReadDb, account: AccountId): CaseRow[] {
  return db
    .prepare<[number], CaseRow>(
      `SELECT max(r.id) AS recall, m.memory_id, r.query, r.namespace, r.way, m.verdict, m.score ${JUDGED}
         AND r.account = ? GROUP BY m.memory_id, r.namespace, r.query ORDER BY recall, m.memory_id`,
    )
    .all(account);
}

/** Accounts in which something was judged. */
export function accountsWithCases(db: ReadDb): AccountId[] {
  return db
    .prepare<[], { account: AccountId }>(`SELECT DISTINCT r.account ${JUDGED}`)
    .all()
    .map(({ account }) => account);
}

export interface EvaluationRow {
  id: string;
  at: number;
  cause: Evaluation['cause'];
  made_with: string;
}

export interface ResultRow {
  recall: string;
  memory_id: number;
  rank: number | null;
  score: number | null;
  /** Whether it would be shown again. */
  shown: 0 | 1;
}

/** Evaluations that are kept of an account: what is compared is the last two. */
const KEPT = 20;

export function insertEvaluation(
  db: WriteDb,
  account: AccountId,
  { evaluation, results }: { evaluation: EvaluationRow; results: readonly ResultRow[] },
): void {
  db.prepare<[object]>(
    `INSERT INTO recall_evaluations (id, account, at, cause, made_with)
     VALUES (@id, @account, @at, @cause, @made_with)`,
  ).run({ ...evaluation, account });
  // A memory may have been deleted while the others were looked for.
  const add = db.prepare<[object]>(
    `INSERT INTO recall_results (account, evaluation, recall, memory_id, rank, score, shown)
     SELECT account, @evaluation, recall, memory_id, @rank, @score, @shown FROM recalled_memories
     WHERE recall = @recall AND memory_id = @memory_id`,
  );
  for (const result of results) add.run({ ...result, evaluation: evaluation.id });
  db.prepare<[object]>(
    `DELETE FROM recall_evaluations WHERE account = @account AND id NOT IN
       (SELECT id FROM recall_evaluations WHERE account = @account ORDER BY id DESC LIMIT ${KEPT})`,
  ).run({ account });
}

/** The last evaluations of an account, newest first. */
export function lastEvaluations(db: ReadDb, account: AccountId, limit: number): EvaluationRow[] {
  return db
    .prepare<[number, number], EvaluationRow>(
      `SELECT id, at, cause, made_with FROM recall_evaluations WHERE account = ?
       ORDER BY id DESC LIMIT ?`,
    )
    .all(account, limit);
}

/** The results of an evaluation for memories that are still there and still judged, each with its judgement as it is now. */
export function resultsOf(db: ReadDb, evaluation: string): (CaseRow & { result: ResultRow })[] {
  return db
    .prepare<[string], CaseRow & { rank: number | null; now_score: number | null; shown: 0 | 1 }>(
      `SELECT e.recall, e.memory_id, r.query, r.namespace, r.way, m.verdict, m.score,
         e.rank, e.score AS now_score, e.shown
       FROM recall_results e JOIN recalled_memories m ON m.recall = e.recall AND m.memory_id = e.memory_id
       JOIN recalls r ON r.id = e.recall
       WHERE e.evaluation = ? AND m.verdict IS NOT NULL AND r.query IS NOT NULL ORDER BY e.recall, e.memory_id`,
    )
    .all(evaluation)
    .map(({ rank, now_score, shown, ...row }) => ({
      ...row,
      result: { recall: row.recall, memory_id: row.memory_id, rank, score: now_score, shown },
    }));
}
