import type { Lexicon } from '../../../language/lexicon.ts';
import { stem } from '../../../language/porter.ts';
import { negationsOf } from './near-text.ts';
import type { Reading, ReadMemory } from './reading.ts';
import { type Stance, stancesIn } from './stances.ts';
import { saysOnce, tellsEvent } from './tense.ts';
import { conceptsIn } from './wording.ts';

/** Words that say something, at most: longer ones say more than the one thing that they share. */
const LONGEST = 14;
const SENTENCES = 2;
/** A term that more memories have does not tell what they are about. */
const RARE = 6;

const PRONOUNS = new Set(['stuff', 'thing', 'it', 'them', 'those', 'these']);

/** A number and the word that it counts: `140 characters`. */
const COUNTED = /(?<![\p{L}\p{N}.,:/-])(\d{2,}(?:[.,]\d+)?)\s?(\p{L}{3,}|%|°|€)/gu;

/**
 * Whether two short memories say one thing in other words: somebody likes or cannot stand the same, or they count as many of the same of what
 * few others speak of. Their figures are equal. What happened is no such thing, nor what names somebody whom the other does not.
 */
export function isReworded(a: ReadMemory, b: ReadMemory, { reading, lexicon }: Known): boolean {
  if (!isShort(a) || !isShort(b) || namesApart(a, b)) return false;
  return shareStance(a, b, reading) || countTheSame(a, b, { reading, lexicon });
}

interface Known {
  readonly reading: Reading;
  readonly lexicon: Lexicon;
}

const isShort = once(({ memory, sentences }: ReadMemory): boolean => {
  const said = sentences.reduce((sum, { tokens }) => sum + tokens.filter(({ says }) => says).length, 0);
  return (
    !memory.isCut &&
    sentences.length <= SENTENCES &&
    said <= LONGEST &&
    !/\?/u.test(memory.value) &&
    !saysOnce(memory.value) &&
    !tellsEvent(memory.value)
  );
});

/** Whether each names somebody or something whom the other does not. */
function namesApart(a: ReadMemory, b: ReadMemory): boolean {
  const has = (one: ReadMemory, other: ReadMemory) =>
    one.sentences.some(({ tokens }) =>
      tokens.some(({ shape, term }) => (shape === 'name' || shape === 'id') && !other.terms.has(term)),
    );
  return has(a, b) && has(b, a);
}

const stancesOf = once((of: ReadMemory) => stancesIn(of));

/** Whose stance it is: `the boy who shares Nico's tent` is not Nico. */
function whoOf({ who, sentence }: Stance): ReadonlySet<string> {
  const owners = sentence.tokens.flatMap(({ text, term }) => (/['’]s$/u.test(text) ? [term] : []));
  return new Set([...who].filter((name) => !owners.includes(name)));
}

/** What a stance is on; of `she hates the stuff`, what its sentence names that few speak of. */
function whatOf({ who, what, sentence }: Stance, reading: Reading): ReadonlySet<string> {
  if (isNamed({ what })) return what;
  return new Set(
    sentence.tokens.flatMap(({ says, term }) =>
      says && !who.has(term) && reading.frequency(term) <= RARE ? [term] : [],
    ),
  );
}

function shareStance(a: ReadMemory, b: ReadMemory, reading: Reading): boolean {
  const [of, others] = [tastesOf(a), tastesOf(b)];
  const isShared = (one: Stance, among: readonly Stance[]) =>
    among.some(
      (other) =>
        isOneSide(one, other) &&
        !whoOf(one).isDisjointFrom(whoOf(other)) &&
        (isNamed(one) && isNamed(other)
          ? isOnTheSame(one, other)
          : !whatOf(one, reading).isDisjointFrom(whatOf(other, reading))),
    );
  // `Hates fish, likes prawns` says more than that somebody cannot stand fish.
  return (
    of.length > 0 &&
    others.length > 0 &&
    of.every((one) => isShared(one, others)) &&
    others.every((one) => isShared(one, of))
  );
}

function tastesOf(memory: ReadMemory): Stance[] {
  return stancesOf(memory).filter(({ how }) => how === 'taste' || how === 'must not');
}

function isOneSide(one: Stance, other: Stance): boolean {
  return one.isFor === other.isFor && one.how === other.how;
}

function isOnTheSame({ what: one }: Stance, { what: other }: Stance): boolean {
  return one.symmetricDifference(other).size === 0;
}

/** Whether it names what it is on. */
function isNamed({ what }: Pick<Stance, 'what'>): boolean {
  return ![...what].some((term) => PRONOUNS.has(term));
}

/** Whether two memories say alike what somebody likes or must not have, but one not of the same: pine nuts are not all nuts. */
export function standApart(a: ReadMemory, b: ReadMemory): boolean {
  const [of, others] = [tastesOf(a).filter(isNamed), tastesOf(b).filter(isNamed)];
  const isAlone = (one: Stance, among: readonly Stance[]) =>
    among.some((other) => isOneSide(one, other)) &&
    !among.some((other) => isOneSide(one, other) && isOnTheSame(one, other));
  return of.some((one) => isAlone(one, others)) || others.some((one) => isAlone(one, of));
}

function countTheSame(a: ReadMemory, b: ReadMemory, { reading, lexicon }: Known): boolean {
  const counts = countedIn(a).intersection(countedIn(b));
  if (counts.size === 0 || negationsOf(a.memory.value) > 2 || negationsOf(b.memory.value) > 2) return false;
  const counted = new Set([...counts].map((one) => one.split(' ')[1] ?? ''));
  const shared = [...a.terms.intersection(b.terms)].filter(
    (term) => !counted.has(stem(term)) && !/^\d/u.test(term) && reading.frequency(term) <= RARE,
  );
  const [x, y] = [conceptsIn(a.memory.value, lexicon), conceptsIn(b.memory.value, lexicon)];
  const alike = [...x].filter(([concept, words]) => {
    const other = y.get(concept);
    return other !== undefined && [...words].every((word) => !other.has(word) && !counted.has(word));
  });
  return shared.length > 0 && alike.length >= 2;
}

const countedIn = once(
  ({ memory }: ReadMemory): Set<string> =>
    new Set(
      [...memory.value.matchAll(COUNTED)].map(
        ([, figure = '', counted = '']) => `${figure} ${stem(counted.toLowerCase())}`,
      ),
    ),
);

/** Computed once for each memory: a memory is compared with many. */
function once<T>(of: (memory: ReadMemory) => T): (memory: ReadMemory) => T {
  const known = new WeakMap<ReadMemory, { value: T }>();
  return (memory) => {
    let found = known.get(memory);
    if (!found) known.set(memory, (found = { value: of(memory) }));
    return found.value;
  };
}
