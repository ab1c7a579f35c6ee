import { wordsOf } from './content-words.ts';

/** Characters of a question that are read; a pasted page is no question, and would keep everybody else waiting. */
export const MOST_READ = 1_000;

/** Letters of a question in capitals only; fewer are an abbreviation. */
const SHOUTED = 8;
/** Words from which on a question tells a story before it asks; more than so many are not read closely. */
const LONG = 40;
/** Words that say something, without which what is asked at the end of a story is not understood by itself. */
const ENOUGH = 3;

/**
 * A question that was typed all in capitals, put into small letters, because capitals are read as signs of names; identifiers and figures
 * stay as they are.
 */
export function spoken(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < SHOUTED || !/\s/u.test(text.trim()) || /\p{Ll}/u.test(text)) return text;
  return text.replace(/[^\s"“”?!.,;:()]+/gu, (word) =>
    /[\p{N}_/\\@]/u.test(word) ? word : word.toLowerCase(),
  );
}

/** The question at the end of a long text, where it says enough by itself; else the whole text. */
export function pointOf(text: string): string {
  if ((text.match(/\S+/gu)?.length ?? 0) < LONG) return text;
  const end = /[^.:;!?\n]+\?\s*$/u.exec(text.slice(-400))?.[0].trim();
  return end !== undefined && wordsOf(end).length >= ENOUGH ? end : text;
}
