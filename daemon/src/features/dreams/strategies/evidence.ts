import type { Occasion } from './happened.ts';
import type { Likeness } from './likeness.ts';

/** A set of occasions that may be one thing happening again. */
export interface Group {
  /** What brought them together: one or two sayings. */
  readonly by: readonly string[];
  /** By day; one a day. */
  readonly occasions: readonly Occasion[];
}

/** Days in which at least three occasions are rather one affair. */
const AFFAIR = 5;
const MOST_SHARED = 1.5;

/**
 * What speaks for and against a group being a recurrence, by name. Fitted (bench/dreams, docs/decisions/0022): a logistic model over the
 * groups of the open sets, each set weighted alike; the names are those of `measured`.
 */
const WEIGHTS: Readonly<Record<string, number>> = {
  n: 1.708,
  idf1: -6.31,
  idf2: 1.285,
  massmean: -1.655,
  massmin: 0.692,
  beside: -0.674,
  shared: -0.977,
  rankmean: 9.524,
  rankmin: -0.236,
  covmax: -1.018,
  covmin: 1.361,
  ev: 5.481,
  evmin: -1.155,
  again: 2.455,
  fail: 1.707,
  past: 1.546,
  occ: 1.933,
  troublesame: 1.728,
  state: -2.766,
  reading: -3.824,
  gap2: -2.502,
  gap7: 0.997,
  cv: -2.541,
  wd: 2.537,
  span: -0.163,
  single: 0.224,
  named: 0.348,
  tight: -4.688,
  short: -0.827,
  concept: -0.142,
  sess: -3.043,
  'fail*idf': 1.747,
  'again*shared': 1.52,
  'rank*mass': -1.343,
  'ev*mass': -0.068,
  'evmin*massmin': 4.087,
  'single*beside': 1.88,
  bare: -0.561,
};
const BIAS = -10.052;
const WEIGHTED = Object.entries(WEIGHTS);

/** What is measured of a group, by name. */
export type Measured = Readonly<Record<string, number>>;

/** Log odds that a group is a recurrence. */
export function oddsOf(measured: Measured): number {
  return WEIGHTED.reduce((sum, [name, weight]) => sum + weight * (measured[name] ?? 0), BIAS);
}

/** Measures what speaks for and against a group. */
export function measure(
  { by, occasions }: Group,
  likeness: Likeness,
  isName: (said: string) => boolean,
): Measured {
  const count = occasions.length;
  const share = (test: (one: Occasion) => boolean) => occasions.filter(test).length / count;
  const { mass, leastMass, near, leastNear, beside } = pairsOf({ by, occasions }, likeness);
  const counts = new Map<string, number>();
  for (const { says } of occasions)
    for (const said of says.keys()) counts.set(said, (counts.get(said) ?? 0) + 1);
  let shared = 0;
  let sameTrouble = 0;
  for (const [said, n] of counts) {
    if (n >= count * 0.66) shared += (likeness.rarity(said) * (said.startsWith('c') ? 0.4 : 1) * n) / count;
    if (said.startsWith('!')) sameTrouble = Math.max(sameTrouble, n / count);
  }
  const common = Math.min(shared, 4) / 2;
  const days = occasions.map(({ of }) => of.day);
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const gap = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
  const spread = Math.sqrt(gaps.reduce((sum, one) => sum + (one - gap) ** 2, 0) / gaps.length);
  const weekday = Math.max(...[0, 1, 2, 3, 4, 5, 6].map((of) => share((one) => one.of.day % 7 === of)));
  const covered = by.map((said) => count / Math.max(1, likeness.frequency(said)));
  const rarities = by.map((said) => likeness.rarity(said));
  const [rarest, second] = [Math.max(...rarities), by.length > 1 ? Math.min(...rarities) : 0];
  const again = occasions.slice(1).filter(({ isAgain }) => isAgain).length / (count - 1);
  const fail = share(({ isFailure }) => isFailure);
  const told = occasions.reduce((sum, one) => sum + one.told, 0) / count;
  const leastTold = Math.min(...occasions.map((one) => one.told));
  const isSingle = by.length === 1;
  const named = by.some(isName);
  return {
    n: Math.log(count / 3),
    idf1: rarest,
    idf2: second,
    massmean: mass,
    massmin: leastMass,
    beside,
    shared: common,
    rankmean: near,
    rankmin: leastNear,
    covmax: Math.max(...covered),
    covmin: Math.min(...covered),
    ev: told,
    evmin: leastTold,
    again,
    fail,
    past: share(({ isPast }) => isPast),
    occ: share(({ isOnce }) => isOnce),
    troublesame: sameTrouble,
    state: share(({ isState }) => isState),
    reading: share(({ isReading }) => isReading),
    gap2: gaps.filter((one) => one <= 2).length / gaps.length,
    gap7: gaps.filter((one) => one <= 7).length / gaps.length,
    cv: Math.min(1.5, spread / gap),
    wd: count >= 4 && weekday > 0.8 ? 1 : 0,
    span: Math.min(1, ((days.at(-1) ?? 0) - (days[0] ?? 0)) / 120),
    single: isSingle ? 1 : 0,
    named: named ? 1 : 0,
    tight: gap < AFFAIR ? 1 : 0,
    short: share(({ says }) => says.size < 9),
    concept: by.filter((said) => said.startsWith('c')).length / by.length,
    sess: share(({ of }) => of.memory.session !== null),
    'fail*idf': fail * rarest,
    'again*shared': again * common,
    'rank*mass': near * mass,
    'ev*mass': told * mass,
    'evmin*massmin': leastTold * leastMass,
    'single*beside': isSingle ? beside : 0,
    bare: isSingle && !named ? 1 - fail : 0,
  };
}

function pairsOf({ by, occasions }: Group, likeness: Likeness) {
  let [mass, near, pairs, beside] = [0, 0, 0, 0];
  const words = new Set(occasions.flatMap(({ says }) => by.flatMap((said) => says.get(said)?.words ?? [])));
  let [leastMass, leastNear] = [MOST_SHARED, 1];
  for (const [index, a] of occasions.entries())
    for (const b of occasions.slice(index + 1)) {
      const shared = Math.min(MOST_SHARED, likeness.shared(a, b));
      const nearness = likeness.nearness(a, b);
      mass += shared;
      near += nearness;
      beside += Math.min(MOST_SHARED, likeness.shared(a, b, words));
      leastMass = Math.min(leastMass, shared);
      leastNear = Math.min(leastNear, nearness);
      pairs += 1;
    }
  return { mass: mass / pairs, leastMass, near: near / pairs, leastNear, beside: beside / pairs };
}
