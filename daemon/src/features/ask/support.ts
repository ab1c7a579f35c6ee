import { dateOf, dayOf } from './answer.ts';
import { labelOf, type Word, wordsOf } from './passages.ts';
import type { Question } from './question.ts';
import type { Answering } from './reranking.ts';

/** Share of a sentence's words that its sources, or the question, have to have. */
const SUPPORT = 0.4;
/** Characters of a sentence; a longer one is none, and would take long to compare. */
const LONGEST = 1_000;
const DENIES =
  /\b(?:not?|never|none|nothing|nobody|neither|nor|without|\w+n['’]t)\b|\bkein|\bnicht\b|\bnunca\b|\bpas\b/iu;

/**
 * Whether the sources say what a sentence says, as far as words tell: every figure and name of it stands in them or in the question,
 * and so do enough of its words; it denies nothing where they do not. Where the sources are in another language, figures have to do.
 */
export function isSupported(text: string, from: readonly Answering[], question: Question): boolean {
  if (text.length > LONGEST) return false;
  const sentence = plain(text);
  const sources = from.map(
    ({ memory }) =>
      `${plain(memory.value)}\n${plain(labelOf(memory))}\n${dayOf(dateOf(memory, question) ?? memory.created_at)}`,
  );
  const source = sources.join('\n');
  const asked = stemsOf(plain(question.text));
  const told = stemsOf(source);
  const stands = (stem: string) => told.has(stem) || asked.has(stem);
  // The version 1.2 is in 1.2.3, the day 3.5. in 3.5.2026, and 9.30 may be 9:30.
  const has = ({ stem, text }: Word) => {
    const [, whole, part] = /^(\d+)p(\d+)$/u.exec(text) ?? [];
    if (whole === undefined || part === undefined || stands(stem)) return stands(stem);
    return stands(whole) && (stands(part) || stands(`${part}0`));
  };
  const words = wordsOf(sentence);
  if (words.length === 0) return false;
  if (isTranslated(sentence, from)) return words.every((word) => !/\p{N}/u.test(word.text) || has(word));
  if (words.some((word) => word.isName && !has(word))) return false;
  if (DENIES.test(sentence) && !DENIES.test(source) && !mayDeny(sentence, question, { asked, told }))
    return false;
  return words.filter(has).length >= SUPPORT * words.length;
}

/** A model may have written its own marks. */
export function withoutMarks(text: string): string {
  // From the first blank of several only: else a long run of blanks would be read again from each of them.
  return text.replace(/(?<!\s)\s*\[\d+(?:\s*,\s*\d+)*\]/gu, '').trim();
}

/** 9.50 or 9,5; no part of a date or a version, no time of day. */
const DECIMAL = /(?<![\d.,])(\d+)[.,](\d{1,2})(?![\d\p{L}]|[.,]\d|\s*(?:[ap]\.?m|uhr)(?!\p{L}))/giu;

/** Without marks, with 1,307 and 1.307 as 1307, and with 9.50 and 9,50 as one word, for who says 50 does not say that. */
function plain(text: string): string {
  return withoutMarks(text)
    .replace(/(?<=\d)[,.'’\u202f](?=\d{3}(?!\d))/gu, '')
    .replace(DECIMAL, (_, whole: string, part: string) => {
      const rest = part.replace(/0+$/u, '');
      return rest === '' ? whole : `${whole}p${rest}`;
    });
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(({ stem }) => stem));
}

/**
 * Whether a sentence may deny though its sources do not: the question wants a yes or a no, or denies itself; or what is denied is
 * what only the question said, and so was taken for granted.
 */
function mayDeny(
  sentence: string,
  question: Question,
  { asked, told }: { asked: ReadonlySet<string>; told: ReadonlySet<string> },
): boolean {
  if (question.isYesNo || DENIES.test(question.text)) return true;
  const behind = sentence.slice(DENIES.exec(sentence)?.index).replace(/^\S+/u, '');
  const [first] = wordsOf(`… ${behind}`);
  return first !== undefined && asked.has(first.stem) && !told.has(first.stem);
}

/** Small words by which a language is told; of other languages nothing is known. */
const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set(
    'the of and is are was were to in on at for with by from it he she they you has have'.split(' '),
  ),
  de: new Set(
    'der die das und ist sind war im den dem ein eine mit auf für von zu nicht er sie es'.split(' '),
  ),
  es: new Set('el la los las y es son en un una con por para del que se al su ha'.split(' ')),
  fr: new Set('le la les et est sont en un une avec pour du des que se au il elle dans'.split(' ')),
  nl: new Set('de het een en is zijn was in op met voor van te niet hij zij dat'.split(' ')),
  it: new Set('il lo la gli e è sono un una con per del della che si al nel'.split(' ')),
};

function languageOf(text: string): string | undefined {
  if (/\p{sc=Hira}|\p{sc=Kana}/u.test(text)) return 'ja';
  if (/\p{sc=Han}/u.test(text)) return 'zh';
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(SMALL_WORDS).map(
    ([language, small]) => [language, words.filter((word) => small.has(word)).length] as const,
  );
  const [best, next] = counts.sort((a, b) => b[1] - a[1]);
  // A tie tells nothing.
  return best && best[1] > (next?.[1] ?? 0) ? best[0] : undefined;
}

/** Whether a sentence is in another language than everything that it rests on. */
function isTranslated(sentence: string, from: readonly Answering[]): boolean {
  const language = languageOf(sentence);
  return (
    language !== undefined &&
    from.every(({ memory }) => {
      const other = languageOf(memory.value);
      return other !== undefined && other !== language;
    })
  );
}
