import { join } from 'node:path';

import { z } from 'zod';

import { randomFrom } from '../latency/corpus.ts';
import type { Benchmark, Item, Question } from './benchmark.ts';
import { readJsonl } from './sets/jsonl.ts';
import { ownMemories, probePairs } from './sets/own-set.ts';

const Filler = z.object({ m: z.string() });

/** Memories that the pairs are hidden among. */
export const OTHERS = 5_000;

/** Memories of strangers, in the same style as the probe's. */
function filler(): string[] {
  const files = ['filler.jsonl', '../calibration/haystack.jsonl'];
  return files.flatMap((file) => readJsonl(join(import.meta.dirname, file), Filler).map(({ m }) => m));
}

/**
 * The paraphrase probe: 200 short facts, each asked for in words of other stems, hidden among 5,000 other memories. The order is
 * shuffled with a seed, and keys say nothing.
 */
export function paraphraseProbe(pairs = probePairs(), others = OTHERS): Benchmark {
  const own = ownMemories().slice(0, others);
  const strange = filler().slice(0, others - own.length);
  if (own.length + strange.length < others)
    throw new Error(`There are ${own.length + strange.length} other memories, not ${others}`);
  const texts = shuffled([...strange, ...pairs.map(({ memory }) => memory)]);
  const items = texts.map((value, at): Item => ({ key: `${at + 1}`, value, metadata: {} }));
  const keyOf = new Map(items.map(({ key, value }) => [value, key]));
  const questions = pairs.map(({ id, question, memory }): Question => ({
    id,
    text: question,
    kind: 'probe',
    evidence: [keyOf.get(memory) ?? ''],
    sessions: [],
  }));
  return {
    name: `paraphrase probe, ${pairs.length} pairs among ${others} others`,
    batches: [{ namespace: 'probe', items: [...own, ...items], questions }],
    views: ['memories'],
    apart: [],
    without: [],
  };
}

/** Fisher–Yates, the same in every run. */
function shuffled<T>(values: readonly T[]): T[] {
  const random = randomFrom(200);
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [mixed[last], mixed[other]];
    if (a !== undefined && b !== undefined) [mixed[last], mixed[other]] = [b, a];
  }
  return mixed;
}
