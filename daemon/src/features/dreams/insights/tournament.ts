import type { Strategy } from '@reverie/shared/contract/dream-strategies';

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
  /** 0..1, larger is better: above .5 where it can be acted on; the rest is how far it came, what it won there, and its own strength. */
  readonly score: number;
}

/** Contestants that meet each other: all pairs of a few hundred would be slow to no use. */
const BRACKET = 8;
const WEIGHTS = { evidence: 0.35, novelty: 0.25, confidence: 0.3, diversity: 0.1 } as const;
/** Share of their words from which on two say the same. */
const ECHO = 0.6;

type Words = ReadonlySet<string>;

interface Player {
  readonly of: Contestant;
  readonly words: Words;
  readonly strength: number;
}

/**
 * Ranks proposals, best first: brackets of eight in which each meets each, the better half goes on, until one bracket is left. A duel is won
 * by evidence (independent sources), novelty (distance to what is accepted already), confidence, and diversity (few of its own strategy).
 * The same proposals rank the same in any order.
 */
export function rank(
  contestants: readonly Contestant[],
  accepted: readonly (readonly string[])[],
): RankedInsight[] {
  const known = accepted.map((words) => new Set(words));
  const perStrategy = Map.groupBy(contestants, ({ strategy }) => strategy);
  const players = contestants
    .map((of): Player => {
      const words = new Set(of.words);
      const alike = perStrategy.get(of.strategy)?.length ?? 1;
      return { of, words, strength: strengthOf(of, { words, known, alike }) };
    })
    .sort(byStrength);
  const reached = new Map<Player, { round: number; wins: number }>();
  let round = 0;
  for (let playing = players; ; round += 1) {
    const brackets = deal(playing);
    const goOn = brackets.flatMap((bracket) => {
      const wins = play(bracket);
      for (const [one, won] of wins) reached.set(one, { round, wins: won / Math.max(1, bracket.length - 1) });
      return bracket
        .toSorted((a, b) => (wins.get(b) ?? 0) - (wins.get(a) ?? 0) || byStrength(a, b))
        .slice(0, Math.ceil(bracket.length / 2));
    });
    if (brackets.length <= 1) break;
    playing = goOn.sort(byStrength);
  }
  return players
    .map((one) => {
      const { round: came, wins } = reached.get(one) ?? { round: 0, wins: 0 };
      // How far it came, then how it did there, then how strong it is: never two orders for one set.
      const won = ((came + wins) / (round + 1)) * 0.5 + one.strength * 0.5;
      return { id: one.of.id, score: Number((won * 0.5 + (one.of.isActionable ? 0.5 : 0)).toFixed(6)) };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Strong ones are dealt out over the brackets, as seeds are, so that the best two do not meet at once. */
function deal(sorted: readonly Player[]): Player[][] {
  const count = Math.max(1, Math.ceil(sorted.length / BRACKET));
  return Array.from({ length: count }, (_, at) => sorted.filter((_one, index) => index % count === at));
}

/** Duels won by each, a draw counting half. Who says the same as a stronger one in the bracket loses half of what it won. */
function play(bracket: readonly Player[]): Map<Player, number> {
  return new Map(
    bracket.map((one, at) => {
      const won = bracket.reduce(
        (sum, other) => sum + (other === one ? 0 : (Math.sign(one.strength - other.strength) + 1) / 2),
        0,
      );
      const isEcho = bracket.slice(0, at).some((other) => overlap(other.words, one.words) > ECHO);
      return [one, isEcho ? won / 2 : won];
    }),
  );
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

function byStrength(a: Player, b: Player): number {
  return b.strength - a.strength || (a.of.id < b.of.id ? -1 : 1);
}
