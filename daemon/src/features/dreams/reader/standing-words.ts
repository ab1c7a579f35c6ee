import { quotedFrom } from '../../../language/borne-out/quoted-words.ts';
import type { NoteQuote } from './prompts.ts';

/** A yes needs the words of so many notes, or of all where there are fewer. */
const ENOUGH = 2;

/** For each text, the words that a model quotes from it and that do stand in it, as the text writes them; undefined where none do. */
export function standingWords<Id extends string | number>(
  notes: readonly { readonly id: Id; readonly text: string }[],
  quotes: readonly NoteQuote<Id>[],
): (string | undefined)[] {
  return notes.map(({ id, text }) => {
    const own = quotes.filter(({ note }) => note === id);
    const parts = own.flatMap(({ words }) => quotedFrom(text, words) ?? []);
    return parts.length === 0 ? undefined : [...new Set(parts)].join(' … ');
  });
}

/**
 * The quotes by which a model shows that a claim about some texts holds, one for each text. Undefined where too few of them stand in the
 * texts: then its yes does not count.
 */
export function wordsOfYes(
  texts: readonly string[],
  quotes: readonly NoteQuote<number>[],
): (string | undefined)[] | undefined {
  const words = standingWords(
    texts.map((text, at) => ({ id: at + 1, text })),
    quotes,
  );
  const standing = words.filter((one) => one !== undefined).length;
  return standing >= Math.min(ENOUGH, texts.length) ? words : undefined;
}
