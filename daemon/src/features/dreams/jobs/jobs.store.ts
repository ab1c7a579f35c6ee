import type { AccountId } from '@reverie/shared/accounts/caller';
import type { DreamJob, DreamState } from '@reverie/shared/contract/dreams/dreams';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { newUlid } from '../../../platform/ids.ts';
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

type Asked = Pick<Job, 'account' | 'namespace' | 'startedBy' | 'createdAt' | 'state'>;

/** A dream with an id of its own, and what was asked of it. */
export function jobOf(asked: Asked & Partial<Pick<Job, 'task' | 'clock' | 'tokensBudget'>>): Job {
  return { task: null, clock: null, tokensBudget: 0, ...asked, id: `dream_${newUlid(asked.createdAt)}` };
}

/** A row as it stands in the table, under the names that it has here; `strategies` as JSON. */
interface JobRow extends Omit<Job, 'state' | 'startedBy'>, Omit<JobState, 'strategies' | 'error'> {
  readonly startedBy: Exclude<Job['startedBy'], 'agent'>;
  /** 1 where an agent began it, whatever `startedBy` says: that column knows the other two alone. */
  readonly byAgent: 0 | 1;
  readonly strategies: string;
  readonly errorCode: NonNullable<DreamJob['error']>['code'] | null;
  readonly errorMessage: string | null;
}

const NAMES: readonly (keyof JobRow)[] = [
  ...([
    'id',
    'account',
    'namespace',
    'startedBy',
    'byAgent',
    'task',
    'clock',
    'tokensBudget',
    'createdAt',
    'status',
  ] as const),
  ...(['strategies', 'memories', 'sampledOf', 'tokensUsed', 'winner', 'errorCode', 'errorMessage'] as const),
  ...(['startedAt', 'completedAt'] as const),
];
/** `startedBy` is `started_by` in the table. */
const COLUMN = Object.fromEntries(
  NAMES.map((name) => [name, name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)]),
);
const listed = (each: (name: string, column: string) => string): string =>
  NAMES.map((name) => each(name, COLUMN[name] ?? name)).join(', ');
const COLUMNS = listed((name, column) => `j.${column} AS ${name}`);

function toJob({ errorCode, errorMessage, ...row }: JobRow): Job {
  const { id, account, namespace, task, clock, tokensBudget, createdAt, ...told } = row;
  const { byAgent, startedBy: asked, ...state } = told;
  const startedBy = byAgent === 1 ? 'agent' : asked;
  return {
    id,
    account,
    namespace,
    startedBy,
    task,
    clock,
    tokensBudget,
    createdAt,
    state: {
      ...state,
      strategies: (JSON.parse(row.strategies) as StoredStrategy[]).map(withoutAnswers),
      error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    },
  };
}

/** A strategy as it was stored when dreams kept a model's answers between two sheets (version 30 of the database and earlier). */
type StoredStrategy = StrategyRecord & {
  answered?: unknown;
  left?: unknown;
  reading?: StrategyRecord['reading'] | Record<string, number>;
};

function withoutAnswers({ answered: _, left: __, reading, ...record }: StoredStrategy): StrategyRecord {
  return reading && 'tokensLeft' in reading ? { ...record, reading } : record;
}

function toRow({ state: { strategies, error, ...state }, ...job }: Job): JobRow {
  return {
    ...job,
    startedBy: job.startedBy === 'agent' ? 'request' : job.startedBy,
    byAgent: job.startedBy === 'agent' ? 1 : 0,
    ...state,
    strategies: JSON.stringify(strategies),
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
  };
}

export function insertJob(db: WriteDb, job: Job): void {
  db.prepare<[JobRow]>(
    `INSERT INTO dream_jobs (${listed((_, column) => column)}) VALUES (${listed((name) => `@${name}`)})`,
  ).run(toRow(job));
}

/** Keeps how far a dream is; answers false, and keeps nothing, where it was deleted with its account. */
export function saveJob(db: WriteDb, job: Job): boolean {
  const set = listed((name, column) => `${column} = @${name}`);
  return db.prepare<[JobRow]>(`UPDATE dream_jobs SET ${set} WHERE id = @id`).run(toRow(job)).changes > 0;
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
  /** Patterns of namespaces as JSON; null for all. */
  within: string | null;
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
         AND (@within IS NULL OR has_namespace(@within, j.namespace)) AND (@status IS NULL OR j.status = @status) AND (@before IS NULL OR j.id < @before) ORDER BY j.id DESC LIMIT @limit`,
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

/** The dream whose turn it is: one that ran when the process ended, else the oldest of the account whose last one started longest ago. */
export function nextJob(db: ReadDb): Job | undefined {
  const row = db
    .prepare<[], JobRow>(
      `SELECT ${COLUMNS} FROM dream_jobs j WHERE j.status IN ('queued', 'running') ORDER BY j.status = 'queued', CASE j.status
         WHEN 'queued' THEN coalesce((SELECT max(o.started_at) FROM dream_jobs o WHERE o.account = j.account), 0) END, j.id LIMIT 1`,
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
         AND n.updated_at > coalesce((SELECT max(j.created_at) FROM dream_jobs j WHERE j.account = n.account AND j.namespace = n.name AND j.by_agent = 0), 0)
       ORDER BY n.account, n.name`,
    )
    .all();
}

/** Drops dreams that ended before a time and left no insight, at most 1,000 a call; answers how many. */
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
