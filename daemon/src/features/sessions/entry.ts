import { createHash, hash } from 'node:crypto';
import type { EntryKind } from '@reverie/shared/contract/sessions';
import { LONGEST_AHEAD } from '@reverie/shared/document/clock';
import { indexedText } from '../../language/indexed-text.ts';

/** Characters of a text that are kept of an entry; how long it was is kept, too. */
export const LONGEST_TEXT = 1_000_000;
/** Characters of an entry that can be searched for, by its kind: from its start, and from its end. A log of tools is mostly output. */
const SEARCHED: Readonly<Record<EntryKind, readonly [start: number, end: number]>> = {
  prompt: [64_000, 0],
  answer: [64_000, 0],
  summary: [64_000, 0],
  note: [64_000, 0],
  thinking: [4_000, 0],
  tool_call: [2_000, 0],
  // What went wrong stands at the end.
  tool_result: [1_000, 500],
  other: [0, 0],
};

/** Nothing that an agent did is older than this, ms since 1970: a clock that was never set says so. */
const EARLIEST = Date.UTC(2000, 0);
/** Returns the latest time that an entry may have, ms since 1970. */
export function latestTime(now: number): number {
  return now + LONGEST_AHEAD;
}

/** Returns a time that is not possible as the nearest one that is; both in ms since 1970. */
export function nearestTime(at: number, now: number): number {
  return Number.isNaN(at) ? now : Math.trunc(Math.min(Math.max(at, EARLIEST), latestTime(now)));
}

/** Whether something can have been said at a time; both in ms since 1970. */
export function isPossibleTime(at: number, now: number): boolean {
  return at >= EARLIEST && at <= latestTime(now);
}

/** The id of an entry: the same on every machine, from the id of its session and its item. */
export function entryId(session: string, item: string): string {
  return `ent_${createHash('sha256').update(`${session}\n${item}`).digest('hex').slice(0, 26)}`;
}

/** A hash (SHA-1) of what an entry says, which tells whether it says something else than before. */
export function entryHash(parts: readonly (string | number | boolean | null | undefined)[]): Uint8Array {
  return Buffer.from(hash('sha1', parts.map(String).join('\u0000'), 'hex'), 'hex');
}

/** A text as it is kept: with no half of a letter, and not longer than it may be. */
export function keptText(text: string): string {
  const cut = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text;
  return cut.toWellFormed();
}

/** The words of an entry that go into the text index; empty for kinds that are not searched. */
export function searchedBody({ kind, text }: { kind: EntryKind; text: string }): string {
  const [start, end] = SEARCHED[kind];
  if (start === 0) return '';
  const rest = end === 0 ? '' : text.slice(Math.max(start, text.length - end));
  return indexedText(keptText(`${text.slice(0, start)}${rest === '' ? '' : `\n${rest}`}`));
}
