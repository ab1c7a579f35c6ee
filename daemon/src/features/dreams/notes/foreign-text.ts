import { knownNames } from './known-names.ts';

/** Whether most words in small letters are in no English dictionary, or one is written with letters that English has not. */
export function isForeign(text: string): boolean {
  const words = text.match(/(?<!\p{L})\p{Ll}{2,}/gu) ?? [];
  const { isOrdinary } = knownNames();
  return (
    words.some((word) => /[^\x00-\x7f]/.test(word)) ||
    (words.length > 1 && words.filter((word) => isOrdinary(word)).length < words.length / 2)
  );
}
