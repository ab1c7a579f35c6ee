import type { AccountId } from '@reverie/shared/accounts/caller';
import type { DreamJob, DreamState } from '@reverie/shared/contract/dreams';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import {
  countInsights,
  countStages,
  type JobState,
  progressOf,
  readingOf,
  type StrategyRecord,
} from './job-state.ts';

/** A dream as it is stored. Times in milliseconds since 1970, UTC. */
export interface Job {
  readonly id: string;
  readonly account: AccountId;
  readonly namespace: string;
  readonly startedBy: DreamJob['trigger'];
  readonly task: string | null;
  /** The time that it dreams at; null for the real one. */
  readonly clock: number | null;
  readonly tokensBudget: number;
  readonly createdAt: number;
  readonly state: JobState;
}

interface JobRow {
  id: string;
  account: AccountId;
  namespace: string;
  status: DreamState;
  started_by: DreamJob['trigger'];
  task: string | null;
  clock: number | null;
  strategies: string;
  memories: number;
  sampled_of: number | null;
  tokens_used: number;
  tokens_budget: number;
  winner: string | null;
  error_code: string | null;
  error_message: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

const COLUMNS = `j.id, j.account, j.namespace, j.status, j.started_by, j.task, j.clock, j.strategies, j.memories, j.sampled_of, j.tokens_used,
  j.tokens_budget, j.winner, j.error_code, j.error_message, j.created_at, j.started_at, j.completed_at`;

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    account: row.account,
    namespace: row.namespace,
    startedBy: row.started_by,
    task: row.task,
    clock: row.clock,
    tokensBudget: row.tokens_budget,
    createdAt: row.created_at,
    state: {
      status: row.status,
      strategies: JSON.parse(row.strategies) as StrategyRecord[],
      memories: row.memories,
      sampledOf: row.sampled_of,
      tokensUsed: row.tokens_used,
      startedAt: row.started_at,
      completedAt: row.completed_at,
      winner: row.winner,
      error:
        row.error_code === null
          ? null
          : ({ code: row.error_code, message: row.error_message ?? '' } as NonNullable<DreamJob['error']>),
    },
  };
}

export function insertJob(db: WriteDb, job: Job): void {
  const { state } = job;
  db.prepare<unknown[]>(
    `INSERT INTO dream_jobs (id, account, namespace, status, started_by, task, clock, strategies, memories, tokens_used, tokens_budget, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    job.id,
    job.account,
    job.namespace,
    state.status,
    job.startedBy,
    job.task,
    job.clock,
    JSON.stringify(state.strategies),
    state.memories,
    state.tokensUsed,
    job.tokensBudget,
    job.createdAt,
  );
}

/** Keeps how far a dream is. */
export function saveState(db: WriteDb, id: string, state: JobState): void {
  db.prepare<unknown[]>(
    `UPDATE dream_jobs SET status = ?, strategies = ?, memories = ?, sampled_of = ?, tokens_used = ?, winner = ?, error_code = ?,
       error_message = ?, started_at = ?, completed_at = ? WHERE id = ?`,
  ).run(
    state.status,
    JSON.stringify(state.strategies),
    state.memories,
    state.sampledOf,
    state.tokensUsed,
    state.winner,
    state.error?.code ?? null,
    state.error?.message ?? null,
    state.startedAt,
    state.completedAt,
    id,
  );
}

export function findJob(db: ReadDb, account: AccountId, id: string): Job | undefined {
  const row = db
    .prepare<[number, string], JobRow>(`SELECT ${COLUMNS} FROM dream_jobs j WHERE j.account = ? AND j.id = ?`)
    .get(account, id);
  return row && toJob(row);
}

export interface JobFilter {
  account: AccountId;
  namespace: string | null;
  status: DreamState | null;
  /** Only older ones. */
  before: string | null;
  limit: number;
}

/** Dreams of an account, newest first. */
export function listJobs(db: ReadDb, filter: JobFilter): Job[] {
  return db
    .prepare<[JobFilter], JobRow>(
      `SELECT ${COLUMNS} FROM dream_jobs j WHERE j.account = @account AND (@namespace IS NULL OR j.namespace = @namespace)
         AND (@status IS NULL OR j.status = @status) AND (@before IS NULL OR j.id < @before) ORDER BY j.id DESC LIMIT @limit`,
    )
    .all(filter)
    .map(toJob);
}

/** Dreams of an account that wait or run. */
export function countOpen(db: ReadDb, account: AccountId): number {
  return (
    db
      .prepare<[number], { count: number }>(
        "SELECT count(*) AS count FROM dream_jobs WHERE status IN ('queued', 'running') AND account = ?",
      )
      .get(account)?.count ?? 0
  );
}

/** Dreams that ran when the process ended. */
export function interruptedJobs(db: ReadDb): Job[] {
  return db
    .prepare<[], JobRow>(`SELECT ${COLUMNS} FROM dream_jobs j WHERE j.status = 'running' ORDER BY j.id`)
    .all()
    .map(toJob);
}

/** The dream whose turn it is: the oldest of the account whose last one started longest ago. */
export function nextJob(db: ReadDb): Job | undefined {
  const row = db
    .prepare<[], JobRow>(
      `SELECT ${COLUMNS} FROM dream_jobs j WHERE j.status = 'queued'
       ORDER BY coalesce((SELECT max(o.started_at) FROM dream_jobs o WHERE o.account = j.account), 0), j.id LIMIT 1`,
    )
    .get();
  return row && toJob(row);
}

export interface ChangedNamespace {
  account: AccountId;
  namespace: string;
}

/** Namespaces whose memories changed since their last dream was asked for; those of sandbox accounts are left out. */
export function changedNamespaces(db: ReadDb): ChangedNamespace[] {
  return db
    .prepare<[], ChangedNamespace>(
      `SELECT n.account, n.name AS namespace FROM namespaces n JOIN accounts a ON a.id = n.account
       WHERE n.memories > 0 AND a.kind <> 'sandbox'
         AND n.updated_at > coalesce((SELECT max(j.created_at) FROM dream_jobs j WHERE j.account = n.account AND j.namespace = n.name), 0)
       ORDER BY n.account, n.name`,
    )
    .all();
}

/** Drops dreams that ended before a time and left no insight, some at once; answers how many. */
export function dropJobsBefore(db: WriteDb, before: number): number {
  return db
    .prepare<[number]>(
      `DELETE FROM dream_jobs WHERE id IN (SELECT j.id FROM dream_jobs j WHERE j.completed_at < ?
         AND NOT EXISTS (SELECT 1 FROM dream_insights i WHERE i.job_id = j.id) LIMIT 1000)`,
    )
    .run(before).changes;
}

/** A dream as the contract shows it. */
export function toDreamJob({ state, ...job }: Job): DreamJob {
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: job.id,
    status: state.status,
    stages: countStages(state),
    insights: countInsights(state),
    started_at: iso(state.startedAt),
    completed_at: iso(state.completedAt),
    namespace: job.namespace,
    created_at: new Date(job.createdAt).toISOString(),
    task: job.task,
    trigger: job.startedBy,
    strategies: state.strategies.map(progressOf),
    memories: state.memories,
    sampled: state.sampledOf === null ? null : { of: state.sampledOf, taken: state.memories },
    tokens: { used: state.tokensUsed, budget: job.tokensBudget },
    reading: readingOf(state, job.tokensBudget),
    winner: state.winner,
    error: state.error,
  };
}
