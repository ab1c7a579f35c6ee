import { foldText, STOP_WORDS } from '../words.ts';
import { commonBeginning } from './names.ts';

const DENIAL =
  /(?<!\p{L})(?:not?|never|none|nobody|nothing|without|cannot|\p{L}+n['’]t|nicht|kein(?:e[nmrs]?)?|nie|niemand|nichts|pas|jamais|sans|nunca|sin|non|mai|senza|niet|geen|nooit|zonder|nao|nem|sem)(?!\p{L})/giu;
/** Behind these nothing is denied that was so, or something more is said: `not only`, `not yet`, `no longer`, `nicht mehr`. */
const NO_DENIAL =
  /(?<!\p{L})(?:only|just|nur|solo|seulement|soltanto|alleen|apenas|other|ander\p{L}*|yet|longer|any ?more|mehr|plus|noch|encore|ancora|todavia|aun|ya no|nog|meer|mais|ainda|until|bis)(?!\p{L})/iu;
const CLAUSE =
  /[,.;:!?()–—]|(?<!\p{L})(?:but|except|than|sondern|ausser|aber|sino|pero|excepto|mais|sauf|ma|tranne|maar|behalve|mas|exceto)(?!\p{L})/iu;

interface Read {
  /** The words that say something, folded. */
  readonly words: readonly string[];
  /** For each denial the first of them behind it in its clause. */
  readonly denied: readonly string[];
  readonly isPartly: boolean;
}

function read(given: string): Read {
  const text = foldText(given).toLowerCase();
  const denied = [...text.matchAll(DENIAL)].flatMap(({ 0: denial, index }) => {
    const behind = contentOf(text.slice(index + denial.length).split(CLAUSE)[0] ?? '');
    return behind.find((word) => word.length > 3) ?? behind[0] ?? [];
  });
  return { words: contentOf(text.replaceAll(DENIAL, ' ')), denied, isPartly: NO_DENIAL.test(text) };
}

/** Whether a text says of anything that it is not so. */
export const denies = (text: string) => foldText(text).toLowerCase().search(DENIAL) >= 0;

/** The words of a folded text that say something. */
export const contentOf = (text: string) =>
  (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !STOP_WORDS.has(word));

/** Whether a sentence says of what its quotes say, in the same words, that it is not so; or that it is, where they deny it. */
export function isTurned(sentence: string, quoted: string): boolean {
  const [own, other] = [read(sentence), read(quoted)];
  if ((own.denied.length === 0) === (other.denied.length === 0) || own.isPartly || other.isPartly)
    return false;
  const isIn = (word: string, all: readonly string[]) => all.some((one) => isForm(one, word));
  if (own.words.length === 0 || !own.words.every((word) => isIn(word, other.words))) return false;
  const [denier, asserter] = own.denied.length > 0 ? [own, other] : [other, own];
  const count = (all: readonly string[], word: string) => all.filter((one) => isForm(one, word)).length;
  // Denied of one and said of another: `do not water before eight, water after it`.
  return denier.denied.some(
    (word) => isIn(word, asserter.words) && count(denier.words, word) === count(denier.denied, word),
  );
}

/** Whether two words are one with other endings: `eats`, `eat`. */
export function isForm(one: string, other: string): boolean {
  const longest = Math.max(one.length, other.length);
  return one === other || commonBeginning(one, other) >= Math.max(3, longest - 2);
}
