import type { Lexicon } from '../../../language/lexicon.ts';
import { createWords, type Words } from './changes/words.ts';
import { marksOf } from './marks.ts';
import { isOutage } from './near-text.ts';
import type { Reading, ReadMemory } from './reading.ts';
import { asksFirst, denies, figuresIn, sideOf } from './sense.ts';
import { standApart } from './reworded.ts';
import {
  areCapital,
  areNamed,
  areOpposed,
  areOthers,
  type Compared,
  isPart,
  isReplaced,
  speaksOfOther,
  weigh,
} from './sameness-compared.ts';
import { saysOnce, tellsEvent } from './tense.ts';
import { coverOf, once, weightOf, wordingsOf } from './wording.ts';

/** Longer ones say more than the one thing that they share. */
const LONGEST = { words: 22, sentences: 2 } as const;
/** How much of either, by weight, the other one has to say, too. */
const LEAST = { figures: 0.55, days: 0.65, words: 0.7 } as const;
/** How much one may say that the other does not, in words that tell as much as one that nobody else has. */
const MORE = { figures: 2.2, days: 1.2, words: 1.2 } as const;
/**
 * Where nothing is nearer to either, by a margin of the cosine: as much, by weight, the one that says less of the other and the one that says more
 * of it have to say; and what either may say besides.
 */
const CLOSEST = { margin: 0.03, share: 0.35, best: 0.45, less: 3, more: 4.2 } as const;
/** What is told of one day twice: how many words tell, how many of them both have, and what those weigh. */
const TOLD = { margin: 0.04, share: 0.3, words: 8, shared: 3, weight: 1.9 } as const;
/** As alike in their words, either may say something more. */
const ALIKE = 0.8;
/** That something is so from then on. */
const CHANGED =
  /(?<![\p{L}])(?:now|any ?more|instead|since|as of|from now on|moved|switched|stopped|used to|jetzt|maintenant|plus jamais)(?![\p{L}])/iu;
const INTENDED = /^(?:plan|idea|draft|proposal|wish|todo)(?![\p{L}])/iu;
/** That something that was to be is not. */
const CALLED_OFF =
  /(?<![\p{L}])(?:(?:is|are|was|were) off(?! limits)|cancel(?:s|led|ed)|called off|not happening|put off|postponed|fällt aus|abgesagt|annulée?|cancelad[oa])(?![\p{L}])/iu;
const CALENDAR = /^(?:#\p{Ll}+|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)$/u;

/** Compares what two memories of a namespace say. */
export interface Sameness {
  /**
   * Whether they say the same in other words: one says nothing that the other does not, and that hardly more, in words of like meaning; their
   * figures, which are equal, are on the same side of `more than`, both deny or neither, and neither has one thing in the place of another. Where
   * each is the nearest of the other (`margin`: by how much of the cosine, 0 where it is not), the words may differ more, and what happened on one
   * day may be told in other words.
   */
  isSame(a: ReadMemory, b: ReadMemory, margin: () => number): boolean;
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
      best: Math.max(there.share, back.share),
      shared: one.terms.intersection(other.terms),
    };
  };
  const isToldTwice = (a: ReadMemory, b: ReadMemory, margin: () => number): boolean => {
    if (
      Math.abs(a.day - b.day) > 1 ||
      !isTold(a) ||
      !isTold(b) ||
      isFollowed(a) !== isFollowed(b) ||
      isDenied(a) !== isDenied(b)
    )
      return false;
    const shared = [...wording(a).terms.intersection(wording(b).terms)];
    const weight = shared.reduce((sum, term) => sum + weightOf(term, reading), 0);
    if (shared.length < TOLD.shared || weight < TOLD.weight * rare) return false;
    const compared = compare(a, b);
    return (
      compared.share >= TOLD.share &&
      !isReplaced(compared, false) &&
      !areNamed(compared) &&
      margin() >= TOLD.margin
    );
  };
  return {
    isSame(a, b, margin) {
      if (!isRule(a) || !isRule(b)) return isToldTwice(a, b, margin);
      const shared = wording(a).terms.intersection(wording(b).terms).size;
      if (shared === 0 || (shared === 1 && !hasFigures(a)) || !meanAlike(a, b)) return false;
      const compared = compare(a, b);
      const isTied = isAnchored(a, reading);
      if (
        isReplaced(compared, true) ||
        (isOnly(a) !== isOnly(b) && !hasFigures(a)) ||
        (areOpposed(compared) && !isTied)
      )
        return false;
      const kind = hasFigures(a) ? 'figures' : figures(a) === '' ? 'words' : 'days';
      const [less = 0, more = 0] = compared.lost.map(weigh).sort((x, y) => x - y);
      if (less === 0 && compared.share >= LEAST[kind] && more <= MORE[kind] * rare)
        return !areOthers(compared) && !speaksOfOther(compared, hasFigures(a)) && !isPart(compared, true);
      return (
        compared.share >= CLOSEST.share &&
        compared.best >= CLOSEST.best &&
        less <= CLOSEST.less * rare &&
        more <= CLOSEST.more * rare &&
        !isForeign(a) &&
        !isForeign(b) &&
        isDone(a) === isDone(b) &&
        !(isTied ? areNamed(compared) : areOthers(compared)) &&
        !areCapital(compared) &&
        !speaksOfOther(compared, true) &&
        !isPart(compared, false) &&
        margin() >= CLOSEST.margin
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
        isOff(a) !== isOff(b) ||
        isReplaced(compared, true) ||
        speaksOfOther(compared, true) ||
        isPart(compared, false)
      );
    },
  };
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
    !tellsEvent(memory.value) &&
    !isOutage(memory.value)
  );
});

