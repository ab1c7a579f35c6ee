import type { Lexicon } from '../../../language/lexicon.ts';
import { createWords, type Words } from './changes/words.ts';
import { marksOf } from './marks.ts';
import { isSide, takesSides } from './near-text.ts';
import type { Reading, ReadMemory } from './reading.ts';
import { asksFirst, denies, figuresIn, sideOf } from './sense.ts';
import { standApart } from './reworded.ts';
import { saysOnce, tellsEvent } from './tense.ts';
import {
  type Content,
  coverOf,
  isBefore,
  isWithin,
  once,
  replacedIn,
  type Wording,
  weightOf,
  wordingsOf,
} from './wording.ts';

/** Longer ones say more than the one thing that they share. */
const LONGEST = { words: 22, sentences: 2 } as const;
/** How much of either, by weight, the other one has to say, too. */
const LEAST = { figures: 0.55, days: 0.65, words: 0.7 } as const;
/** How much one may say that the other does not, in words that tell as much as one that nobody else has. */
const MORE = { figures: 2.2, days: 1.2, words: 1.2 } as const;
/** As alike in their words, either may say something more. */
const ALIKE = 0.8;
/** That something is so from then on. */
const CHANGED =
  /(?<![\p{L}])(?:now|any ?more|instead|since|as of|from now on|moved|switched|stopped|used to|jetzt|maintenant|plus jamais)(?![\p{L}])/iu;
const INTENDED = /^(?:plan|idea|draft|proposal|wish|todo)(?![\p{L}])/iu;
const CALENDAR = /^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)$/u;

/** Compares what two memories of a namespace say. */
export interface Sameness {
  /**
   * Whether they say the same in other words: one says nothing that the other does not, and that hardly more, in words of like meaning; their
   * figures, which are equal, are on the same side of `more than`, both deny or neither, and neither has one thing in the place of another.
   */
  isSame(a: ReadMemory, b: ReadMemory): boolean;
  /** Whether two that share so much of their words (0..1) have one thing in the place of another, or speak of another one. */
  areApart(a: ReadMemory, b: ReadMemory, alike: number): boolean;
}

/** Reads each memory once, when it is first compared. */
export function samenessOf(reading: Reading, lexicon: Lexicon): Sameness {
  let words: Words | undefined;
  const wording = wordingsOf(reading, lexicon);
  const rare = weightOf('', reading);
  const compare = (a: ReadMemory, b: ReadMemory): Compared => {
    // The table of vectors is read only where there is something to compare.
    words ??= createWords();
    const [one, other] = [wording(a), wording(b)];
    const [there, back] = [coverOf(one, other, words), coverOf(other, one, words)];
    return {
      pair: [one, other],
      lost: [there.lost, back.lost],
      share: Math.min(there.share, back.share),
      shared: one.terms.intersection(other.terms),
    };
  };
  return {
    isSame(a, b) {
      if (!isRule(a) || !isRule(b)) return false;
      const shared = wording(a).terms.intersection(wording(b).terms).size;
      if (shared === 0 || (shared === 1 && !hasFigures(a)) || !meanAlike(a, b)) return false;
      const compared = compare(a, b);
      const kind = hasFigures(a) ? 'figures' : figures(a) === '' ? 'words' : 'days';
      return (
        compared.lost.some(({ length }) => length === 0) &&
        compared.share >= LEAST[kind] &&
        weigh(compared.lost.flat()) <= MORE[kind] * rare &&
        !isReplaced(compared, true) &&
        !areOthers(compared) &&
        !speaksOfOther(compared, hasFigures(a)) &&
        !isPart(compared, true)
      );
    },
    areApart(a, b, alike) {
      const compared = compare(a, b);
      const [lost, others] = compared.lost;
      const isMore =
        (lost.length > 0 && others.length > 0) ||
        (!hasFigures(a) &&
          (lost.length + others.length > 2 || [...lost, ...others].some(({ isName }) => isName)));
      return (
        (isMore && alike < ALIKE) ||
        isReplaced(compared, false) ||
        speaksOfOther(compared, true) ||
        isPart(compared, false)
      );
    },
  };
}

