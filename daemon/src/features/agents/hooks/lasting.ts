import { tellsPast } from '../../../language/words/grammar.ts';
import { seemsSecret } from '@reverie/redact/seems-secret';
import { sentencesOf } from '../../../language/sentences.ts';
import type { YieldToOthers } from '../../../platform/yielding.ts';
import { listed } from '../../../language/words/word-lists.ts';

/** A sentence in which a person says what is to hold from then on, and the words that show it (`by`). */
export interface Lasting {
  sentence: string;
  by: string;
}

const BEGINNINGS = listed('agents/lasting-beginnings');
const ANYWHERE = listed('agents/lasting-anywhere');
const NOT = listed('agents/lasting-not');

/** Characters of a sentence at most: what is longer is a paste. */
const LONGEST = 400;
/** Sentences of one prompt at most. */
const MOST = 5;

/** Characters that are read at once: a border of lines is one of sentences, too. */
const PIECE = 4096;

/** Finds what `lastingIn` finds, piece by piece, between which others have their turn. */
export async function lastingInPieces(text: string, yieldToOthers: YieldToOthers): Promise<Lasting[]> {
  const found: Lasting[] = [];
  for (let start = 0; start < text.length && found.length < MOST;) {
    await yieldToOthers();
    const border = ['\n', ' '].map((mark) => text.lastIndexOf(mark, start + PIECE)).find((at) => at > start);
    const end = start + PIECE >= text.length ? text.length : (border ?? start + PIECE);
    found.push(...lastingIn(text.slice(start, end)));
    start = end;
  }
  return found.slice(0, MOST);
}

/** Sentences of a text that say what is to hold from then on, at most five. Questions are left out, and so is what seems secret. */
export function lastingIn(text: string): Lasting[] {
  const found: Lasting[] = [];
  for (const { text: sentence } of sentencesOf(text)) {
    if (found.length === MOST) break;
    const by = lastingBy(sentence);
    if (by !== undefined && !seemsSecret(sentence)) found.push({ sentence, by });
  }
  return found;
}

function lastingBy(sentence: string): string | undefined {
  if (sentence.length > LONGEST || sentence.endsWith('?')) return undefined;
  const words = sentence
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[^\p{L}]+/u, '')
    .replaceAll(/\s+/gu, ' ');
  const padded = ` ${words.replaceAll(/[^\p{L}\p{N}']+/gu, ' ')} `;
  if (NOT.some((not) => padded.includes(` ${not} `))) return undefined;
  // What has nothing behind its first words says nothing.
  if (words.split(' ').length < 4) return undefined;
  const begin = longest(BEGINNINGS.filter((phrase) => beginsWith(words, phrase)));
  // `Never felt so well` tells of what was.
  if (begin !== undefined && tellsPast(words.slice(begin.length).trim().split(' ', 1)[0] ?? ''))
    return undefined;
  return begin ?? longest(ANYWHERE.filter((phrase) => padded.includes(` ${phrase} `)));
}

function beginsWith(words: string, phrase: string): boolean {
  return words.startsWith(phrase) && !/[\p{L}\p{N}'-]/u.test(words.charAt(phrase.length));
}

function longest(phrases: readonly string[]): string | undefined {
  return phrases.toSorted((a, b) => b.length - a.length)[0];
}

/** A key for a sentence that is to last: `rule-` and its first six words, without those that make it last. */
export function suggestedKey({ sentence, by }: Lasting): string {
  const words = sentence
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(by, ' ')
    .normalize('NFKD')
    .match(/[\p{L}\p{N}]+/gu);
  return `rule-${(words ?? []).slice(0, 6).join('-').slice(0, 60) || 'said'}`;
}
