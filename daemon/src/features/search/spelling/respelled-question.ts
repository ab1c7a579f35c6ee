import type { Store } from '../../../db/open-store.ts';
import { loadOrdinaryWords } from '../../../language/words/ordinary-words.ts';
import { languageOf } from '../query/query-language.ts';
import { type Correction, correctableWords, respelled } from './respelling.ts';
import type { Spelling } from './spelling.ts';

/** A question with words of memories in the place of those that none has, only where they can mean nothing else. */
export async function respelledQuestion(
  { store, spelling }: { store: Pick<Store, 'read'>; spelling: Pick<Spelling, 'correct'> },
  text: string,
  place: Parameters<Spelling['correct']>[2],
): Promise<{ text: string; corrected: Pick<Correction, 'word' | 'read_as'>[] }> {
  // What is no name is known of English alone.
  if (!languageOf(text).isEnglish) return { text, corrected: [] };
  const read = await spelling.correct(store, text, place);
  const small = correctableWords(text.replace(/\p{Lu}[\p{L}\p{M}]*/gu, ''));
  // Somebody else's name, or one word of several, is not what was asked about.
  const corrected = read.filter(
    ({ word, read_as: [only = '', ...others], isCapital }) =>
      others.length === 0 && small.includes(word) && !isCapital && loadOrdinaryWords().has(only),
  );
  return {
    text: respelled(text, corrected),
    corrected: corrected.map(({ word, read_as }) => ({ word, read_as })),
  };
}
