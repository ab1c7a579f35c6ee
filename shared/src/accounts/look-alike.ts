import { decodePunycode } from './punycode.ts';

/** Scripts whose letters are taken for one another, those of Eastern Asia that are written together, and the rest. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
  /(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])\p{L}/u,
];

/** A mark on a letter that has no form of its own with it, such as a dot below: hard to see. */
const MARKED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\p{M}/u;

/** Letters that most people read as Latin ones (from Unicode's confusables, UTS #39). */
const LIKE_LATIN = /^[0-9-аеорсухіѕјһԁԛԝӏґүкмнтвабгпҳӌοαρνυικτχεωϲյօսհոքցԁꭰ-ꮿᎠ-Ᏽ]+$/u;

/** Latin letters that stand for others in small type: phonetic signs, the dotless i, letters of full width. */
const ODD_LATIN = /[ıȷɑ-ʯᴀ-ᶿⱠ-ⱿꜢ-ꟿꬰ-ꭤａ-ｚ]/u;

/**
 * Whether a label of a domain, in ASCII, may be taken for another one once it is shown in its own letters:
 * it mixes scripts, or is made of letters that look Latin and are not, or cannot be decoded at all.
 */
export function isLookAlike(label: string): boolean {
  if (!label.startsWith('xn--')) return false;
  const shown = decodePunycode(label.slice(4));
  if (shown === undefined || /^[\u0000-\u007f]*$/.test(shown)) return true;
  const used = scripts.filter((script) => script.test(shown)).length;
  if (used !== 1 || ODD_LATIN.test(shown) || MARKED.test(shown) || /[\p{C}\p{Z}]/u.test(shown)) return true;
  return !/\p{Script=Latin}/u.test(shown) && LIKE_LATIN.test(shown);
}
