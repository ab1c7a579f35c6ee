import { createHash, hash } from 'node:crypto';
import type { EntryKind } from '@reverie/shared/contract/sessions/sessions';
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

/** The characters of an entry that can be searched for. */
export function searchedPart({ kind, text }: { kind: EntryKind; text: string }): string {
  const [start, end] = SEARCHED[kind];
  const rest = end === 0 ? '' : text.slice(Math.max(start, text.length - end));
  return `${text.slice(0, start)}${rest === '' ? '' : `\n${rest}`}`;
}

/** Characters that are folded at a time, and those that the text index has of an entry at most: it is indexed in one go. */
const FOLDED_AT_ONCE = 4_000;
const LONGEST_BODY = 72 * 1024;

/**
 * The words of an entry that go into the text index; empty for kinds that are not searched. Of a script without blanks, in which each letter
 * begins a word, fewer characters can be searched for: some 20,000.
 */
export function searchedBody(entry: { kind: EntryKind; text: string }): string {
  const text = keptText(searchedPart(entry));
  let body = '';
  for (let at = 0; at < text.length && body.length < LONGEST_BODY;) {
    const next = wordBorder(text, at + FOLDED_AT_ONCE);
    body += indexedText(text.slice(at, next));
    at = next;
  }
  return body;
}

/** The last place at or before one where a text may be cut between words; the place itself where a word is long, but never within a letter. */
function wordBorder(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const blank = text.lastIndexOf(' ', at);
  if (blank > at - FOLDED_AT_ONCE / 4) return blank;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
