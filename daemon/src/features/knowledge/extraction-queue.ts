import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { objectIn } from '../../db/json-column.ts';
import { readMeta, saveMeta } from '../../db/meta.store.ts';
import type { Store } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { msOfTimestamp } from '../../platform/timestamp.ts';
import { type BackgroundExtractor, ExtractorNotLoaded } from './background-extractor.ts';
import { FACT_RULES } from './fact-rules.ts';
import type { FactSource } from './fact.ts';
import { queueMemories, saveFacts, type WaitingMemory, waitingMemories } from './knowledge.store.ts';

export interface ExtractionDeps {
  store: Store;
  clock: Clock;
  log: Log;
  background: BackgroundExtractor;
}

/** Finds the facts of memories in the background. The queue is a table that writes fill in their own transaction. */
export interface ExtractionQueue {
  /** Call after a commit that filled the queue. */
  wake(): void;
  /** Puts all memories into the queue where other rules read them; call once, when the server listens. */
  start(): Stop;
  state(): ExtractionState;
}

/** Whether facts are being found, since when (milliseconds since 1970), and what is wrong, in plain words. */
export interface ExtractionState {
  readonly state: 'ok' | 'down';
  readonly since: number;
  readonly error: string | null;
  /** The last memories since the start on whose text it hung or broke, newest last: they have no facts. */
  readonly skipped: readonly { readonly id: number; readonly account: AccountId }[];
}

/** A process that could not be started is tried again after so long, in milliseconds: each write would start it otherwise. */
const RETRY_AFTER = 60_000;
/** Memories without facts that are remembered. */
const MOST_SKIPPED = 20;

/** Memories that are read together, and saved in one transaction. */
const SLICE = 16;
const REQUEUE_SLICE = 2000;
/** Facts wait until nobody has written for so long, in milliseconds: saving them would hold up writes. */
const QUIET = 250;
/** But no longer than this, in milliseconds, for there may always be somebody who writes. */
const PATIENCE = 1_000;
/** The process is ended when there was nothing to do for so long, in milliseconds: it holds 100 MB. */
const RESTS_AFTER = 5_000;
/** Characters of a value that are read: what a memory says of things stands at its beginning. */
const LONGEST = 16_384;
/** Where the database says which rules read its memories. */
const RULES = 'fact_rules';

export function createExtractionQueue(deps: ExtractionDeps): ExtractionQueue {
  const { store, clock, log, background } = deps;
  let state: 'waiting' | 'idle' | 'running' | 'stopped' = 'waiting';
  const isStopped = () => state === 'stopped';
  let lastWork = clock.now();
  let lastWake = -Infinity;
  let down: { since: number; error: string; retryAt: number } | undefined;
  let up = clock.now();
  let skipped: { id: number; account: AccountId }[] = [];
  const retry = (ids: ReadonlySet<number>) => {
    skipped = skipped.filter(({ id }) => !ids.has(id));
  };
  const skip = ({ id, account }: WaitingMemory) => {
    skipped.push({ id, account });
    if (skipped.length > MOST_SKIPPED) skipped.shift();
  };

  /** Lets those through who write; how fast, is no matter of the clock that tells what holds when. */
  async function standBack(): Promise<void> {
    const from = performance.now();
    for (;;) {
      const now = performance.now();
      const wait = Math.min(lastWake + QUIET, from + PATIENCE) - now;
      if (wait <= 0 || isStopped()) return;
      await pause(Math.min(wait, 50));
    }
  }

  async function run(): Promise<void> {
    if (state !== 'idle' || clock.now() < (down?.retryAt ?? -Infinity)) return;
    state = 'running';
    try {
      for (let read = 1; read > 0 && !isStopped();) {
        // Not in the write that asked for it: its reply goes out first.
        await standBack();
        read = isStopped() ? 0 : await readSlice(deps, { isStopped, skip, retry });
        if (read > 0 && down) {
          up = clock.now();
          down = undefined;
        }
      }
    } catch (err) {
      if (err instanceof ExtractorNotLoaded && !isStopped()) {
        const since = down?.since ?? clock.now();
        down = { since, error: err.message, retryAt: clock.now() + RETRY_AFTER };
        log.warn({ err }, 'the process that finds facts does not start; it is tried again in a minute');
        return;
      }
      // A full disk, say: the memories stay in the queue, and the next write or start tries again.
      if (!isStopped()) log.warn({ err }, 'facts could not be kept; it is tried again at the next write');
    } finally {
      lastWork = clock.now();
      if (!isStopped()) state = 'idle';
    }
  }

  return {
    wake() {
      lastWake = performance.now();
      void run();
    },
    start() {
      state = 'idle';
      // The process is kept for a while: a person writes more than one memory at a time.
      const timer = clock.every(RESTS_AFTER, () => {
        if (state === 'idle' && clock.now() - lastWork >= RESTS_AFTER) background.rest();
        if (down) void run();
      });
      void adoptRules(store, isStopped)
        .then(run)
        .catch((err: unknown) => log.warn({ err }, 'memories that older rules read could not be queued'));
      return () => {
        state = 'stopped';
        timer.stop();
        background.rest();
      };
    },
    state: () => ({
      ...(down
        ? { state: 'down', since: down.since, error: down.error }
        : { state: 'ok', since: up, error: null }),
      skipped,
    }),
  };
}

