import { ENGLISH_WEEKDAYS, MONTH_STEMS } from './date-names.ts';
import { listed } from './words/word-lists.ts';

/** Abbreviations behind which a sentence goes on, whatever stands there: titles, `e.g.`, and what belongs to a name or a figure. */
const GOES_ON = words('language/abbreviations');
/** Those behind which it goes on where a figure comes: `No. 5`, but `No. I was wrong`. */
const GOES_ON_TO_FIGURE = words('language/abbreviations-before-figures');
/** Small words by which German is told, where `3. Mai` and `40. Geburtstag` are ordinals. */
const GERMAN =
  /[äöüß]|(?<!\p{L})(?:der|den|dem|das|und|ist|im|am|zum|vom|ein|eine[nrms]?|mein[ea]?|ihr|sein|wir|ich|nicht|mit|bis|seit|jeden|auf)(?!\p{L})/iu;
const MONTH_OR_DAY = new RegExp(
  String.raw`^(?:${MONTH_STEMS.join('|')}|(?:${ENGLISH_WEEKDAYS.join('|')})\b)`,
  'u',
);

function words(list: string): ReadonlySet<string> {
  return new Set(listed(list).flatMap((word) => [word, word.toLowerCase()]));
}

/**
 * Whether a sentence goes on where a break was found between two parts of a line: behind a title, an initial, `e.g.`, the number of a list,
 * a German ordinal, or a question in quotation marks (`“Really?” she asked`).
 */
export function goesOn(before: string, after: string): boolean {
  const ended = before.trimEnd();
  const next = after.trimStart();
  if (!ended.endsWith('.')) {
    // In Japanese, too: 「…。」です.
    if (/[!?][")\]”’»]+$/u.test(ended)) return /^\p{Ll}/u.test(next);
    if (/[。！？][」』）]$/u.test(ended)) return /^\p{sc=Hira}/u.test(next);
    return false;
  }
  if (ended.endsWith('..')) return false;
  if (isPlainEnd(ended)) return false;
  const tokens = ended.slice(-80).slice(0, -1).split(/\s+/u);
  const last = (tokens.at(-1) ?? '').replace(/^["“„«([{'‘*_-]+/u, '');
  const previous = (tokens.at(-2) ?? '').replace(/^["“„«([{'‘*_-]+/u, '');
  // Nothing is said yet: `Am 15. Lena besuchen`, `Ab 1.1. mehr Miete`.
  if (/^(?:am|ab|bis|vom|zum|seit)\s+\d{1,2}\.(?:\d{1,2}\.)?$/iu.test(ended.trimStart())) return true;
  // `p. ej.`, `d. h.`
  if (/^\p{L}\.$/u.test(previous) && GOES_ON.has(previous + last)) return true;
  if (/^\d{1,3}$/u.test(last)) return isOrdinal({ ended, next, previous });
  if (/^\p{Lu}$/u.test(last)) return isInitial(last, previous);
  if (/^\p{Ll}$/u.test(last) && /^\p{L}\./u.test(next)) return true;
  if (/^[ap]\.m$/u.test(last)) return MONTH_OR_DAY.test(next);
  if (GOES_ON_TO_FIGURE.has(last) || /\p{L}str$/u.test(last)) return /^\d/u.test(next);
  return GOES_ON.has(last);
}

/** An ordinary word and a full stop, and none before the word: most sentences end so, and nothing else needs to be asked of them. */
function isPlainEnd(ended: string): boolean {
  const blank = ended.lastIndexOf(' ');
  const word = ended.slice(blank + 1, -1);
  return (
    blank > 0 &&
    !/[.\s]/u.test(ended.charAt(blank - 1)) &&
    /^[a-z]{4,}$/u.test(word) &&
    !(GOES_ON.has(word) || GOES_ON_TO_FIGURE.has(word) || word.endsWith('str'))
  );
}

/** `1. Milk`, `am 3. Mai`, `ihr 40. Geburtstag`, `3. 5. 2026`. */
function isOrdinal(of: { ended: string; next: string; previous: string }): boolean {
  const { ended, next, previous } = of;
  if (previous === '' || /^\d{1,2}\.\s*$/u.test(next)) return true;
  if (/^\d{1,2}\.$/u.test(previous)) return /^\d{4}(?!\d)/u.test(next) || MONTH_OR_DAY.test(next);
  if (/^\d+$/u.test(previous)) return false;
  return MONTH_OR_DAY.test(next) || GERMAN.test(`${ended} ${next}`);
}

/** `J. Lindqvist`; but `Anna and I.` */
function isInitial(letter: string, previous: string): boolean {
  return letter !== 'I' || !/^(?:and|than|or|as|but)$/u.test(previous);
}
