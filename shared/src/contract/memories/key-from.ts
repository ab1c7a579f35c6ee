/** Words and letters of a key that is made. */
const WORDS = 6;
const LETTERS = 60;

/** The first words of a text in small letters with hyphens between them; `memory` where it has none. */
export function keyFrom(text: string): string {
  const [first = ''] = /[^\n]*[\p{L}\p{N}][^\n]*/u.exec(text) ?? [];
  const words =
    first
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const key = [...words.slice(0, WORDS).join('-')].slice(0, LETTERS).join('').replace(/-$/, '');
  return key === '' ? 'memory' : key;
}

/** Numbers that are tried behind a key that is taken, before a random end. */
const NUMBERS = 9;

/** The keys to try one after the other for a new memory: `key`, then `key-2` to `key-9`, at last one with `random` behind it. */
export function keysLike(key: string, random: string): string[] {
  const ends = Array.from({ length: NUMBERS }, (_, at) => (at === 0 ? '' : `-${at + 1}`));
  return [...ends, `-${random}`].map((end) => `${key}${end}`);
}
