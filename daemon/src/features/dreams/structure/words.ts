import { DAY_OF, MONTH_OF } from '../../../language/date-names.ts';
import { FUNCTION_WORDS } from '../../../language/abroad/function-words.ts';
import { stem } from '../../../language/porter.ts';
import { foldText, STOP_WORDS } from '../../../language/words.ts';

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
const POSSESSIVE = /['’]s$/u;
const IDENTIFIER = /[_@/\\:#]|\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}|\p{L}\.\p{L}/u;
const GRAMMAR: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...Object.values(FUNCTION_WORDS).flatMap((words) => words.split(/\s+/u)),
]);

/** Whether a word, as compared, is one of grammar: it says nothing of what a sentence is about. */
export function isGrammar({ norm, text }: Word): boolean {
  return GRAMMAR.has(norm) || GRAMMAR.has(foldText(text.toLowerCase()));
}

/** The words of a text, in order. A capital makes a name but for the first word and behind a full stop or a colon. */
export function wordsIn(text: string): Word[] {
  return [...text.matchAll(TOKEN)].map(({ 0: written, index }) => {
    const bare = written.replace(POSSESSIVE, '');
    const folded = foldText(bare).toLowerCase();
    const kind = kindOf(bare, folded, text.slice(Math.max(0, index - 3), index));
    return {
      text: bare,
      norm: kind === 'word' && /^[a-z]+$/u.test(folded) ? stem(folded) : folded,
      start: index,
      end: index + bare.length,
      kind,
    };
  });
}

function kindOf(text: string, folded: string, before: string): Word['kind'] {
  if (/\d/u.test(text) || IDENTIFIER.test(text)) return 'value';
  if (DAY_OF.has(folded.replace(/s$/u, '')) || DAY_OF.has(folded)) return 'value';
  if (MONTH_OF.has(folded) && /^\p{Lu}/u.test(text)) return 'value';
  const isFirst = /(?:^|[.:!?"“„«»*_([-])\s?$/u.test(before);
  return /^\p{Lu}/u.test(text) && (!isFirst || /^\p{Lu}{2,}$/u.test(text)) ? 'name' : 'word';
}

/** A text as compared letter by letter: letters, figures and the signs that tell figures apart. */
export function plainText(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replaceAll(/(?<!\d)[.,:]|[.,:](?!\d)/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}.,:/@+%€$£<>=-]+|(?<![\p{L}\p{N}])-(?!\d)|-(?![\p{L}\p{N}])/gu, ' ')
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

/** `2026-03-03`. */
export function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
