import type { TagWords } from '../../../language/parts-of-speech.ts';

/** Whether an English text tells of what happened: it has a past tense that is no state (`is closed`). */
export function isPast(text: string, tag: TagWords): boolean {
  const words = tag(text);
  return words.some(
    ({ tags }, at) =>
      tags.has('PastTense') &&
      !words.slice(Math.max(0, at - 3), at).some((before) => before.tags.has('Copula')),
  );
}

/** Whether the first verb of an English text is in the past tense: `Paid the plumber`, but not `must be paid` or `use deionised water`. */
export function beginsPast(text: string, tag: TagWords): boolean {
  const first = tag(text).find(({ tags }) => tags.has('Verb'));
  return first?.tags.has('PastTense') === true;
}
