import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { isoDay } from '../../language/notes/noted-day.ts';
import type { Frame } from './frames.ts';
import { dayOf, timeOf } from './notes.ts';
import type { AskMemory } from './ports.ts';

/** Words that are quoted of a memory. */
export interface MemoryQuote {
  readonly memory: AskMemory;
  readonly text: string;
  /** Since when the same is told with another value, in ms since 1970. */
  readonly until?: number | undefined;
}

/** The answer without a model: what is quoted, word for word, each with its key and, where it has one or several are quoted, its date. */
export function quotedAnswer(frame: Frame, quotes: readonly MemoryQuote[]): string {
  const day = (iso: string) => dayOf(iso, frame.locale);
  const lines = quotes.map(({ memory, text, until }) => {
    const { noted } = memory;
    const told = timeOf(memory) ?? (noted && isoDay(noted.on));
    // That it was stored on a day is no date of what it says.
    const stored = quotes.length > 1 ? frame.stored(day(memory.updated_at)) : undefined;
    const date = told === undefined ? stored : day(told);
    const before = until === undefined ? '' : frame.until(day(new Date(until).toISOString()));
    return `${before}"${text}" — ${date === undefined ? memory.key : `${memory.key}, ${date}`}`;
  });
  return [frame.notSure, ...lines].join('\n');
}

/** When it was that a question is answered as of, written out; undefined for now. */
function dayAt({ locale }: Frame, asOf: number | undefined): string | undefined {
  return asOf === undefined ? undefined : dayOf(new Date(asOf).toISOString(), locale);
}

/** Where it was looked, as a sentence of a frame takes it; nothing for every namespace. */
function placeOf(frame: Frame, namespace: string): string {
  return namespace === EVERY_NAMESPACE ? '' : frame.inNamespace(namespace);
}

/** Says that there is nothing to answer from: a namespace that does not exist, or that is empty. */
export function emptyAnswer(frame: Frame, namespace: string, asOf: number | undefined): string {
  return frame.nothingIn(placeOf(frame, namespace), dayAt(frame, asOf));
}

/** Says that no memory of where it was looked answers, and which words of the question none there has. */
export function noAnswer(
  frame: Frame,
  { namespace, missing, asOf }: { namespace: string; missing: readonly string[]; asOf: number | undefined },
): string {
  const known = frame.noAnswer(placeOf(frame, namespace), dayAt(frame, asOf));
  if (missing.length === 0) return known;
  const words = missing.map((word) => `“${word}”`).join(', ');
  return `${known} ${frame.mentionsNone(words, namespace !== EVERY_NAMESPACE)}`;
}
