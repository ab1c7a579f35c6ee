import { anyOf, listed } from '../../../language/word-lists.ts';

/** One alternative for the names of a list; a blank of theirs is whatever parts of a name are joined by. */
function namesOf(list: string): string {
  return anyOf(`redaction/${list}`).replaceAll(' ', '[-_ .]?').replaceAll("'", "['’]");
}

/** The same for words of any language: in scripts that put blanks between words, none begins within another word. */
function wordsOf(list: string): string {
  const rows = listed(`redaction/${list}`).sort((a, b) => b.length - a.length);
  const alternatives = (isSpaced: boolean) =>
    rows
      .filter((row) => /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(row) === isSpaced)
      .join('|')
      .replaceAll(' ', '[-_ ]?')
      .replaceAll("'", "['’]");
  return String.raw`(?<!\p{L})(?:${alternatives(true)})|(?:${alternatives(false)})`;
}

/** Names behind which a secret stands: `phrase` several words, `strict` a password, else a key or token. */
export const NAME = new RegExp(
  [
    `(?<phrase>${wordsOf('phrase-names')})`,
    String.raw`(?<strict>${namesOf('password-names')}|${wordsOf('password-words')}|\bpass\b|_pass\b)`,
    namesOf('key-names'),
    wordsOf('key-words'),
    String.raw`\bauth\b|_auth\b|credentials?\b|\bsig(?:nature)?(?==)`,
  ].join('|'),
  'giu',
);

const SUFFIXES = new Set(listed('redaction/harmless-suffixes'));

/** Whether the end of a name says that its value only describes a secret: `TOKEN_URL`, `passwordField`, `max_tokens`. */
export function describes(rest: string): boolean {
  const last = rest
    .replaceAll(/([a-z])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .findLast((word) => word !== '');
  return last !== undefined && SUFFIXES.has(last);
}

/** Whether what stands before a name makes it a count: `max_tokens`. */
export function counts(before: string): boolean {
  return /(?:max|min|num|count|total|input|output|prompt|completion)[-_]?$/iu.test(before);
}
