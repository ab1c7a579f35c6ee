import { foldText, STOP_WORDS } from '../words/words.ts';
import { commonBeginning } from './names.ts';

const DENIAL =
  /(?<!\p{L})(?:not?|never|none|nobody|nothing|without|cannot|\p{L}+n['’]t|nicht|kein(?:e[nmrs]?)?|nie|niemand|nichts|pas|jamais|sans|nunca|sin|non|mai|senza|niet|geen|nooit|zonder|nao|nem|sem)(?!\p{L})/iu;
/** Whether a text says of anything that it is not so. */
export const denies = (text: string) => foldText(text).toLowerCase().search(DENIAL) >= 0;

/** The words of a folded text that say something. */
export const contentOf = (text: string) =>
  (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !STOP_WORDS.has(word));

/** Whether two words are one with other endings: `eats`, `eat`. */
export function isForm(one: string, other: string): boolean {
  const longest = Math.max(one.length, other.length);
  return one === other || commonBeginning(one, other) >= Math.max(3, longest - 2);
}
