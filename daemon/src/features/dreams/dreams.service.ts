import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type * as contract from '@reverie/shared/contract/dreams/dreams';
import type { DreamJob } from '@reverie/shared/contract/dreams/dreams';
import type { StrategyName } from '@reverie/shared/contract/dreams/dream-strategies';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Dreamer } from './jobs/dreamer.ts';
import type { Hold } from './jobs/hold.ts';
import { newJob } from './jobs/job-state.ts';
import { countOpen, findJob, insertJob, jobOf, listJobs, toDreamJob } from './jobs/jobs.store.ts';
import { resolveStrategies } from './strategy-names.ts';

export interface DreamDeps {
  store: Store;
  clock: Clock;
  dreamer: Dreamer;
  hold: Hold;
  settings: {
    budgetTokens: number;
    isSandbox: (account: AccountId) => boolean;
    isMachine: (account: AccountId) => boolean;
    /** Counts what an account holds; throws `storage_exceeded` where it may hold no more. */
    makeRoom: (db: WriteDb, account: AccountId, bytes: number) => void;
  };
}

/** Dreams of one account that may wait or run: far more than anybody means to start. */
const MOST_OPEN = 100;

export interface DreamRequest {
  namespace: string;
  strategies?: readonly StrategyName[] | undefined;
  task?: string | undefined;
  /** Milliseconds since 1970; the time to dream at. */
  clock?: number | undefined;
  startedBy: DreamJob['trigger'];
}

/** Puts a dream into the queue. Throws `conflict` for a second one of the sandbox, `quota_exceeded` for too many. */
export function startDream(
  { store, clock, dreamer, settings }: DreamDeps,
  account: AccountId,
  asked: DreamRequest,
): DreamJob {
  const { namespace, startedBy, task = null, clock: at = null } = asked;
  const job = jobOf({
    account,
    namespace,
    startedBy,
    task,
    clock: at,
    tokensBudget: settings.budgetTokens,
    createdAt: clock.now(),
    state: newJob(resolveStrategies(asked.strategies)),
  });
  store.write((db) => {
    const open = countOpen(db, account);
    if (open > 0 && settings.isSandbox(account))
      throw new Problem(
        'conflict',
        'The sandbox runs one dream at a time; wait until it is over, or cancel it',
      );
    if (open >= MOST_OPEN)
      throw new Problem(
        'quota_exceeded',
        `${open} dreams wait or run already; wait for one to end, or cancel some`,
      );
    insertJob(db, job);
    // Jobs are kept for a year, so what they were asked counts like a memory; what is held may be measured with it.
    settings.makeRoom(db, account, Buffer.byteLength(asked.task ?? ''));
    db.afterCommit(dreamer.wake);
  });
  return toDreamJob(job);
}

/** How far a dream is. Throws `dream_not_found`. */
export function dreamStatus({ store }: Pick<DreamDeps, 'store'>, account: AccountId, id: string): DreamJob {
  const job = store.read((db) => findJob(db, account, id));
  if (!job) throw new Problem('dream_not_found', `There is no dream ${JSON.stringify(id)}`);
  return toDreamJob(job);
}

/** A page of an account's dreams, newest first. */
export function listDreams(
  { store }: Pick<DreamDeps, 'store'>,
  { account, within }: Pick<Caller, 'account' | 'within'>,
  { namespace, status, limit, cursor }: Parsed<typeof contract.listDreams>['query'],
): { jobs: DreamJob[]; next: string | null } {
  const found = store.read((db) =>
    listJobs(db, {
      account,
      within,
      namespace: namespace ?? null,
      status: status ?? null,
      before: cursor ?? null,
      limit,
    }),
  );
  const jobs = found.map(toDreamJob);
  return { jobs, next: jobs.length === limit ? (jobs.at(-1)?.id ?? null) : null };
}

/** Ends a dream. Throws `dream_not_found`, and `conflict` where it is over already. */
export function cancelDream(deps: DreamDeps, account: AccountId, id: string): DreamJob {
  const job = dreamStatus(deps, account, id);
  if (job.error?.code === 'cancelled') return job;
  if (job.status === 'complete' || job.status === 'failed')
    throw new Problem('conflict', `The dream is over already: it is ${job.status}`);
  deps.dreamer.cancel(account, id);
  return dreamStatus(deps, account, id);
}