/** Lets other requests through between two slices. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function adoptRules(store: Store, isStopped: () => boolean): Promise<void> {
  await turn();
  let after: number | null = 0;
  while (!isStopped() && after !== null && store.read((db) => readMeta(db, RULES)) !== FACT_RULES) {
    const from: number = after;
    after = store.write((db) => {
      const last = queueMemories(db, from, REQUEUE_SLICE);
      if (last === null) saveMeta(db, RULES, FACT_RULES);
      return last;
    });
    await turn();
  }
}

/** What reading asks and tells the queue. */
interface Watch {
  isStopped: () => boolean;
  /** Told of a memory that cannot be read. */
  skip: (memory: WaitingMemory) => void;
  /** Told of memories that are read, perhaps again: what broke on their older text is over. */
  retry: (ids: ReadonlySet<number>) => void;
  /** Set where reading has failed before: where all of Reverie stood still, as with Ctrl+Z, no text is to blame. */
  isAgain?: true;
}

/** Finds the facts of some waiting memories; answers how many were looked at. */
async function readSlice(deps: ExtractionDeps, watch: Watch): Promise<number> {
  const { store } = deps;
  const waiting = store.read((db) => waitingMemories(db, SLICE, LONGEST));
  if (waiting.length === 0) return 0;
  watch.retry(new Set(waiting.map(({ id }) => id)));
  const facts = await factsOfEach(deps, waiting, watch);
  if (watch.isStopped()) return 0;
  // A power cut may take the last facts, and then they are still in the queue.
  store.writeRepeatable((db) => {
    for (const [index, memory] of waiting.entries())
      saveFacts(db, memory, { observedAt: sourceOf(memory).observedAt, facts: facts[index] ?? [] });
  });
  return waiting.length;
}

type Facts = Awaited<ReturnType<BackgroundExtractor['extract']>>;

/** The facts of each memory; a batch that fails is read one by one, so that only the memory that broke it has none. */
async function factsOfEach(
  deps: ExtractionDeps,
  waiting: readonly WaitingMemory[],
  watch: Watch,
): Promise<Facts> {
  const { background, log } = deps;
  let facts: Facts;
  try {
    facts = await background.extract(waiting.map(sourceOf));
  } catch (cause) {
    if (watch.isStopped()) return [];
    if (cause instanceof ExtractorNotLoaded) throw cause;
    if (waiting.length > 1 || !watch.isAgain) {
      const each: Facts = [];
      for (const memory of waiting)
        each.push(
          ...(watch.isStopped() ? [] : await factsOfEach(deps, [memory], { ...watch, isAgain: true })),
        );
      return each;
    }
    log.warn({ err: cause, memory: waiting[0]?.id }, 'a memory has no facts: reading it failed');
    waiting.forEach(watch.skip);
    return [[]];
  }
  for (const [index, memory] of waiting.entries())
    if (facts[index] === null) {
      log.warn({ memory: memory.id }, 'a memory has no facts: its text made a rule fail');
      watch.skip(memory);
    }
  return facts;
}

function sourceOf({ key, value, metadata, updated_at }: WaitingMemory): FactSource {
  const parsed = objectIn(metadata);
  return { key, value, metadata: parsed, observedAt: msOfTimestamp(parsed['timestamp']) ?? updated_at };
}
