import type { Pairing } from './growing.ts';
import { isOfCalendar, type Occasion } from './happened.ts';
import type { Likeness } from './likeness.ts';

/** A set of occasions that may be one thing happening again. */
export interface Group {
  /** What brought them together: one or two sayings. */
  readonly by: readonly string[];
  /** By day; one a day. */
  readonly occasions: readonly Occasion[];
  /** Whether they state the same, word for word but for the calendar: that needs no odds. */
  readonly isStated?: boolean;
}

/** Days in which at least three occasions are rather one affair. */
const AFFAIR = 5;
/** Beyond that, a pair is as good, or as bad, as can be. */
const CLEAR = 6;
/** Turns of a conversation. */
const TURN = /^(?:user|assistant|human|system|ai)\s?:/iu;

/** What is measured of a group, by name. */
export type Measured = Readonly<Record<string, number>>;

/** Measures what speaks for and against a group. */
export function measure(
  { occasions }: Group,
  { likeness, pairing, isName }: { likeness: Likeness; pairing: Pairing; isName: (said: string) => boolean },
): Measured {
  const count = occasions.length;
  const share = (test: (one: Occasion) => boolean) => occasions.filter(test).length / count;
  const days = occasions.map(({ of }) => of.day);
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const gap = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
  const spread = Math.sqrt(gaps.reduce((sum, one) => sum + (one - gap) ** 2, 0) / gaps.length);
  const weekday = Math.max(...[0, 1, 2, 3, 4, 5, 6].map((of) => share((one) => one.of.day % 7 === of)));
  return {
    ...saidByMost(occasions, { likeness, isName }),
    ...jointOf(occasions, pairing),
    rankleast: leastNear(occasions, likeness),
    again: occasions.slice(1).filter(({ isAgain }) => isAgain).length / (count - 1),
    past: share(({ isPast }) => isPast),
    once: share(({ isOnce }) => isOnce),
    state: share(({ isState }) => isState),
    turns: share(({ of }) => TURN.test(of.memory.value)),
    gap2: gaps.filter((one) => one <= 2).length / gaps.length,
    tight: gap < AFFAIR ? 1 : 0,
    uneven: Math.min(1, spread / gap),
    weekday: count >= 4 && weekday > 0.8 ? 1 : 0,
    span: Math.min(1, ((days.at(-1) ?? 0) - (days[0] ?? 0)) / 120),
  };
}

/** How likely each pair is the same happening again, and how far whoever is outside falls behind. */
function jointOf(occasions: readonly Occasion[], { odds, partners }: Pairing): Record<string, number> {
  const likely = (one: Occasion, other: Occasion) => Math.max(-CLEAR, Math.min(CLEAR, odds(one, other)));
  const means = occasions.map(
    (one) =>
      occasions.reduce((sum, other) => (one === other ? sum : sum + likely(one, other)), 0) /
      (occasions.length - 1),
  );
  const days = new Set(occasions.map(({ of }) => of.day));
  let outside = -CLEAR;
  for (const one of new Set(occasions.flatMap((member) => partners(member)))) {
    if (days.has(one.of.day)) continue;
    const mean = occasions.reduce((sum, other) => sum + likely(one, other), 0) / occasions.length;
    outside = Math.max(outside, mean);
  }
  const least = Math.min(...means);
  return {
    pairmean: means.reduce((sum, mean) => sum + mean, 0) / means.length,
    pairleast: least,
    apart: Math.min(CLEAR, least - outside),
  };
}

/** Share of a group that says the same kind of happening, and the same thing, by how much that tells: people are talked about without anything happening again. */
function saidByMost(
  occasions: readonly Occasion[],
  { likeness, isName }: { likeness: Likeness; isName: (said: string) => boolean },
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { says } of occasions)
    for (const [said, { weight }] of says) counts.set(said, (counts.get(said) ?? 0) + weight);
  let [kind, item] = [0, 0];
  for (const [said, count] of counts) {
    const tells = (likeness.rarity(said) * count) / occasions.length;
    if (said.startsWith('h')) kind = Math.max(kind, tells);
    else if (said.startsWith('t') && !isOfCalendar(said) && !isName(said)) item = Math.max(item, tells);
  }
  return { kind, item };
}

function leastNear(occasions: readonly Occasion[], likeness: Likeness): number {
  let least = 1;
  for (const [index, one] of occasions.entries())
    for (const other of occasions.slice(index + 1)) least = Math.min(least, likeness.nearness(one, other));
  return least;
}
