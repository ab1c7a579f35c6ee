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
 * A model's sentence on one line; undefined where it says a figure, date or name that the quoted memories do not, or the opposite of them.
 * `besides` are further texts that it may take these from, such as the day of a due date or a proposal's title.
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
