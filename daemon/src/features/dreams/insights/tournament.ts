import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';

/** A proposal as it enters the tournament. */
export interface Contestant {
  readonly id: string;
  readonly strategy: Strategy;
  readonly confidence: number;
  /** Whether deciding on it does something: what can be acted on goes before what is only good to know. */
  readonly isActionable: boolean;
  /** Keys; several sentences of one memory are one source. */
  readonly sources: readonly string[];
  /** Sessions of the sources, where they have one: memories of one session are not independent of each other. */
  readonly sessions: readonly string[];
  /** Words of its title and body, lower case. */
  readonly words: readonly string[];
}

export interface RankedInsight {
  readonly id: string;
  /** 0..1, larger is better: above .5 where it can be acted on; the rest is its strength. */
  readonly score: number;
}

const WEIGHTS = { evidence: 0.35, novelty: 0.25, confidence: 0.3, diversity: 0.1 } as const;
/** Share of their words from which on two say the same. */
const ECHO = 0.6;
/** So many of the strongest are what others may say again: all pairs of a few thousand would be slow to no use. */
const VOICES = 50;

type Words = ReadonlySet<string>;

/**
 * Ranks proposals, best first: each meets all others, and wins by evidence (independent sources), novelty (distance to what is accepted
 * already), confidence, and diversity (few of its own strategy). One figure holds all four, so that the duels are an order by it; who says the
 * same as a stronger one counts half. The same proposals rank the same in any order.
 */
export function rank(
  contestants: readonly Contestant[],
  accepted: readonly (readonly string[])[],
): RankedInsight[] {
  const known = accepted.map((words) => new Set(words));
  const perStrategy = Map.groupBy(contestants, ({ strategy }) => strategy);
  const players = contestants
    .map((of) => {
      const words = new Set(of.words);
      const alike = perStrategy.get(of.strategy)?.length ?? 1;
      return { of, words, strength: strengthOf(of, { words, known, alike }) };
    })
    .sort((a, b) => b.strength - a.strength || (a.of.id < b.of.id ? -1 : 1));
  const voices = players.slice(0, VOICES);
  return players
    .map(({ of: { id, isActionable }, words, strength }, at) => {
      const isEcho = voices.slice(0, at).some((other) => overlap(other.words, words) > ECHO);
      const share = isEcho ? strength / 2 : strength;
      return { id, score: Number((share * 0.5 + (isActionable ? 0.5 : 0)).toFixed(6)) };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function strengthOf(
  { sources, sessions, confidence }: Contestant,
  { words, known, alike }: { words: Words; known: readonly Words[]; alike: number },
): number {
  const novelty = 1 - Math.max(0, ...known.map((other) => overlap(other, words)));
  // Of sources without a session each is independent, of others each session is: 0 for none, .5 for one, .75 for two, towards 1.
  const keys = new Set(sources).size;
  const independent =
    sessions.length === 0 ? keys : Math.min(keys, new Set(sessions).size + (keys - sessions.length));
  return (
    WEIGHTS.evidence * (1 - 0.5 ** Math.max(0, independent)) +
    WEIGHTS.novelty * novelty +
    WEIGHTS.confidence * confidence +
    WEIGHTS.diversity / Math.sqrt(alike)
  );
}

/** Shared words as a share of all words of both. */
function overlap(a: Words, b: Words): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
