import { DAY_OF, MONTH_OF } from '../../../language/date-names.ts';
import { FUNCTION_WORDS } from '../../../language/abroad/function-words.ts';
import { pastIn } from '../../../language/words/grammar.ts';
import { stem } from '../../../language/words/porter.ts';
import { foldText, STOP_WORDS } from '../../../language/words/words.ts';

/** A word of a sentence; `start` and `end` in the sentence, in UTF-16 units. */
export interface Word {
  readonly text: string;
  /** As compared: folded, in small letters, without a possessive; of an ordinary word its stem. */
  readonly norm: string;
  readonly start: number;
  readonly end: number;
  /** Something of which another one may stand in the same place: a figure, an identifier, a day; and a name. */
  readonly kind: 'word' | 'name' | 'value';
}

const TOKEN = /[/~$€£#]?[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_'’.:/@#+%°-]*[\p{L}\p{N}\p{M}_%°/])?|[€£$%°]/gu;
const VALUE = /\d|[_@/\\:#]|\p{Ll}\p{Lu}|\p{L}\.\p{L}/u;
const GRAMMAR: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...Object.values(FUNCTION_WORDS).flatMap((words) => words.split(/\s+/u)),
]);

/** Forms of the past that are other words, too: `the left drawer`, `put it away`. */
const ALSO_OTHER = /^(?:put|set|cut|hit|let|read|cost|hurt|shut|left|found|stand|ont|lay|saw)$/iu;
const PASSIVE = /(?<!\p{L})(?:is|are|be|been|being|get|gets|to|was|were|and|or|not|always|never)\s$/iu;

/** Whether a text tells, with a verb of the past, that something happened; `is built` tells how it is. */
export function tellsPast(text: string): boolean {
  return pastIn(text).some(
    ({ start, end }) => !ALSO_OTHER.test(text.slice(start, end)) && !PASSIVE.test(text.slice(0, start)),
  );
}

/** Whether a word, as compared, is one of grammar: it says nothing of what a sentence is about. */
export function isGrammar({ norm, text }: Word): boolean {
  return GRAMMAR.has(norm) || GRAMMAR.has(text.toLowerCase());
}

/** Words as they are written, for notes say most of them often: there are no more of them here than `MOST_SPELLINGS`. */
const spellings = new Map<string, Pick<Word, 'text' | 'norm' | 'kind'>>();
const MOST_SPELLINGS = 50_000;
const FIRST = /(?:^|[.:!?"“„«»*_([-])\s?$/u;

/** The words of a text, in order. A capital makes a name but for the first word and behind a full stop or a colon. */
export function wordsIn(text: string): Word[] {
  return [...text.matchAll(TOKEN)].map(({ 0: written, index }) => {
    const spelling = spellings.get(written) ?? spellingOf(written);
    if (spellings.size >= MOST_SPELLINGS) spellings.clear();
    spellings.set(written, spelling);
    const { text: bare, norm, kind } = spelling;
    const isFirst = kind === 'name' && FIRST.test(text.slice(Math.max(0, index - 2), index));
    const of =
      isFirst && !/^\p{Lu}{2,}$/u.test(bare)
        ? { norm: stemmed(norm), kind: 'word' as const }
        : { norm, kind };
    return { text: bare, start: index, end: index + bare.length, ...of };
  });
}

function spellingOf(written: string): Pick<Word, 'text' | 'norm' | 'kind'> {
  const text = written.replace(/['’]s$/u, '');
  const folded = foldText(text).toLowerCase();
  const isCapital = /^\p{Lu}/u.test(text);
  const isDay = DAY_OF.has(folded.replace(/s$/u, '')) || (MONTH_OF.has(folded) && isCapital);
  const kind = isDay || VALUE.test(text) ? 'value' : isCapital ? 'name' : 'word';
  return { text, norm: kind === 'word' ? stemmed(folded) : folded, kind };
}

function stemmed(folded: string): string {
  return /^[a-z]+$/u.test(folded) ? stem(folded) : folded;
}

export type NumbersOf = (norms: Iterable<string>) => readonly number[];

/** Numbers words, so that many sets of them take little room: each set as a sorted list. */
export function wordNumbers(): NumbersOf {
  const numbers = new Map<string, number>();
  return (norms) => {
    for (const norm of norms) if (!numbers.has(norm)) numbers.set(norm, numbers.size);
    return [...new Set(Array.from(norms, (norm) => numbers.get(norm) ?? 0))].sort((a, b) => a - b);
  };
}

/** How many numbers two sorted lists have in common. */
export function sharedBy(a: readonly number[], b: readonly number[]): number {
  let [shared, at] = [0, 0];
  for (const one of a) {
    while (at < b.length && (b[at] ?? 0) < one) at++;
    if (b[at] === one) shared++;
  }
  return shared;
}

/** Looks for those that have one of the `by` rarest words of one in common with it; by no word that more than `most` have. */
export function nearBy<T>(
  all: readonly T[],
  wordsOf: (one: T) => readonly number[],
  { most, by }: { readonly most: number; readonly by: number },
): (one: T) => ReadonlySet<T> {
  const holders = new Map<number, T[]>();
  for (const one of all)
    for (const word of wordsOf(one)) {
      const known = holders.get(word);
      if (!known) holders.set(word, [one]);
      else if (known.length <= most) known.push(one);
    }
  return (one) => {
    const lists = wordsOf(one).map((word) => holders.get(word) ?? []);
    const few = lists.filter(({ length }) => length > 1 && length <= most);
    return new Set(
      few
        .sort((a, b) => a.length - b.length)
        .slice(0, by)
        .flat(),
    );
  };
}

/** A text as compared letter by letter: letters, figures and the signs that tell figures apart. */
export function plainText(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replaceAll(/(?<!\d)[.,:]|[.,:](?!\d)/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}.,:/@+%€$£<>=-]+|(?<![\p{L}\p{N}])-(?!\d)|-(?![\p{L}\p{N}])/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** A text cut to so many characters at a blank. */
export function shorten(text: string, longest: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  const blank = cut.lastIndexOf(' ');
  return `${(blank > longest / 2 ? cut.slice(0, blank) : cut).toWellFormed().trimEnd()}…`;
}
