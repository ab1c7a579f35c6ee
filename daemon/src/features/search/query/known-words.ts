import { ABROAD_MARK } from '../../../language/abroad/in-english.ts';

/** What is known of a word. */
export interface KnownWord {
  /** Of its stem. */
  readonly key: number;
  /** Its row in the table; -1 where the table lacks it. */
  readonly row: number;
  /** It says nothing of what is sought: a stop word, a letter, a figure. */
  readonly isStop: boolean;
  /** Phrases pass over it. */
  readonly isPassedOver: boolean;
}

/** Bits in `kinds` for a token: it is a border of sentences, or a word with any of the other bits. */
export const STOP = 1;
export const PASSED_OVER = 2;
export const BORDER = 4;
/** Beside `BORDER`: what follows is the English of a text in another language. */
export const ABROAD = 8;
/** What stands in `rows` for a word that the table lacks; no table has so many rows. */
export const NO_ROW = 0xffff;

/**
 * The words of a text in their order, and where its sentences end. Its arrays are used again for the next text that is cut: read it before.
 */
export interface CutText {
  /** Where the first one stands in the arrays, which others share. */
  readonly from: number;
  readonly count: number;
  readonly keys: Int32Array;
  readonly rows: Uint16Array;
  readonly kinds: Uint8Array;
}

/** Cuts texts into words of which everything is known. */
export interface KnownWords {
  /** In lower case. */
  word(word: string): KnownWord;
  cut(text: string): CutText;
}

/**
 * Words that are remembered: those that the table has, so that nothing of a deleted text stays in memory. A power of two,
 * larger than any table.
 */
const SLOTS = 2 ** 17;
const MOST = SLOTS * 0.6;
const FIRST = 0x811c9dc5 | 0;

const TOKENS = /[\p{L}\p{N}\p{M}\p{Co}]+|[.!?…]+(?=\s)|[。！？\n\u0002]/gu;

/**
 * Remembers words by a hash of their letters, so that cutting a text makes no strings: ranking cuts a hundred texts for each
 * query, and the strings took half of its time.
 */
export function createKnownWords(wordOf: (word: string) => KnownWord): KnownWords {
  const hashes = new Int32Array(SLOTS);
  const keys = new Int32Array(SLOTS);
  const rows = new Uint16Array(SLOTS);
  /** 0 where the place is free. */
  const kinds = new Uint8Array(SLOTS);
  let known = 0;
  let out = { keys: new Int32Array(512), rows: new Uint16Array(512), kinds: new Uint8Array(512) };

  const slotOf = (hash: number): number => {
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (kinds[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  };

  const kindOf = (word: KnownWord): number =>
    (word.isStop ? STOP : 0) | (word.isPassedOver ? PASSED_OVER : 0);

  const put = (at: number, word: KnownWord): void => {
    out.keys[at] = word.key;
    out.rows[at] = word.row < 0 ? NO_ROW : word.row;
    out.kinds[at] = kindOf(word);
  };

  function putKnown(at: number, hash: number): boolean {
    const slot = slotOf(hash);
    const kind = kinds[slot] ?? 0;
    if (kind === 0) return false;
    out.keys[at] = keys[slot] ?? 0;
    out.rows[at] = rows[slot] ?? NO_ROW;
    out.kinds[at] = kind & ~KNOWN;
    return true;
  }

  function putWord(at: number, hash: number, letters: string): void {
    const word = wordOf(letters.toLowerCase());
    put(at, word);
    if (word.row < 0 || known >= MOST) return;
    known++;
    const slot = slotOf(hash);
    hashes[slot] = hash;
    keys[slot] = word.key;
    rows[slot] = word.row;
    kinds[slot] = kindOf(word) | KNOWN;
  }

  function makeRoom(text: string): void {
    const most = text.length + 1;
    if (out.keys.length >= most) return;
    out = {
      keys: new Int32Array(2 * most),
      rows: new Uint16Array(2 * most),
      kinds: new Uint8Array(2 * most),
    };
  }

  /** Answers the number of tokens, or -1 for a text with letters that are not ASCII. */
  function cutAscii(text: string): number {
    let count = 0;
    let start = -1;
    let hash = FIRST;
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : SPACE;
      const letter = code < 128 ? (LETTERS[code] ?? 0) : 0;
      if (letter !== 0) {
        if (start < 0) start = i;
        hash = Math.imul(hash ^ letter, 16777619);
        continue;
      }
      if (start >= 0) {
        if (!putKnown(count, hash)) putWord(count, hash, text.slice(start, i));
        count++;
        start = -1;
        hash = FIRST;
      }
      if (code === SPACE) continue;
      if (code > 127 && !isSign(code)) return -1;
      if (code === MARK) out.kinds[count++] = BORDER | ABROAD;
      if (code === NEW_LINE || (isEnd(code) && text.charCodeAt(i + 1) <= SPACE)) out.kinds[count++] = BORDER;
    }
    return count;
  }

  function cutAny(text: string): number {
    let count = 0;
    for (const token of text.match(TOKENS) ?? []) {
      if (/^[\p{L}\p{N}\p{M}\p{Co}]/u.test(token)) put(count++, wordOf(token.toLowerCase()));
      else out.kinds[count++] = token === ABROAD_MARK ? BORDER | ABROAD : BORDER;
    }
    return count;
  }

  return {
    word: wordOf,
    cut(text) {
      makeRoom(text);
      const ascii = cutAscii(text);
      return { from: 0, count: ascii < 0 ? cutAny(text) : ascii, ...out };
    },
  };
}

const KNOWN = 128;
const SPACE = 32;
const NEW_LINE = 10;
const MARK = ABROAD_MARK.charCodeAt(0);

/** For each ASCII code its small letter or its figure; 0 for what is in no word. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0;
});
/** `.`, `!`, `?` and `…`. */
const isEnd = (code: number): boolean => code === 46 || code === 33 || code === 63 || code === 0x2026;
/** Punctuation and signs beyond ASCII that are in no word: Latin-1's, dashes and quotation marks, currencies, arrows, mathematics. */
const isSign = (code: number): boolean =>
  (code >= 0x80 &&
    code < 0xc0 &&
    code !== 0xaa &&
    code !== 0xb2 &&
    code !== 0xb3 &&
    code !== 0xb5 &&
    code !== 0xb9 &&
    code !== 0xba &&
    code < 0xbc) ||
  (code >= 0x2010 && code <= 0x205e) ||
  (code >= 0x20a0 && code <= 0x20bf) ||
  (code >= 0x2190 && code <= 0x22ff);
