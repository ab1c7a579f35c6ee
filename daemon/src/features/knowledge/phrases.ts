import type { FindDates, FoundDate } from '../../language/dates.ts';
import type { TagWords } from '../../language/parts-of-speech.ts';
import { findQuantities } from '../../language/quantities.ts';
import type { ObjectKind } from './fact.ts';
import { normaliseText } from './normalise.ts';
import { anyOf } from '../../language/word-lists.ts';

/** What it takes to read phrases. */
export interface PhraseReader {
  readonly tagWords: TagWords;
  readonly findDates: FindDates;
  /** What `last Friday` is counted from. */
  readonly now: number;
}

/** The object of a statement, and since when it holds where a date follows it. */
export interface ObjectPhrase {
  readonly text: string;
  readonly norm: string;
  readonly kind: ObjectKind;
  readonly since: number | undefined;
}

const PAUSE = new RegExp(
  String.raw`[;()]|,(?!\d)|:\s|\s[—–-]\s|(?<!\b(?:Dr|Prof|Mr|Mrs|Ms|St|No|Nr))\.\s|\s${anyOf('knowledge/pauses')}\b`,
  'iu',
);
const NO_OBJECT = new RegExp(String.raw`^${anyOf('knowledge/no-objects')}\b`, 'iu');

/** Cuts an object out of what follows a verb and says what it is; undefined where it is not one thing. */
export function readObject(
  reader: PhraseReader,
  rest: string,
  take: { longest?: number; and?: boolean } = {},
): ObjectPhrase | undefined {
  const { longest = 8, and = false } = take;
  const dates = reader.findDates(rest, reader.now);
  const date = dates[0];
  if (
    date &&
    /^\s*(?:(?:on|in|at|by|from|the|since)\s+)*$/iu.test(rest.slice(0, date.start)) &&
    isWhole(rest.slice(date.end))
  )
    return { text: date.text, norm: dateNorm(date), kind: 'date', since: undefined };
  const pause = PAUSE.exec(rest)?.index ?? rest.length;
  const dated = dates.find(({ start }) => start > 0 && start <= pause + 2);
  const end = dated ? Math.min(pause, dated.start) : pause;
  let text = rest.slice(0, end);
  if (dated)
    text = text
      .replace(/\s+(?:on|in|at|by|from|since|as of|the|last|this|next)\s*$/iu, '')
      .replace(/\s+(?:on|in|since|from|as)\s*$/iu, '');
  if (!and) text = text.split(/\s(?:and|or)\s/iu)[0] ?? '';
  text = text.replace(/^(?:["'“„«])|["'”»]$|[.:!,]+$/gu, '').trim();
  if (text === '' || text.split(/\s+/u).length > longest || NO_OBJECT.test(text)) return undefined;
  const since = dated && ['since', 'at', 'after'].includes(dated.relation) ? dated.from : undefined;
  return { text, ...kindOf(text), since };
}

/** Whether a text ends, or goes on with something else. */
function isWhole(rest: string): boolean {
  return /^\s*(?:$|[,;.!)]|\d{4}\b|at \d|and\b|\(|every\b|in \p{Lu})/u.test(rest);
}

function kindOf(text: string): { norm: string; kind: ObjectKind } {
  const [quantity] = findQuantities(text);
  if (quantity?.start === 0 && text.length - quantity.end <= 1) {
    const { norm, kind } = quantity;
    return { norm, kind: kind === 'version' ? 'number' : kind };
  }
  if (
    /^(?:(?:Dr|Prof|Mr|Mrs|Ms|Frau|Herr)\.?\s)?\p{Lu}[\p{L}\p{N}'’.&-]*(?:\s(?:(?:van|von|de|der|del|di|of|&)\s)?\p{Lu}[\p{L}\p{N}'’.&-]*)*$/u.test(
      text,
    )
  )
    return { norm: normaliseText(text).replace(/\b(dr|prof|mr|mrs|ms)\./gu, '$1'), kind: 'name' };
  return { norm: normaliseText(text).replace(/^(?:the|a|an)\s+/u, ''), kind: 'text' };
}

/** A date in the form in which dates are compared, with only what the text is certain of: `2026-05-03`, `2026-05`, `--05-03`. */
export function dateNorm(date: FoundDate): string {
  const iso = new Date(date.from).toISOString();
  const has = (part: FoundDate['certain'][number]) => date.certain.includes(part);
  const time = date.grain === 'hour' || date.grain === 'minute' ? iso.slice(10, 16) : '';
  if (has('month') && has('day') && !has('year')) return `-${iso.slice(4, 10)}${time}`;
  if (date.grain === 'year') return iso.slice(0, 4);
  if (date.grain === 'month') return has('year') ? iso.slice(0, 7) : `-${iso.slice(4, 7)}`;
  return `${iso.slice(0, 10)}${time}`;
}

/** Words that open no name of a thing. */
const NO_SUBJECT = new RegExp(String.raw`^(?:(?:the|an?)$|${anyOf('knowledge/no-subjects')}\b)`, 'iu');

const NO_NOUN = ['Determiner', 'Pronoun', 'Conjunction', 'Preposition', 'Verb', 'Adverb'];

/** Whether a text is the name of one thing: a noun phrase of at most so many words, without a verb or a pronoun. */
export function isThing(reader: PhraseReader, text: string, longest = 5): boolean {
  const words = text.split(/\s+/u);
  if (text === '' || words.length > longest || NO_SUBJECT.test(text) || /[,;:!?()]|\s[-–—]\s/u.test(text))
    return false;
  // Identifiers and capitalised words are names, whatever the tagger takes them for.
  if (words.every((word) => /[\p{Lu}\p{N}_./-]/u.test(word))) return true;
  const tagged = reader.tagWords(text);
  const isNoun = ({ text: word, tags }: { text: string; tags: ReadonlySet<string> }) =>
    /[\p{N}_./]|\p{Ll}\p{Lu}/u.test(word) ||
    tags.has('Noun') ||
    tags.has('Gerund') ||
    tags.has('Abbreviation');
  const isPart = (word: { text: string; tags: ReadonlySet<string> }) =>
    isNoun(word) ||
    ['Determiner', 'Adjective', 'Value', 'Possessive', 'Participle'].some((tag) => word.tags.has(tag)) ||
    /^(?:of|for|de|von|van|and|&|to)$/u.test(word.text);
  const last = tagged.at(-1);
  return (
    last !== undefined &&
    (isNoun(last) || (tagged.length === 1 && !NO_NOUN.some((tag) => last.tags.has(tag)))) &&
    tagged.every((word) => isPart(word) && !(word.tags.has('Pronoun') && !word.tags.has('Possessive')))
  );
}

/** Whether an object is a noun phrase, and no state (`broken`, `tired`). */
export function isNounObject(reader: PhraseReader, { text, kind }: ObjectPhrase): boolean {
  if (kind !== 'text') return true;
  const tagged = reader.tagWords(text);
  const last = tagged.at(-1);
  const first = tagged[0];
  if (!first || !last) return false;
  if (/[\p{N}_./@-]/u.test(text)) return true;
  const startsLikeVerb = first.tags.has('Verb') && !first.tags.has('Gerund') && tagged.length > 1;
  // `plays drums`: a plural alone is a verb to the tagger.
  if (tagged.length === 1 && first.tags.has('PresentTense') && text.endsWith('s')) return true;
  return (
    last.tags.has('Noun') &&
    !last.tags.has('Pronoun') &&
    !startsLikeVerb &&
    !tagged.some(({ tags }) => tags.has('Copula') || tags.has('Modal'))
  );
}
