import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { syntheticCorpus } from '../latency/corpus.ts';
import { type Spread, spread } from '../latency/statistics.ts';
import type { Call } from '../latency/daemon.ts';
import { readJsonl } from '../retrieval/sets/jsonl.ts';
import type { Imported } from './dreaming.ts';

const DAY = 86_400_000;

/** Memories of three kinds (short real sentences, a person's own set, and texts of words in a Zipf distribution), over two years. */
export function largeNamespace(count: number, end: number): { memories: Imported[]; queries: string[] } {
  const bench = join(import.meta.dirname, '..');
  const sentences = ['retrieval/filler.jsonl', 'calibration/haystack.jsonl']
    .flatMap((file) => readJsonl(join(bench, file), z.object({ m: z.string() })))
    .map(({ m }, n) => ({ key: `sentence-${n}`, value: m }));
  const own = readJsonl(
    join(bench, 'retrieval/own-set/memories.jsonl'),
    z.object({ key: z.string(), value: z.string() }),
  );
  const { items, queries } = syntheticCorpus(Math.max(0, count - sentences.length - own.length));
  const all = [...sentences, ...own.map(({ key, value }) => ({ key: `own-${key}`, value })), ...items].slice(
    0,
    count,
  );
  return {
    memories: all.map((item, n) => ({
      ...item,
      // Mixed, so that what is near in time is not of one kind.
      created_at: new Date(end - ((n * 7919) % count) * ((730 * DAY) / count) - DAY).toISOString(),
    })),
    queries: queries.map(({ text }) => text),
  };
}

/** What searches took: as the server says, and how long its main thread ran for each, which other programs do not lengthen. */
export interface Searched {
  server: Spread;
  cpu: Spread;
  /** How long its main thread waited for a core, which the threads of a dream lengthen, and other programs, too. */
  wait: Spread;
}

/** Each search of some rounds, in ms. */
export interface Rounds {
  server: number[];
  cpu: number[];
  wait: number[];
}

export const noRounds = (): Rounds => ({ server: [], cpu: [], wait: [] });

export function searchedIn({ server, cpu, wait }: Rounds): Searched {
  return { server: spread(server), cpu: spread(cpu), wait: spread(wait) };
}

/** Seconds that the threads of a process beside its main one ran since the watch began: the dream, mostly (Linux; else NaN). */
export function watchThreads(pid: number): { look: () => void; seconds: () => number } {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  const look = (isFirst = false): void => {
    for (const thread of threadsOf(pid)) {
      const ran = ranOf(pid, thread);
      if (isFirst) first.set(thread, ran);
      // A thread that has ended is not there any more: what it took until the last look counts.
      last.set(thread, Math.max(ran, last.get(thread) ?? 0));
    }
  };
  look(true);
  return {
    look: () => look(),
    seconds: () =>
      [...last].reduce(
        (sum, [thread, ran]) => sum + ran - (first.get(thread) ?? 0),
        last.size === 0 ? Number.NaN : 0,
      ),
  };
}

function threadsOf(pid: number): string[] {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).filter((thread) => thread !== String(pid));
  } catch {
    return [];
  }
}

/** Seconds that a thread ran in all; 0 where it has just ended. */
function ranOf(pid: number, thread: string): number {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

/** Searches one after another, with a rest between, until `isOver` says so; it is asked after each. What they took is added to the rounds. */
export async function searchUntil(
  call: Call,
  queries: readonly string[],
  { rounds, isOver }: { rounds: Rounds; isOver: (asked: number) => boolean | Promise<boolean> },
): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    const { serverMs, cpuMs, waitMs } = await call('/memory-search', {
      query: queries[asked % queries.length] ?? 'nothing',
    });
    rounds.server.push(serverMs);
    rounds.cpu.push(cpuMs);
    rounds.wait.push(waitMs);
    if (await isOver(asked + 1)) return;
    await pause(20);
  }
}