/** Something that happened, told in a few sentences at most. */
const isTold = once(({ memory, sentences }: ReadMemory): boolean => {
  const { question, plan, hypothetical } = marksOf(memory.value);
  const said = sentences.reduce((sum, { tokens }) => sum + tokens.filter(({ says }) => says).length, 0);
  return (
    !memory.isCut &&
    said >= TOLD.words &&
    said <= LONGEST.words + 3 &&
    sentences.length <= LONGEST.sentences + 1 &&
    !question &&
    !plan &&
    !hypothetical &&
    !INTENDED.test(memory.value)
  );
});
/** That it came to an end, happened once more, or was looked into: another day of the same matter. */
const FOLLOWED =
  /(?<![\p{L}])(?:again|once more|after all|at last|finally|now|no longer|any ?more|meanwhile|since then|in the end|fixed|solved|repaired|mended|replaced|recovered|answered|replied|is back|turned up|found (?:it|him|her|them)|better|wieder|jetzt|endlich)(?![\p{L}])/iu;
const isFollowed = once(({ memory }: ReadMemory) => FOLLOWED.test(memory.value));
/** What somebody has done since is another state: `has sold the moped`. */
const DONE =
  /(?<![\p{L}])(?:ha(?:s|ve|d)|['’](?:s|ve)) (?:(?:just|already|not|never|now) )?(?:\p{L}{2,}ed|sold|bought|left|gone|come|got|given|taken|sent|paid|made|done|lost|found|become|begun|broken|chosen|written|grown|put|cut|set|met|been|had|held|kept|built|caught|brought|shut|won|said|told)(?![\p{L}])/iu;
const isDone = once(({ memory }: ReadMemory) => DONE.test(memory.value));
const isOnly = once(({ memory }: ReadMemory) =>
  /(?<!\p{L})(?:only|solely|nothing but|nur|uniquement|solo)(?!\p{L})/iu.test(memory.value),
);
/** What is read of English only would miss a denial. */
const isForeign = once(({ sentences }: ReadMemory) => sentences.some(({ foreign }) => foreign));

const figures = once(figuresIn);
const hasFigures = once((memory: ReadMemory) =>
  figures(memory)
    .split(' ')
    .some((figure) => figure !== '' && !CALENDAR.test(figure)),
);
const side = once((memory: ReadMemory) => sideOf(inFigures(memory)));
const asks = once(({ memory }: ReadMemory) => asksFirst(memory.value));
const isDenied = once(({ memory }: ReadMemory) => denies(memory.value));
const isChanged = once(({ memory }: ReadMemory) => CHANGED.test(memory.value));
const isOff = once(({ memory }: ReadMemory) => CALLED_OFF.test(memory.value));

/** `Under one bar` is a bound, too. */
function inFigures(of: ReadMemory): ReadMemory {
  const value = of.memory.value.replace(
    /(?<=(?:above|over|under|below|than|to|most|least) )one(?= \p{L})/giu,
    '1',
  );
  return value === of.memory.value ? of : { ...of, memory: { ...of.memory, value } };
}

/** Whether a memory has a figure that, with the one that it is compared with, no third has. */
function isAnchored(memory: ReadMemory, reading: Reading): boolean {
  return figures(memory)
    .split(' ')
    .some((figure) => /\d\D?\d/u.test(figure) && reading.frequency(figure) === 2);
}

/** Whether neither denies, bounds or ends what the other says; `no more than five` and `up to five` are one bound. */
function meanAlike(a: ReadMemory, b: ReadMemory): boolean {
  return (
    side(a) === side(b) &&
    (isDenied(a) === isDenied(b) || side(a) !== 0) &&
    asks(a) === asks(b) &&
    isChanged(a) === isChanged(b) &&
    isOff(a) === isOff(b) &&
    !standApart(a, b)
  );
}
