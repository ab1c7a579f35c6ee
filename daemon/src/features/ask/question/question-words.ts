import { listed } from '../../../language/word-lists.ts';

/** Words of questions, English, German, Spanish and French, that say nothing of what is sought, beside those that the index leaves out. */
export const OTHER_STOP_WORDS: ReadonlySet<string> = new Set(listed('ask/stop-words'));

/** Words that build a question and are not in its answer: what *kind* of, the *name* of, does he *still*. */
const SCAFFOLD: ReadonlySet<string> = new Set(listed('ask/scaffold'));

export function isScaffold(word: string): boolean {
  return SCAFFOLD.has(word);
}
