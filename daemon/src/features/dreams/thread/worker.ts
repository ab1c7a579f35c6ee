import { parentPort, workerData } from 'node:worker_threads';
import type { Strategy as StrategyName } from '@reverie/shared/contract/dream-strategies';
import { z } from 'zod';
import { type LanguageModel, ModelFailure, type Prompt } from '../../../models/language-model.ts';
import { createJudge, type JudgedProposals, type OpenedStrategy } from '../reader/judge.ts';
import { isJudged } from '../reader/prompts.ts';
import { createLeftOut, type LeftOut } from './left-out.ts';
import type { FromThread, ThreadReply, ToThread, DreamWork } from './messages.ts';
import { findStrategy } from '../strategies/index.ts';
import type { CitedAnswer, StrategyContext } from '../strategies/strategy.ts';
import { rank } from '../insights/tournament.ts';
import { hasFingerprint } from '../insights/fingerprints.store.ts';
import { openReader } from './view.store.ts';
import { openView } from './view.ts';
import { standBack } from './yielding.ts';

// The thread of one dream: strategies in order over one view, everything told by message; it never writes. After them it holds the tournament.
const work = workerData as DreamWork;
const flag = new Int32Array(work.cancelled);
const cancelled = () => Atomics.load(flag, 0) !== 0;
const say = (message: FromThread) => parentPort?.postMessage(message);

/** Between two messages about one strategy, in ms. */
const SAY_EVERY = 100;

let tokensLeft = work.tokensLeft;
let lastId = 0;
const waiting = new Map<number, (reply: ThreadReply) => void>();
parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'rank') {
    say({ kind: 'ranked', ranked: rank(message.contestants, message.accepted) });
    // Else the port would keep the thread for ever.
    parentPort?.close();
    return;
  }
  if (message.kind !== 'asked') tokensLeft = message.tokensLeft;
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
});

type Question = FromThread & { kind: 'generate' | 'ask' };

function call(make: (id: number) => Question): Promise<ThreadReply> {
  const id = (lastId += 1);
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    say(make(id));
  });
}

const model: LanguageModel | undefined =
  work.model === null
    ? undefined
    : {
        model: work.model,
        async generate<T>({ schema, ...question }: Prompt<T>) {
          const reply = await call((id) => ({
            kind: 'generate',
            id,
            system: question.system,
            prompt: question.prompt,
            maxTokens: question.maxTokens,
            notes: question.notes,
            schema: z.toJSONSchema(schema),
          }));
          if (reply.kind === 'refused') throw new ModelFailure(reply.failure, reply.message);
          if (reply.kind !== 'generated') throw new ModelFailure('garbage', 'another answer came');
          const parsed = schema.safeParse(reply.value);
          if (!parsed.success)
            throw new ModelFailure('garbage', 'the answer has another shape', parsed.error);
          return { value: parsed.data, tokens: reply.tokens };
        },
      };

async function ask(question: string): Promise<CitedAnswer> {
  const reply = await call((id) => ({ kind: 'ask', id, question }));
  if (reply.kind !== 'asked')
    throw new Error(reply.kind === 'refused' ? reply.message : 'another answer came');
  return reply.asked;
}

/** How long a strategy has run: it waits while others have their turn. */
interface Stopwatch {
  ms(): number;
  start(): void;
  stop(): void;
}

/** What a strategy has beside its context while it runs. */
interface Running {
  readonly watch: Stopwatch;
  readonly left: LeftOut;
}

function stopwatch(): Stopwatch {
  let [before, since] = [0, performance.now()];
  let isRunning = true;
  const ms = () => before + (isRunning ? performance.now() - since : 0);
  return {
    ms: () => Math.round(ms()),
    start() {
      [before, since, isRunning] = [ms(), performance.now(), true];
    },
    stop() {
      [before, isRunning] = [ms(), false];
    },
  };
}

function contextOf(name: StrategyName, { watch, left }: Running): StrategyContext {
  let said = performance.now();
  return {
    ...(name === 'reflect' && work.task !== null && { task: work.task }),
    ask: work.canAsk ? ask : undefined,
    model,
    budget: { left: () => tokensLeft },
    cancelled,
    leaves: left.say,
    progress(done, total) {
      if (performance.now() - said < SAY_EVERY) return;
      said = performance.now();
      const ms = watch.ms();
      say({ kind: 'stepped', strategy: name, done: Math.floor(done), total: Math.ceil(total), ms });
    },
  };
}

/** Says why a model that is configured was not asked, where one would have been. */
function withheldFrom(name: StrategyName): Pick<JudgedProposals, 'note'> {
  return work.withheld !== null && isJudged(name) ? { note: `no model was asked: ${work.withheld}` } : {};
}

/** A strategy that fails does not keep the others from dreaming. */
async function attempt(strategy: StrategyName, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    const reason = cause instanceof Error ? String(cause.stack) : String(cause);
    say({ kind: 'failed', strategy, reason });
  }
}

async function dream(): Promise<void> {
  standBack();
  const { db, close } = openReader(work.database);
  const { view, of } = openView({ ...work, db, isStopped: cancelled });
  const judge = createJudge(work.strategies, {
    known: (mark) => hasFingerprint(db, work, Buffer.from(mark, 'hex')),
    answered: (strategy) => work.answered[strategy],
    keep: (strategy, kept) => say({ kind: 'answered', strategy, ...kept }),
  });
  say({ kind: 'viewed', memories: view.memories().length, of });
  const opened: (OpenedStrategy & Running)[] = [];
  const finish = (name: StrategyName, { watch, left }: Running, judged: JudgedProposals) => {
    const note = left.with(judged.note);
    const pairs = left.pairs();
    say({
      ...{ kind: 'finished', strategy: name, ms: watch.ms(), ...judged },
      ...(note !== undefined && { note }),
      ...(pairs > 0 && { left: pairs }),
    });
  };
  for (const name of work.strategies) {
    if (cancelled()) break;
    const run = { watch: stopwatch(), left: createLeftOut() };
    say({ kind: 'stepped', strategy: name, done: 0, total: 0, ms: 0 });
    await attempt(name, async () => {
      const strategy = findStrategy(name);
      const context = contextOf(name, run);
      const found = (await strategy?.run(view, context)) ?? [];
      const one = await judge.open(found, { strategy: strategy ?? { name }, view, context });
      run.watch.stop();
      if (one.asked) opened.push({ ...one, ...run });
      else finish(name, run, { proposals: found, ...withheldFrom(name) });
    });
  }
  for (const one of judge.inOrder(opened)) {
    if (cancelled()) break;
    one.watch.start();
    await attempt(one.strategy.name, async () => finish(one.strategy.name, one, await judge.conclude(one)));
  }
  close();
  say({ kind: 'dreamed' });
}

await dream();
