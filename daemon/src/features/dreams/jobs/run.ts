import type { DreamJob } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { propose } from '../insights/proposing.service.ts';
import { rankJob } from '../insights/tournament.service.ts';
import { readNamespace } from '../reading/read-namespace.ts';
import { kindsOf } from '../reading/kinds-of.ts';
import { bitsOf, sheetSizeOf } from '../reading/sizes.ts';
import type { Proposal } from '../proposal.ts';
import type { FromThread } from '../thread/messages.ts';
import { lookThrough } from '../thread/thread.ts';
import { answerTask } from './answer-task.ts';
import type { Minds, RunDeps } from './run-deps.ts';
import { isOver, unfinished } from './job-state.ts';
import type { DreamRecord } from './record.ts';

/** One dream while it runs. */
export interface DreamRun {
  readonly id: string;
  /** Resolves when nothing more happens: it is over, or was suspended. */
  readonly ended: Promise<void>;
  /** Ends it as failed. */
  fail(error: NonNullable<DreamJob['error']>): void;
  /** Leaves the dream as running, to go on after the next start. */
  suspend(): void;
}

const BROKEN = {
  code: 'worker_failed',
  message: 'The dream could not go on. The log says why; starting it again is safe.',
} as const;

/** What stops a dream in the middle: it was cancelled, or Reverie ends. */
class Ended extends Error {}

/** What structure shows less well than a model that has read all. */
const MODELS_ALONE: ReadonlySet<Strategy> = new Set(['forecast', 'synthesize', 'summarize']);
/** Proposals that are written in one transaction: requests get their turn between two. */
const SLICE = 20;
/** The strongest proposals of a strategy that are taken; beyond it nobody reads them. */
const MOST_PROPOSALS = 500;

/**
 * Runs a dream: a thread says what structure shows and what is to be read, a model reads that sheet by sheet, and what was proposed is ranked.
 * Each step is written down before the next, so that a dream that was killed goes on with what is left.
 */
export function runDream(deps: RunDeps, record: DreamRecord): DreamRun {
  const { log, insights } = deps;
  const { job } = record;
  const abort = new AbortController();
  const isEnded = () => abort.signal.aborted || isOver(record.state());

  function fail(error: NonNullable<DreamJob['error']>): void {
    if (isEnded()) return;
    try {
      record.write([{ kind: 'failed', at: insights.clock.now(), error }]);
    } finally {
      abort.abort(new Ended());
    }
  }

  async function run(): Promise<void> {
    try {
      await dream(deps, record, abort.signal);
    } catch (err) {
      if (isEnded()) return;
      log.error({ err, job: job.id }, 'a dream broke');
      try {
        fail(BROKEN);
      } catch (cause) {
        // A full disk, say: it is still `running` there, and goes on after the next start.
        log.error({ err: cause, job: job.id }, 'the end of a dream could not be written down');
      }
    }
  }

  return { id: job.id, ended: run(), fail, suspend: () => abort.abort(new Ended()) };
}

async function dream(deps: RunDeps, record: DreamRecord, signal: AbortSignal): Promise<void> {
  const { log, insights, minds, thread } = deps;
  const { job } = record;
  await deps.settled(job.account);
  const now = job.clock ?? insights.clock.now();
  const strategies = unfinished(record.state());
  const given = minds.model(job.account, job.namespace);
  const model = given && 'model' in given ? given.model : undefined;
  const kinds = kindsOf(strategies);
  const size = model && sheetSizeOf(model, deps.sheetTokens);
  const reading = size && {
    first: bitsOf([...kinds.keys()], 'first'),
    second: bitsOf([...kinds.keys()], 'second'),
    room: size.room,
  };
  const read = new Set(kinds.values());
  const broken: Strategy[] = [];
  /** What structure shows of what a model reads for. */
  const held: { strategy: Strategy; proposals: readonly Proposal[] }[] = [];
  const finish = (strategy: Strategy, ms: number, note?: string) =>
    record.write([{ kind: 'finished', strategy, ms, note }]);

  async function hear(said: FromThread): Promise<void> {
    signal.throwIfAborted();
    switch (said.kind) {
      case 'viewed':
        return record.write([said]);
      case 'began':
        return record.write([{ kind: 'stepped', strategy: said.strategy, done: 0, total: 0, ms: 0 }]);
      case 'failed':
        log.error(
          { job: job.id, strategy: said.strategy, reason: said.reason },
          'a strategy of a dream failed',
        );
        broken.push(said.strategy);
        return;
      case 'found': {
        if (said.strategy === 'reflect') return;
        const isRead = read.has(said.strategy);
        // A model says it better, and knows what another note settles.
        if (model && isRead) return void held.push(said);
        await proposeAll(deps, record, { ...said, signal });
        finish(said.strategy, said.ms, isRead ? noteWithout(given) : undefined);
      }
    }
  }

  const work = { ...thread, account: job.account, namespace: job.namespace, strategies, now };
  const planned = await lookThrough({ ...work, reading: reading ?? null }, hear, signal);
  if (strategies.includes('reflect')) {
    const from = performance.now();
    const answer = await answerTask(deps, job);
    if ('proposal' in answer)
      await proposeAll(deps, record, { strategy: 'reflect', proposals: [answer.proposal], signal });
    finish('reflect', Math.round(performance.now() - from), 'note' in answer ? answer.note : undefined);
  }
  if (size) {
    const { isWhole, notes, ms } = await readNamespace(deps, record, { planned, kinds, size, now, signal });
    for (const one of held)
      // What is due, and what has a page, is the model's where it has read all: of what it passed over another note says that it is done.
      if (!(isWhole && MODELS_ALONE.has(one.strategy))) await proposeAll(deps, record, { ...one, signal });
    for (const [strategy, note] of notes) if (!broken.includes(strategy)) finish(strategy, ms, note);
  }
  await conclude(deps, record, { broken, signal });
}

/** Why a strategy found no more: no model reads for it. */
function noteWithout(given: ReturnType<Minds['model']>): string {
  if (given && 'withheld' in given) return `by structure alone, for no model was asked: ${given.withheld}`;
  return `by structure alone; a language model that reads the notes finds more: \`reverie models\` finds one`;
}

async function proposeAll(
  { store, insights }: RunDeps,
  record: DreamRecord,
  {
    strategy,
    proposals,
    signal,
  }: { strategy: Strategy; proposals: readonly Proposal[]; signal: AbortSignal },
): Promise<void> {
  const { job } = record;
  const taken = proposals.slice(0, MOST_PROPOSALS);
  for (let from = 0; from < taken.length; from += SLICE) {
    signal.throwIfAborted();
    store.write((db) => {
      const slice = taken.slice(from, from + SLICE);
      const made = slice.filter((proposal) => propose(db, insights, { job, proposal }).taken);
      record.write([{ kind: 'proposed', strategy, insights: made.length }], db);
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  signal.throwIfAborted();
}

/** Ranks what was proposed and ends the dream: failed where a strategy did, though the others count. */
async function conclude(
  { store, insights }: RunDeps,
  record: DreamRecord,
  { broken, signal }: { broken: readonly Strategy[]; signal: AbortSignal },
): Promise<void> {
  const winner = await rankJob(store, record.job, { hasWinner: true, signal });
  const ran = { at: insights.clock.now(), winner };
  if (broken.length === 0) return record.write([{ kind: 'completed', ...ran }]);
  const message = `${broken.join(', ')} failed; the others did their work. The log says why.`;
  record.write([{ kind: 'failed', ...ran, error: { code: 'strategy_failed', message } }]);
}
