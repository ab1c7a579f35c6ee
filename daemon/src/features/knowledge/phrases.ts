import type { FindDates, FoundDate } from '../../language/dates.ts';
import type { TagWords } from '../../language/parts-of-speech.ts';
import { findQuantities } from '../../language/quantities.ts';
import type { ObjectKind } from './fact.ts';
import { normaliseText } from './normalise.ts';

/** What reads phrases. */
export interface Reader {
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

const PAUSE =
  /[;()]|,(?!\d)|:\s|\s[—–-]\s|(?<!\b(?:Dr|Prof|Mr|Mrs|Ms|St|No|Nr))\.\s|\s(?:because|which|who|whose|that|when|while|after|before|until|so|but|where|if|instead|than|although|though|except|unless|via|using|including|especially|rather|again|now|today|currently|anyway|too|as well|already|together|there|here|these days|at the moment|at present|for now|by the way|of course)\b/iu;
const NO_OBJECT =
  /^(?:it|this|that|these|those|them|him|her|us|me|you|there|here|what|one|ones|some|something|someone|anything|everything|nothing|a lot|lots|a bit|the same|the one|the first|the last|the best|the worst|the problem|the reason|the case|the way|the point|the idea|the thing|a must|a mess|a pain|a pity|fine|ok|okay|good|better|done|ready|there|after|for|in|on|at|under|off|out|up|down|over|about|near|behind|like|as)\b/iu;

/** Cuts an object out of what follows a verb and says what it is; undefined where it is not one thing. */
export function readObject(
  reader: Reader,
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

/** A date as it is compared: only what the text is certain of. */
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
const NO_SUBJECT =
  /^(?:(?:the|an?)$|it|this|that|these|those|there|here|you|your|they|their|them|one|ones|some|somebody|someone|everybody|everyone|anyone|all|both|each|most|many|few|who|what|which|where|when|how|whoever|whatever|another|other|others|such|only|even|just|as|like|in|on|at|for|with|to|from|by|after|before|since|during|and|but|or|so|then|also|because|not|no|mine|yours|ours|his|her|its)\b/iu;

const NO_NOUN = ['Determiner', 'Pronoun', 'Conjunction', 'Preposition', 'Verb', 'Adverb'];

/** Whether a text is the name of one thing: a noun phrase of at most so many words, without a verb or a pronoun. */
export function isThing(reader: Reader, text: string, longest = 5): boolean {
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
export function isNounObject(reader: Reader, { text, kind }: ObjectPhrase): boolean {
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
