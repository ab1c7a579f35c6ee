import { createHash } from 'node:crypto';
import type { EntryKind } from '@reverie/shared/contract/sessions/sessions';
import { type Looking, NotLookedAt, redactAll, type Redacted } from '@reverie/redact/redaction';

/** Why an entry stays on this machine. */
export type Withheld = 'other' | 'binary' | 'unreadable' | 'too_large';

/** An entry as it may leave, and how many secrets of which rules were taken out of it; or why it may not. */
export type RedactedEntry<Entry> =
  { kind: 'leaves'; entry: Entry; findings: Redacted['findings'] } | { kind: 'stays'; why: Withheld };

/** Fields by which entries are told apart: what is found in one is replaced by a hash, so that two of them stay two. */
const IDS = new Set(['id', 'author_id', 'item', 'call', 'reply_to', 'child']);

interface Place {
  text: string;
  put: (text: string) => void;
}

/** Every string within a value, with how to put another in its place. */
function stringsIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, child] of Object.entries(value)) {
    if (typeof child === 'string') {
      const put = (text: string) =>
        Reflect.set(value, name, IDS.has(name) && text !== child ? hashOf(child) : text);
      found.push({ text: child, put });
    } else stringsIn(child, found);
  }
  return found;
}

function hashOf(id: string): string {
  return `redacted-${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}

/** Whether a text is bytes that somebody printed: control characters and what is no UTF-8. */
function isBinary(text: string): boolean {
  let odd = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 27)) odd += 1;
  }
  return odd > 16 && odd > text.length / 20;
}

/**
 * An entry as it may leave this machine: each of its strings is looked at, also names, files and ids, and what is found in one is taken out
 * of all. What is not known (`other`), is binary, or could not be looked at stays. It never throws, and never passes what was not looked at.
 */
export async function redactEntry<Entry extends { kind: EntryKind; text: string }>(
  entry: Entry,
  looking: Looking = {},
): Promise<RedactedEntry<Entry>> {
  if (entry.kind === 'other') return { kind: 'stays', why: 'other' };
  try {
    const copy = structuredClone(entry);
    const places = stringsIn(copy);
    if (places.some(({ text }) => isBinary(text))) return { kind: 'stays', why: 'binary' };
    const redacted = await redactAll(
      places.map(({ text }) => text),
      looking,
    );
    places.forEach(({ put, text }, at) => put(redacted[at]?.text ?? hashOf(text)));
    return { kind: 'leaves', entry: copy, findings: redacted.flatMap(({ findings }) => findings) };
  } catch (error) {
    // Whatever went wrong, the entry was not looked at: it stays.
    return { kind: 'stays', why: error instanceof NotLookedAt ? error.why : 'unreadable' };
  }
}
