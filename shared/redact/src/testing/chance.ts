/** A seeded source of chance: the same texts each time. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** So many characters of an alphabet. */
export function drawn(chance: () => number, alphabet: string, count: number): string {
  return Array.from({ length: count }, () => alphabet.charAt(Math.floor(chance() * alphabet.length))).join(
    '',
  );
}

export const DIGITS = '0123456789';
export const HEX = '0123456789abcdef';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const LETTERS_AND_DIGITS = DIGITS + UPPER + LOWER;
export const BASE64 = `${LETTERS_AND_DIGITS}+/`;
export const BASE64_URL = `${LETTERS_AND_DIGITS}_-`;
