import type { Strategy } from '@reverie/shared/contract/dream-strategies';

/** A proposal as it enters the tournament. */
export interface Contestant {
  readonly id: string;
  readonly strategy: Strategy;
  readonly confidence: number;
  /** Keys; several sentences of one memory are one source. */
  readonly sources: readonly string[];
  /** Sessions of the sources, where they have one: memories of one session are not independent of each other. */
  readonly sessions: readonly string[];
  /** Words of its title and body, lower case. */
  readonly words: readonly string[];
}

export interface Ranked {
  readonly id: string;
  /** 0..1, the share of its duels that it won, and its own strength; larger is better. */
  readonly score: number;
}

/** Contestants that meet each other: all pairs of a few hundred would be slow to no use. */
const BRACKET = 8;
const WEIGHTS = { evidence: 0.35, novelty: 0.25, confidence: 0.3, diversity: 0.1 } as const;

interface Strength extends Contestant {
  readonly strength: number;
}

/**
 * Ranks proposals, best first: brackets of eight in which each meets each, the better half goes on, until one bracket is left. A duel is won
 * by evidence (independent sources), novelty (distance to what is accepted already), confidence, and diversity (few of its own strategy).
 * The same proposals rank the same in any order.
 */
export function rank(contestants: readonly Contestant[], accepted: readonly (readonly string[])[]): Ranked[] {
  const known = accepted.map((words) => new Set(words));
  const perStrategy = Map.groupBy(contestants, ({ strategy }) => strategy);
  const strong = contestants
    .map((one) => ({ ...one, strength: strengthOf(one, known, perStrategy.get(one.strategy)?.length ?? 1) }))
    .sort(byStrength);
  const reached = new Map<string, { round: number; wins: number }>();
  let round = 0;
  for (let playing = strong; ; round += 1) {
    const brackets = deal(playing);
    const goOn: Strength[] = [];
    for (const bracket of brackets) {
      const wins = play(bracket);
      for (const [id, won] of wins) reached.set(id, { round, wins: won / Math.max(1, bracket.length - 1) });
      const byWins = [...bracket].sort(
        (a, b) => (wins.get(b.id) ?? 0) - (wins.get(a.id) ?? 0) || byStrength(a, b),
      );
      goOn.push(...byWins.slice(0, Math.ceil(bracket.length / 2)));
    }
    if (brackets.length <= 1) break;
    playing = goOn.sort(byStrength);
  }
  return strong
    .map(({ id, strength }) => {
      const { round: came, wins } = reached.get(id) ?? { round: 0, wins: 0 };
      // How far it came, then how it did there, then how strong it is: never two orders for one set.
      return { id, score: Number((((came + wins) / (round + 1)) * 0.5 + strength * 0.5).toFixed(6)) };
    })
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Strong ones are dealt out over the brackets, as seeds are, so that the best two do not meet at once. */
function deal(sorted: readonly Strength[]): Strength[][] {
  const count = Math.max(1, Math.ceil(sorted.length / BRACKET));
  const brackets = Array.from({ length: count }, (): Strength[] => []);
  for (const [index, one] of sorted.entries()) brackets[index % count]?.push(one);
  return brackets;
}

/** Duels won by each, a draw counting half. Who says the same as a stronger one in the bracket loses half of what it won. */
function play(bracket: readonly Strength[]): Map<string, number> {
  const wins = new Map(bracket.map(({ id }) => [id, 0]));
  const add = (id: string, won: number) => wins.set(id, (wins.get(id) ?? 0) + won);
  for (const [index, a] of bracket.entries()) {
    for (const b of bracket.slice(index + 1)) {
      const difference = a.strength - b.strength;
      add(a.id, difference > 0 ? 1 : difference < 0 ? 0 : 0.5);
      add(b.id, difference < 0 ? 1 : difference > 0 ? 0 : 0.5);
    }
  }
  for (const [index, one] of bracket.entries()) {
    const words = new Set(one.words);
    const echoes = bracket.slice(0, index).some((other) => overlap(new Set(other.words), words) > 0.6);
    if (echoes) wins.set(one.id, (wins.get(one.id) ?? 0) / 2);
  }
  return wins;
}

function strengthOf(one: Contestant, known: readonly Set<string>[], ofItsStrategy: number): number {
  const words = new Set(one.words);
  const novelty = 1 - Math.max(0, ...known.map((other) => overlap(other, words)));
  return (
    WEIGHTS.evidence * evidenceOf(one) +
    WEIGHTS.novelty * novelty +
    WEIGHTS.confidence * one.confidence +
    WEIGHTS.diversity / Math.sqrt(ofItsStrategy)
  );
}

/** 0 for none, 0.5 for one independent source, 0.75 for two, towards 1. */
function evidenceOf({ sources, sessions }: Contestant): number {
  const keys = new Set(sources).size;
  const independent =
    sessions.length === 0 ? keys : Math.min(keys, new Set(sessions).size + (keys - sessions.length));
  return 1 - 0.5 ** Math.max(0, independent);
}

/** Shared words as a share of all words of both. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}

function byStrength(a: Strength, b: Strength): number {
  return b.strength - a.strength || (a.id < b.id ? -1 : 1);
}
