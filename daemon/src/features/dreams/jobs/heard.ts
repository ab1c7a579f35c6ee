import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import type { Store } from '../../../db/open-store.ts';
import type { Log } from '../../../platform/log.ts';
import type { InsightDeps } from '../deps.ts';
import { saveScore } from '../insights/insights.store.ts';
import { propose } from '../insights/proposing.service.ts';
import { contestantsOf } from '../insights/tournament.service.ts';
import type { RankedInsight } from '../insights/tournament.ts';
import type { FromThread, ToThread } from '../thread/messages.ts';
import { answeredWithout, type JobEvent } from './job-state.ts';
import { isUnderWay, keepMarks } from './kept-answers.ts';
import type { DreamRecord } from './record.ts';

export interface HeardDeps {
  store: Store;
  log: Log;
  insights: InsightDeps;
}

/** What a running dream knows beside what is written down of it. */
export interface Dreaming {
  readonly record: DreamRecord;
  /** Strategies that threw. */
  readonly broken: Strategy[];
  /** Memories that were deleted since it began: the thread may have read them before. */
  readonly gone: number[];
  /** When a step was written down last, as `performance.now` counts. */
  steppedAt: number;
  readonly isEnded: () => boolean;
}

/** What the thread says that is written down; the rest are questions. */
export type ThreadReport = Exclude<FromThread, { kind: 'generate' | 'ask' }>;

/** Proposals that are written in one transaction, and scores: requests get their turn between two. */
const SLICE = { proposals: 20, scores: 200 } as const;
/** Between two records of how far a strategy is, in ms. */
const TOLD_EVERY = 1000;
/** `steppedAt` of a dream of which no step was written down yet: so long ago that the first one is written at once. */
export const NEVER = -TOLD_EVERY;
/** The strongest proposals of a strategy that are taken; beyond it nobody reads them. */
const MOST_PROPOSALS = 1000;

/** Writes down what the thread of a dream says; answers what the thread waits for. */
export async function writeDown(
  deps: HeardDeps,
  dream: Dreaming,
  said: ThreadReport,
): Promise<ToThread | undefined> {
  const { record, broken } = dream;
  const { job } = record;
  if (dream.isEnded()) return undefined;
  switch (said.kind) {
    case 'viewed':
      record.write([said]);
      return undefined;
    case 'stepped':
      stepped(dream, said);
      return undefined;
    case 'answered':
      answered(deps, dream, said);
      return undefined;
    case 'finished':
      await finished(deps, dream, said);
      return undefined;
    case 'failed': {
      const { strategy, reason } = said;
      deps.log.error({ job: job.id, strategy, reason }, 'a strategy of a dream failed');
      broken.push(strategy);
      return undefined;
    }
    case 'dreamed':
      return { kind: 'rank', ...(await contestantsOf(deps.store, job)) };
    case 'ranked':
      await conclude(deps, dream, said.ranked);
      return undefined;
  }
}

function stepped(dream: Dreaming, said: ThreadReport & { kind: 'stepped' }): void {
  if (said.total > 0 && performance.now() - dream.steppedAt < TOLD_EVERY) return dream.record.note(said);
  dream.steppedAt = performance.now();
  dream.record.write([said]);
}

function answered(
  { store }: HeardDeps,
  { record, gone }: Dreaming,
  { marks, ...event }: ThreadReport & { kind: 'answered' },
): void {
  store.write((db) => {
    // What a model said of memories that were cleared meanwhile goes with them.
    if (!isUnderWay(db, record.job)) return record.write([{ kind: 'cleared' }], db);
    keepMarks(db, record.job, marks);
    record.write([gone.length > 0 ? answeredWithout(event, gone) : event], db);
  });
}

async function finished(
  { store, insights }: HeardDeps,
  dream: Dreaming,
  { proposals, reading, ...event }: ThreadReport & { kind: 'finished' },
): Promise<void> {
  const { record } = dream;
  const { job } = record;
  const { strategy } = event;
  const taken = { all: proposals.slice(0, MOST_PROPOSALS), size: SLICE.proposals };
  await inSlices(dream, taken, (slice) =>
    store.write((db) => {
      const made = slice.filter((proposal) => propose(db, insights, { job, proposal }).taken);
      record.write([{ kind: 'proposed', strategy, insights: made.length }], db);
    }),
  );
  if (dream.isEnded()) return;
  // How far it read memories that were cleared meanwhile says nothing.
  store.write((db) => record.write([{ ...event, ...(isUnderWay(db, job) && { reading }) }], db));
}

async function conclude(
  { store, insights }: HeardDeps,
  dream: Dreaming,
  ranked: readonly RankedInsight[],
): Promise<void> {
  const winner = ranked[0] ?? null;
  await inSlices(dream, { all: ranked, size: SLICE.scores }, (slice) =>
    store.write((db) => {
      for (const { id, score } of slice) saveScore(db, id, { score, winner: id === winner?.id });
    }),
  );
  if (!dream.isEnded()) dream.record.write([endOf(dream, { at: insights.clock.now(), winner })]);
}

/** How a dream ends that ran through: failed where a strategy did, though the others count. */
function endOf(
  { broken }: Pick<Dreaming, 'broken'>,
  ran: { at: number; winner: RankedInsight | null },
): JobEvent {
  if (broken.length === 0) return { kind: 'completed', ...ran };
  const message = `${broken.join(', ')} failed; the others did their work. The log says why.`;
  return { kind: 'failed', ...ran, error: { code: 'strategy_failed', message } };
}

/** One slice in each transaction, requests between two; ends early where the dream does. */
async function inSlices<T>(
  { isEnded }: Pick<Dreaming, 'isEnded'>,
  { all, size }: { all: readonly T[]; size: number },
  write: (slice: readonly T[]) => void,
): Promise<void> {
  for (let from = 0; from < all.length && !isEnded(); from += size) {
    write(all.slice(from, from + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
