import { deniesAlone, isBorneOut } from '../../../language/borne-out/borne-out.ts';
import { loadTagWords } from '../../../language/parts-of-speech.ts';
import type { DreamMemory } from '../strategies/strategy.ts';
import { longDate } from '../notes/day-and-quote.ts';

/** What a line of a model may rest on: memories, and what is known beside them. */
export interface Resting {
  readonly memories: readonly Pick<DreamMemory, 'key' | 'value' | 'time'>[];
  /** What was worked out from them: the day that a due date is on, the title of a proposal. */
  readonly besides?: readonly string[];
}

/** What a model says in a line, on one line; undefined where it says a figure, a date or a name that the memories do not, or the opposite of them. */
export async function toldLine(
  written: string,
  { memories, besides = [] }: Resting,
): Promise<string | undefined> {
  const line = written.replaceAll(/\s+/gu, ' ').trim();
  if (line === '' || memories.length === 0) return undefined;
  const quotes = memories.map(({ key, value, time }) => ({
    note: { text: value, about: [key, longDate(time), ...besides].join('\n'), time },
    words: value,
  }));
  const isSaid = isBorneOut(line, quotes, { question: '', tagWords: await loadTagWords() });
  return isSaid && !deniesAlone(line, quotes) ? line : undefined;
}
