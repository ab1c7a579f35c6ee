import { join } from 'node:path';

import { z } from 'zod';

import { type Benchmark, halves, type Item, type Question } from '../benchmark.ts';
import { readJsonl } from './jsonl.ts';

const FOLDER = join(import.meta.dirname, '../own-set');

const OwnMemory = z.strictObject({
  id: z.string(),
  key: z.string(),
  value: z.string(),
  metadata: z.record(z.string(), z.string()),
  created_at: z.iso.datetime(),
});
type OwnMemory = z.infer<typeof OwnMemory>;

const OwnQuestion = z.strictObject({
  id: z.string(),
  question: z.string(),
  evidence: z.array(z.string()),
  kind: z.string(),
  half: z.enum(halves),
  now: z.iso.datetime().optional(),
});

const ProbePair = z.strictObject({ id: z.string(), question: z.string(), memory: z.string() });
export type ProbePair = z.infer<typeof ProbePair>;

/** When a question without a moment of its own is asked: after the last memory. */
const AFTER_ALL = '2026-11-20T12:00:00Z';
const UNANSWERABLE = 'unanswerable';

const itemOf = ({ key, value, metadata, created_at }: OwnMemory): Item => ({
  key,
  value,
  metadata,
  created_at,
});

/** The memories of the project's own set, in the order of the file. */
export function ownMemories(): Item[] {
  return readJsonl(join(FOLDER, 'memories.jsonl'), OwnMemory).map(itemOf);
}

/** The pairs of the paraphrase probe, in the order of the file. */
export function probePairs(): ProbePair[] {
  return readJsonl(join(FOLDER, 'paraphrase-probe.jsonl'), ProbePair);
}

/** The project's own set: one namespace, all memories, both halves' questions about them. */
export function ownSet(): Benchmark {
  const memories = readJsonl(join(FOLDER, 'memories.jsonl'), OwnMemory);
  const keyOf = new Map(memories.map(({ id, key }) => [id, key]));
  const questions = readJsonl(join(FOLDER, 'questions.jsonl'), OwnQuestion).map((read): Question => {
    const evidence = read.evidence.map((id) => {
      const key = keyOf.get(id);
      if (key === undefined) throw new Error(`${read.id} names ${id}, which is no memory`);
      return key;
    });
    const { id, kind, half, now = AFTER_ALL } = read;
    const question = { id, text: read.question, kind, half, evidence, sessions: [], now };
    return kind === UNANSWERABLE ? { ...question, unanswerable: true } : question;
  });
  return {
    name: 'own set',
    batches: [{ namespace: 'own-set', items: memories.map(itemOf), questions }],
    views: ['memories'],
    apart: [],
    without: ['paraphrase'],
  };
}

/** A few questions of each half, what answers them and some others: enough to see that everything runs. */
export function quickSet(): Benchmark {
  const full = ownSet();
  const batches = [...full.batches].map(({ namespace, items, questions }) => {
    const some = halves.flatMap((half) => {
      const ofHalf = questions.filter((question) => question.half === half);
      return [
        ...ofHalf.filter(({ unanswerable }) => !unanswerable).slice(0, 8),
        ...ofHalf.filter(({ unanswerable }) => unanswerable).slice(0, 3),
      ];
    });
    const wanted = new Set(some.flatMap(({ evidence }) => evidence));
    return {
      namespace,
      items: items.filter(({ key }, at) => wanted.has(key) || at % 40 === 0),
      questions: some,
    };
  });
  return { ...full, name: 'own set, a few questions of it', batches };
}
