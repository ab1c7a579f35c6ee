import { readingOf, type Reading, type ReadMemory } from './reading.ts';
import type { Proposal, RecallView, Strategy } from './strategy.ts';
import { firstSentence, longDate, shorten } from './telling.ts';

/** How much each part of importance counts (research/memory-systems.md, section 5; measured there by OpenClaw). */
const WEIGHTS = {
  relevance: 0.3,
  frequency: 0.24,
  queries: 0.15,
  recency: 0.15,
  days: 0.1,
  richness: 0.06,
} as const;
const DAY = 86_400_000;
/** Younger memories are not archived, however little they were asked for. */
const OLD = 180 * DAY;
const HALF_LIFE = 60 * DAY;
const SHOWN = 10;
/** Of the most that richness counts: three telling words and fewer. */
const POOR = 0.4;

interface Weighed {
  readonly of: ReadMemory;
  readonly recall: RecallView | undefined;
  readonly importance: number;
}

/** Weighs memories by how they were recalled: what to keep at hand, and what might be archived. Silent where nothing was ever recalled. */
export const sleep: Strategy = {
  name: 'sleep',
  run(view, { progress, cancelled }) {
    const recalls = new Map(view.recalls().map((recall) => [recall.memoryId, recall]));
    if (recalls.size === 0 || cancelled()) return [];
    const reading = readingOf(view);
    const most = Math.max(1, ...[...recalls.values()].map(({ count }) => count));
    const weighed = reading.memories
      .map((of): Weighed => {
        const recall = recalls.get(of.memory.id);
        return { of, recall, importance: importanceOf({ of, recall }, { reading, most, now: view.now }) };
      })
      .sort((a, b) => b.importance - a.importance || a.of.memory.id - b.of.memory.id);
    progress(1, 1);
    return [atHand(weighed), toArchive(weighed, view.now)].filter((proposal) => proposal !== undefined);
  },
};

/** 0..1; `relevance` is how many different queries a recall answered, `richness` how many telling words it has. */
export function importanceOf(
  { of, recall }: { of: ReadMemory; recall: RecallView | undefined },
  { reading, most, now }: { reading: Reading; most: number; now: number },
): number {
  const rich = [...of.terms].filter(
    (term) => reading.frequency(term) <= Math.max(3, reading.memories.length * 0.02),
  ).length;
  const richness = WEIGHTS.richness * Math.min(1, rich / 8);
  if (!recall) return richness;
  return (
    WEIGHTS.relevance * Math.min(1, recall.count / 5) +
    WEIGHTS.frequency * (Math.log1p(recall.count) / Math.log1p(most)) +
    WEIGHTS.queries * Math.min(1, recall.queries / 5) +
    WEIGHTS.recency * 0.5 ** (Math.max(0, now - recall.lastAt) / HALF_LIFE) +
    WEIGHTS.days * Math.min(1, recall.days / 5) +
    richness
  );
}

function atHand(weighed: readonly Weighed[]): Proposal | undefined {
  const best = weighed
    .filter(({ recall, importance }) => recall && recall.count >= 3 && recall.days >= 2 && importance >= 0.5)
    .slice(0, SHOWN);
  if (best.length < 3) return undefined;
  return {
    strategy: 'sleep',
    title: `Keep at hand: the ${best.length} memories that were asked for most`,
    body: best
      .map(
        ({ of, recall }) =>
          `- "${of.memory.key}": recalled ${recall?.count ?? 0} times on ${recall?.days ?? 0} days, last on ${longDate(recall?.lastAt ?? 0)}`,
      )
      .join('\n'),
    evidence: best.map(({ of }) => ({ key: of.memory.key, sentence: firstSentence(of) })),
    confidence: 0.7,
    content: 'keep at hand',
  };
}

/** Notes that nobody asked for in half a year and that say little; never errors, skills, or what names a date to come. */
function toArchive(weighed: readonly Weighed[], now: number): Proposal | undefined {
  const idle = weighed
    .filter(
      ({ of: { memory }, recall, importance }) =>
        !recall &&
        memory.class === 'note' &&
        now - memory.updatedAt > OLD &&
        importance <= POOR * WEIGHTS.richness,
    )
    .slice(-SHOWN)
    .reverse();
  if (idle.length < 3) return undefined;
  const [first] = idle;
  return {
    strategy: 'sleep',
    title: shorten(`Archive ${idle.length} memories that nobody asked for in half a year?`, 200),
    body: `None of them was recalled in the last 180 days, and each says little by itself (the first: "${first?.of.memory.key ?? ''}"). Archived memories are kept, and found where one asks for them.`,
    evidence: idle.map(({ of }) => ({ key: of.memory.key, sentence: firstSentence(of) })),
    confidence: 0.5,
    change: { kind: 'archive', keys: idle.map(({ of }) => of.memory.key) },
    content: 'archive',
  };
}
