import { isOfCalendar, type Occasion } from './happened.ts';
import { natureOf } from './happenings.ts';
import type { Likeness } from './likeness.ts';

/** What a group is held together by is looked for in all that has been said, told apart by how rare that is. */
export interface Bonds {
  readonly likeness: Likeness;
  readonly isName: (said: string) => boolean;
}

/** Share of a group that has to say what holds it together; of three all do. */
const MOST_OF = 0.75;
/** Share that says a happening beside a thing that nearly all say. */
const MANY_OF = 0.6;
/** Share of a group that says a thing so rare that it need not stand in each, where all tell of one kind of happening. */
const HALF_OF = { share: 0.5, rarity: 0.65 } as const;
/** Share of a group that has to tell of a happening that is one thing by itself, where some only name what it befalls, which counts half. */
const WITH_HINTS = 0.8;
/** Days within which what is held together by little is one affair. */
const AFFAIR = 42;
/** What is less rare holds nothing together. */
const TELLING = 0.3;
/** A concept that its words may not mean, and a word that only a key has, are less sure. */
const SURE = 0.6;
/** So many words of nearly all hold together what is of no kind. */
const SAME_WORDS = 2;
/** A test, a ticket, a machine: what is one thing wherever it is named. */
const ID = /[\d_./#-]/u;
/** Stems of words for how much, which is no thing to which anything happens. */
const UNITS = new Set(
  'kg g gb mb tb kb ml cm mm km metr litr hour minut second euro pound dollar percent degre noth everyth someth anyth bit whole half pair piec even morn night afternoon'.split(
    ' ',
  ),
);

/**
 * Whether something holds occasions together: a kind of happening that is one thing by itself (a migraine), or one that is said of anything
 * (`crashed`) along with whatever it befell, or else the same words. What is only likely by all that was measured was junk two times of three.
 */
export function isBound(occasions: readonly Occasion[], bonds: Bonds): boolean {
  const most = Math.max(3, Math.ceil(occasions.length * MOST_OF));
  const counts = new Map<string, number>();
  const hinted = new Map<string, number>();
  for (const { says } of occasions)
    for (const [said, { weight }] of says) {
      if (weight === 1 || !said.startsWith('h')) counts.set(said, (counts.get(said) ?? 0) + 1);
      hinted.set(said, (hinted.get(said) ?? 0) + weight);
    }
  // A kind of trouble says less than a kind of happening, and needs its thing as well: Quentin is late.
  const happenings = [...counts].filter(([said]) => /^[h!]/u.test(said));
  const shared = happenings.filter(([, count]) => count >= most).map(([said]) => said);
  if (shared.some((said) => isOneThing(said))) return true;
  if ([...hinted].some(([said, sum]) => isOneThing(said) && sum >= occasions.length * WITH_HINTS))
    return true;
  const things = thingsOf(occasions, { ...bonds, most, rarity: TELLING });
  if (shared.some((said) => isBeside(things, said, occasions))) return true;
  const half = Math.max(2, Math.ceil(occasions.length * HALF_OF.share));
  const rare = thingsOf(occasions, { ...bonds, most: half, rarity: HALF_OF.rarity });
  if (
    !isOneAffair(occasions) &&
    shared.some((said) => said.startsWith('h') && isBeside(rare, said, occasions))
  )
    return true;
  const beside = things.filter((said) => !bonds.isName(said) || ID.test(said));
  if (beside.length >= SAME_WORDS) return true;
  return (
    things.length > 0 &&
    happenings.some(
      ([said, count]) =>
        count >= occasions.length * MANY_OF && isOneThing(said) && isBeside(things, said, occasions),
    )
  );
}

/** A leak, its repair and its bill are told within some weeks. */
function isOneAffair(occasions: readonly Occasion[]): boolean {
  const days = occasions.map(({ of: { day } }) => day);
  return Math.max(...days) - Math.min(...days) < AFFAIR;
}

function isOneThing(said: string): boolean {
  return said.startsWith('h') && natureOf(said.slice(2)) !== 'anything';
}

/** What so many say that may be a thing, or somebody, and is so rare. */
function thingsOf(
  occasions: readonly Occasion[],
  { likeness, most, rarity }: { likeness: Likeness; most: number; rarity: number },
): string[] {
  const counts = new Map<string, number>();
  for (const { says } of occasions)
    for (const [said, { weight, words }] of says)
      if (weight >= SURE && !/^[h!]/u.test(said) && !words.every((word) => UNITS.has(word)))
        counts.set(said, (counts.get(said) ?? 0) + 1);
  return [...counts].flatMap(([said, count]) =>
    count >= most && likeness.rarity(said) >= rarity && !isOfCalendar(said) ? [said] : [],
  );
}

/** Whether one of some things is said by other words than a happening is. */
function isBeside(things: readonly string[], happening: string, occasions: readonly Occasion[]): boolean {
  return things.some((thing) =>
    occasions.some(({ says }) => {
      const told = says.get(happening)?.words;
      const words = says.get(thing)?.words;
      return told !== undefined && words !== undefined && words.every((word) => !told.includes(word));
    }),
  );
}