interface Compared {
  readonly pair: readonly [Wording, Wording];
  /** What either says that the other does not. */
  readonly lost: readonly [readonly Content[], readonly Content[]];
  readonly share: number;
  readonly shared: ReadonlySet<string>;
}

/** What holds, said in a few words: no question, no plan, and nothing that happened. */
const isRule = once(({ memory, sentences }: ReadMemory): boolean => {
  if (memory.isCut || sentences.length > LONGEST.sentences) return false;
  const said = sentences.reduce((sum, { tokens }) => sum + tokens.filter(({ says }) => says).length, 0);
  return (
    said <= LONGEST.words &&
    !marksOf(memory.value).question &&
    !INTENDED.test(memory.value) &&
    !saysOnce(memory.value) &&
    !tellsEvent(memory.value)
  );
});

const figures = once(figuresIn);
const hasFigures = once((memory: ReadMemory) =>
  figures(memory)
    .split(' ')
    .some((figure) => figure !== '' && !CALENDAR.test(figure)),
);
const side = once(sideOf);
const asks = once(({ memory }: ReadMemory) => asksFirst(memory.value));
const isDenied = once(({ memory }: ReadMemory) => denies(memory.value));
const isChanged = once(({ memory }: ReadMemory) => CHANGED.test(memory.value));

/** Whether neither denies, bounds or ends what the other says; `no more than five` and `up to five` are one bound. */
function meanAlike(a: ReadMemory, b: ReadMemory): boolean {
  return (
    side(a) === side(b) &&
    (isDenied(a) === isDenied(b) || side(a) !== 0) &&
    asks(a) === asks(b) &&
    isChanged(a) === isChanged(b) &&
    !standApart(a, b)
  );
}

function weigh(lost: readonly Content[]): number {
  return lost.reduce((sum, { weight }) => sum + weight, 0);
}

/** Whether each names somebody whom the other does not, or one says on which side it is, or whose. */
function areOthers({ lost }: Compared): boolean {
  const areSides = lost.every((of) => of.some(({ text }) => takesSides(text)));
  return (
    lost.every((of) => of.some(({ isName }) => isName)) ||
    lost.flat().some(({ text, isOwner }) => isOwner || isSide(text, !areSides))
  );
}

/** Whether one names somebody whom the other does not; where names may be added, only who it is about counts. */
function speaksOfOther({ pair, lost }: Compared, mayAdd: boolean): boolean {
  return lost.some((of, at) =>
    of.some(
      ({ isName, term }) =>
        isName &&
        (!mayAdd ||
          /^(?:the|our|my|an?)?$/u.test(
            pair[at]?.order.slice(0, pair[at].order.indexOf(term)).join(' ') ?? '',
          )),
    ),
  );
}

/** Whether one is about a part of what the other is about, or one kind of it. */
function isPart({ pair, lost, shared }: Compared, isStrict: boolean): boolean {
  return pair.some(
    (one, at) => isWithin(lost[at] ?? [], one, shared) || (isStrict && isBefore(lost[at] ?? [], one, shared)),
  );
}

/**
 * Whether one has something in the place of something else: `the bilge pump runs on 12 volts` and `the cabin lights run on 12 volts`. Strictly, also
 * in the place of something of like meaning: `dark theme` and `light theme`.
 */
function isReplaced({ pair: [one, other], lost }: Compared, isStrict: boolean): boolean {
  const countIn = (terms: readonly string[], among: readonly Content[]) =>
    among.filter(({ term }) => terms.includes(term)).length;
  return replacedIn(one, other).some(
    ([a, b]) =>
      (countIn(a, lost[0]) > 0 && countIn(b, lost[1]) > 0) ||
      (isStrict && countIn(a, one.content) === 1 && countIn(b, other.content) === 1),
  );
}
