import { tellsOccasion } from './occasions.ts';
import type { ReadMemory } from './reading.ts';

/** Longer ones are documents: what they mention beside is no occasion. */
const LONGEST = 600;
/** The past, a want, or a failure, in the commonest words of four languages. */
const HAPPENED =
  /(?<!\p{L})(?:\p{L}{2,}ed|was|were|had|went|came|got|took|lost|left|broke|fell|felt|woke|ran|said|found|sent|made|did|gave|began|hit|shut|hung|froze|died|forgot|missed|rang|slept|ate|spent|stood|met|saw|threw|drove|paid|bought|kept|wrote|won|blew|burst|stuck|drank|lay|sat|cannot|\p{L}+n['’]t|not|nobody|nothing|no|none|without|missing|gone|late|full|empty|down|red|dead|wrong|again|another|once more|error|busy|refused|only|still|after|today|tonight|second|third|fourth|fifth|stole|chose|sang|swam|gestern|war|hatte|ging|musste|kam|stand|kein\p{L}*|nicht|wieder|kaputt|était|avait|pas|encore|hay|estaba|otra vez)(?!\p{L})/iu;

/** Whether a memory may tell of something that happened; wide, for it only saves a model from reading rules and descriptions. */
export function maybeTells({ memory, sentences }: ReadMemory): boolean {
  if (memory.value.length > LONGEST) return false;
  return sentences.some(({ text }) => HAPPENED.test(text) || tellsOccasion(text));
}
