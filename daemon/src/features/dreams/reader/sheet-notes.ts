import type { ReadMemory } from '../notes/reading.ts';
import { tokensOf } from '../notes/reading.ts';
import type { SheetFinding, SheetNote, SheetTurn } from '../strategies/strategy.ts';
import { firstSentence } from '../notes/day-and-quote.ts';

/** A short sheet fits a small model's context with what is asked: more lines are more pairs for a token, fewer are easier to weigh. */
export const SHORT: SheetTurn = { most: 40, room: 8_000 };
/** A long sheet finds what a short one has no room for, for half as many tokens a pair. */
export const LONG: SheetTurn = { most: 100, room: 16_000 };

/** A memory, or what is taken out of it, as one line of so many characters. */
export function sheetNote(
  { memory: { id, key, time, value } }: ReadMemory,
  most: number,
  said = value,
): SheetNote {
  const line = said.replaceAll(/[\s|\p{Cc}]+/gu, ' ').trim();
  return { id, key, time, text: line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…` };
}

/** A memory with the words of it that a model quotes. */
export interface QuotedReading extends ReadMemory {
  readonly words: string;
}

/** The memories that a finding quotes, as far as they are still there. */
export function quotedIn(
  quotes: SheetFinding['quotes'],
  byId: ReadonlyMap<number, ReadMemory>,
): QuotedReading[] {
  return quotes.flatMap(({ id, words }) => {
    const one = byId.get(id);
    return one ? [{ ...one, words }] : [];
  });
}

/** The sentence of a memory that has most to do with what is said of it; the first one where none has. */
export function sentenceAbout(one: ReadMemory, said: string): string {
  const wanted = termsOf(said);
  let best = { text: firstSentence(one), count: 0 };
  for (const { text, tokens } of one.sentences) {
    const count = new Set(tokens.flatMap(({ says, term }) => (says && wanted.has(term) ? [term] : []))).size;
    if (count > best.count) best = { text, count };
  }
  return best.text;
}

function termsOf(text: string): Set<string> {
  return new Set(tokensOf(text).flatMap(({ says, term }) => (says ? [term] : [])));
}
