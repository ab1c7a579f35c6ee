import type { Occasion } from './happened.ts';
import type { Likeness } from './likeness.ts';

/** Two tellings within so many days are rather one affair. */
const AFFAIR = 2;
const MOST = 2;
/** Terms that make two statements the same, and the share of all their terms that those have to be. */
const SAME = { terms: 3, share: 0.7 } as const;

/** What two occasions have in common, and what speaks against their being one thing that happened twice. */
export function measurePair(
  a: Occasion,
  b: Occasion,
  { likeness, isName }: { likeness: Likeness; isName: (said: string) => boolean },
): Record<string, number> {
  let [terms, term, thing, concept, kindOfThing, happenings, happening, name] = [0, 0, 0, 0, 0, 0, 0, 0];
  let common = 0;
  const [few, many] = a.says.size < b.says.size ? [a, b] : [b, a];
  const told = new Set<string>();
  for (const [said, { weight, words }] of few.says) {
    const other = said.startsWith('h') ? many.says.get(said) : undefined;
    if (other === undefined) continue;
    for (const word of words) told.add(word);
    for (const word of other.words) told.add(word);
    const tells = likeness.rarity(said) * Math.min(weight, other.weight);
    happenings += likeness.rarity(said) * tells;
    happening = Math.max(happening, tells);
  }
  for (const [said, { weight, words }] of few.says) {
    const other = many.says.get(said);
    if (other === undefined || said.startsWith('h') || said.startsWith('!')) continue;
    if (a.terms.has(said) && b.terms.has(said)) common += 1;
    const rarity = likeness.rarity(said);
    const tells = rarity * Math.min(weight, other.weight);
    // What only says again what happened is not what it happened to.
    const isBeside = !words.every((word) => told.has(word)) || !other.words.every((word) => told.has(word));
    if (said.startsWith('t')) {
      terms += rarity * tells;
      term = Math.max(term, tells);
      if (isBeside) thing = Math.max(thing, tells);
      if (isName(said)) name = Math.max(name, tells);
    } else {
      concept = Math.max(concept, rarity * tells);
      if (isBeside) kindOfThing = Math.max(kindOfThing, rarity * tells);
    }
  }
  const nearness = likeness.nearness(a, b);
  const others = (one: Occasion, other: Occasion) => {
    for (const said of one.says.keys())
      if (said.startsWith('t') && !other.says.has(said) && isName(said)) return true;
    return false;
  };
  const isSame = common >= SAME.terms && common >= SAME.share * (a.terms.size + b.terms.size - common);
  return {
    series: isSame && a.hasFigures && b.hasFigures ? 1 : 0,
    share: Math.min(1.5, likeness.shared(a, b)),
    terms: Math.min(MOST, terms),
    term,
    thing,
    concept,
    kindOfThing,
    happenings: Math.min(MOST, happenings),
    happening,
    name,
    others: name === 0 && others(a, b) && others(b, a) ? 1 : 0,
    near: nearness,
    fail: a.isFailure && b.isFailure ? 1 : 0,
    again: a.isAgain || b.isAgain ? 1 : 0,
    told: a.told * b.told,
    tight: Math.abs(a.of.day - b.of.day) <= AFFAIR ? 1 : 0,
    'happening*thing': happening * Math.max(thing, kindOfThing),
    bare: happening > 0 && Math.max(thing, kindOfThing) === 0 ? 1 : 0,
    'near*thing': nearness * Math.max(thing, kindOfThing),
    state: a.isState || b.isState ? 1 : 0,
    reading: a.isReading || b.isReading ? 1 : 0,
  };
}
