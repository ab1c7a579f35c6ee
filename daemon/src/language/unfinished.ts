import { ENGLISH_WEEKDAYS, MONTH_STEMS } from './date-names.ts';
import { anyOf, listed } from './word-lists.ts';

/** Abbreviations behind which a sentence goes on, whatever stands there: titles, `e.g.`, and what belongs to a name or a figure. */
const GOES_ON = words('language/abbreviations');
/** Those behind which it goes on where a figure comes: `No. 5`, but `No. I was wrong`. */
const GOES_ON_TO_FIGURE = words('language/abbreviations-before-figures');
/** What is numbered or lettered: behind `building 7.` and `plan B.` a sentence ends. */
const NUMBERED = new RegExp(
  String.raw`^(?:${anyOf('language/numbered')}|\p{L}*stra(?:ß|ss)e|\p{L}*str|\p{L}+weg|\p{L}+gasse|\p{L}+platz|\p{L}+allee)$`,
  'iu',
);
/** Small words by which German is told, where `3. Mai` and `40. Geburtstag` are ordinals. */
const GERMAN =
  /[äöüß]|(?<!\p{L})(?:der|den|dem|das|und|ist|im|am|zum|vom|ein|eine[nrms]?|mein[ea]?|ihr|sein|wir|ich|nicht|mit|bis|seit|jeden|auf)(?!\p{L})/iu;
const MONTH_OR_DAY = new RegExp(
  String.raw`^(?:${MONTH_STEMS.join('|')}|(?:${ENGLISH_WEEKDAYS.join('|')})\b)`,
  'u',
);

/** Names that end in a mark, whatever comes behind them with a small letter; and those of Yahoo's parts. */
const MARKED_NAME =
  /(?<!\p{L})(?:Yahoo|Jeopardy|Wham|Joomla|Kahoot|Yum|Oklahoma|Mamma Mia|Panic|Airplane|Guess Who|Moulin Rouge)[!?]$/u;
const PART_OF_YAHOO =
  /^(?:Mail|News|Finance|Japan|Groups|Answers|Sports|Messenger|Inc|Weather|Search)(?!\p{L})/u;
/** What states and unions have: the U.S. Army, the U.N. Security Council; but `to the U.S. Then …`. */
const OF_STATE = new RegExp(String.raw`^${anyOf('language/of-states')}(?!\p{L})`, 'u');

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
    return /[!?]$/u.test(ended) && isMarkedName(ended, next);
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
  if (/^(?:\p{Lu}\.)+\p{Lu}$/u.test(last)) return OF_STATE.test(next) || isInitials(last, previous);
  if (/^\d{1,3}$/u.test(last)) return isOrdinal({ ended, next, previous });
  if (/^\p{Lu}$/u.test(last)) return isInitial(last, previous);
  if (/^\p{Ll}$/u.test(last) && /^\p{L}\./u.test(next)) return true;
  if (/^[ap]\.m$/u.test(last)) return MONTH_OR_DAY.test(next);
  if (last === 'г' && /\d$/u.test(previous)) return false;
  if (last === 'St') return !/^\p{Lu}\p{Ll}/u.test(previous) || GERMAN.test(ended);
  if (last === 'Sr') return previous === '' || /^(?:\p{Ll}+|El|Al|Del|O|Ao|Do)$/u.test(previous);
  if (last === 'Fr') return GERMAN.test(`${ended} ${next}`) || previous === '';
  if (/^(?:Mio|Mrd|Tsd)$/u.test(last)) return /\d$/u.test(previous);
  // `Dr. med. Weber`, `Prof. Dr. rer. nat. Weber`
  if (/^(?:med|phil|jur|rer|nat|habil|dent|vet|pol|oec)$/u.test(last)) return previous.endsWith('.');
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

/** `Yahoo! is`, `the band Wham! has`: behind a name that is not the first word it goes on as after any name. */
function isMarkedName(ended: string, next: string): boolean {
  if (MARKED_NAME.test(ended))
    return /^\p{Ll}/u.test(next) || (/Yahoo!$/u.test(ended) && PART_OF_YAHOO.test(next));
  return (
    /\p{L}\s+\p{Lu}\p{L}*!$/u.test(ended) &&
    /^(?:is|was|were|are|has|had|have|will|and|or|with|for|in|on|at|to|from|by)(?!\p{L})/u.test(next)
  );
}

/** `J.K. Rowling`, but not the U.K. and the like. */
function isInitials(letters: string, previous: string): boolean {
  return (
    !/^(?:U\.[SKN](?:\.A)?|D\.C|L\.A|N\.Y(?:\.C)?|E\.U|B\.C|A\.D|P\.S|A\.M|P\.M|R\.S\.V\.P)$/u.test(
      letters,
    ) && !/^(?:the|an?|in|to|from|of|at|for)$/iu.test(previous)
  );
}

/** `1. Milk`, `am 3. Mai`, `ihr 40. Geburtstag`, `3. 5. 2026`; in `Version 2. It …` a sentence ends. */
function isOrdinal(of: { ended: string; next: string; previous: string }): boolean {
  const { ended, next, previous } = of;
  if (previous === '' || /^\d{1,2}\.\s*$/u.test(next)) return true;
  if (/^\d{1,2}\.$/u.test(previous)) return /^\d{4}(?!\d)/u.test(next) || MONTH_OR_DAY.test(next);
  if (/^\d+$/u.test(previous) || NUMBERED.test(previous.replace(/[.:]$/u, ''))) return false;
  return MONTH_OR_DAY.test(next) || GERMAN.test(`${ended} ${next}`);
}

/** `J. Lindqvist`; but `plan B.`, and `Anna and I.` */
function isInitial(letter: string, previous: string): boolean {
  if (letter === 'I' && /^(?:and|than|or|as|but)$/u.test(previous)) return false;
  return !NUMBERED.test(previous) || /^(?:is|are|was|were|to|than|about|only)$/iu.test(previous);
}
