import type { ReadRecord, ReadEntry } from '../../format.ts';
import { promptTitleRead } from '../../reads.ts';
import { createRecent, type Recent } from '../../recent.ts';
import { createTextNames, type LogStream, type TextNames } from './text-names.ts';

/** The state of a session, which its later records need of earlier ones. */
export interface RecordPlace {
  session: string;
  /** Ms since 1970 of the record, or of the last one that has a time. */
  at: number;
  said: TextNames;
  /** Names of tools by their calls. */
  tools: Recent<string>;
  /** Calls whose result was displayed. That one stands: it has the output alone and how it ended. */
  displayed: Recent<true>;
  /** How many parts an item of a turn had when it was met: it may come again, with more of them. */
  parts: Recent<number>;
  /** Scripts of the model that may not have ended, in the order of their calls. */
  scripts: readonly Script[];
  /** The last answer, where it was not displayed: before a compaction that is its summary. */
  undisplayed?: string | undefined;
  titled: boolean;
}

/** A script that the model runs instead of calling tools. */
export interface Script {
  /** The name of its call. */
  call: string;
  /** When it was called, ms since 1970. */
  at: number;
  text: string;
  /** Whether it goes on behind its output, or was broken off. */
  isPaused: boolean;
  /** Whether something that it did stands for it. */
  isFolded: boolean;
  /** Whether something that it did failed. */
  hasFailed: boolean;
}

/** Calls that results may come for. Those of some hours. */
const CALLS = 10_000;

/** The place of the first record of a session. */
export function createPlace(session: string): RecordPlace {
  return {
    session,
    at: 0,
    said: createTextNames(),
    tools: createRecent(CALLS),
    displayed: createRecent(CALLS),
    parts: createRecent(CALLS),
    scripts: [],
    titled: false,
  };
}

/** An entry of the turn that goes on. */
export function entryRead(
  place: RecordPlace,
  entry: Omit<ReadEntry, 'at' | 'byPerson'> & { byPerson?: boolean },
): ReadRecord {
  place.said.add(entry.item);
  return {
    session: place.session,
    kind: 'entry',
    entry: { at: place.at, byPerson: false, ...entry, text: entry.text.toWellFormed() },
  };
}

/** An answer or thinking, which both logs of a file hold; nothing where the other log has said it already. */
export function saidReads(
  place: RecordPlace,
  { kind, text, stream }: { kind: 'answer' | 'thinking'; text: string; stream: LogStream },
): ReadRecord[] {
  if (text.trim() === '') return [];
  const { item, first } = place.said.name('said', text, stream);
  place.undisplayed = stream === 'model' && first && kind === 'answer' ? item : undefined;
  return first ? [entryRead(place, { item, kind, text })] : [];
}

/** The parts of an item that were not there when it was met before. */
export function newParts<T>(place: RecordPlace, item: string | undefined, parts: readonly T[]): readonly T[] {
  if (item === undefined) return parts;
  const before = place.parts.get(item) ?? 0;
  place.parts.set(item, Math.max(before, parts.length));
  return parts.slice(before);
}

/** A prompt, which begins a turn. `text` has its images as marks; by `words` the prompt is named. */
export function promptReads(
  place: RecordPlace,
  { text, words, byPerson }: { text: string; words: string; byPerson: boolean },
): ReadRecord[] {
  if (text.trim() === '') return [];
  place.said.beginTurn();
  place.undisplayed = undefined;
  const { item } = place.said.name('prompt', words, 'display');
  const reads = [entryRead(place, { item, kind: 'prompt', text, byPerson })];
  if (place.titled) return reads;
  place.titled = true;
  return [...reads, promptTitleRead(place.session, text)];
}
