import { deniesAlone, isBorneOut } from '../../../language/borne-out/borne-out.ts';
import { loadTagWords } from '../../../language/parts-of-speech.ts';
import type { DreamMemory } from '../strategies/strategy.ts';
import { longDate } from '../notes/day-and-quote.ts';

/** Words of a memory that a line of a model rests on. */
export interface QuotedMemory {
  readonly memory: Pick<DreamMemory, 'key' | 'value' | 'time'>;
  readonly words: string;
}

/**
 * What a model says in a line, on one line; undefined where it says a figure, a date or a name that the words of its memories do not, or the
 * opposite of them. `besides` was worked out from them: the day that a due date is on, the title of a proposal.
 */
export async function toldLine(
  written: string,
  quoted: readonly QuotedMemory[],
  besides: readonly string[] = [],
): Promise<string | undefined> {
  const line = written.replaceAll(/\s+/gu, ' ').trim();
  if (line === '' || quoted.length === 0) return undefined;
  const quotes = quoted.map(({ memory: { key, value, time }, words }) => ({
    note: { text: value, about: [key, longDate(time), ...besides].join('\n'), time },
    words,
  }));
  const isSaid = isBorneOut(line, quotes, { question: '', tagWords: await loadTagWords() });
  return isSaid && !deniesAlone(line, quotes) ? line : undefined;
}
