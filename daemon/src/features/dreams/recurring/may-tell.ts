import { grammarWords } from '../../../language/grammar.ts';
import type { ReadMemory } from '../notes/reading.ts';

/** Longer ones are documents: what they mention beside is no occasion. */
const LONGEST = 600;
const WORDS = grammarWords('may-tell').map((word) => word.replaceAll("'", "['’]"));
const TELLS = new RegExp(
  `(?<!\\p{L})(?:\\p{L}{2,}ed|\\p{L}+n['’]t|kein\\p{L}*|for the \\p{L}+ time|(?:second|third|fourth|fifth|\\d(?:nd|rd|th)) (?:time|one|week|day)|${WORDS.join('|')})(?!\\p{L})`,
  'iu',
);

/** Whether a memory may tell of something that happened. Errs on the side of yes: it only saves a model from reading rules and descriptions. */
export function maybeTells({ memory, sentences }: ReadMemory): boolean {
  return memory.value.length <= LONGEST && sentences.some(({ text }) => TELLS.test(text));
}
