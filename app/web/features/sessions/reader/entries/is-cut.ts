import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';

/** No text of fewer characters is cut. */
const SHORTEST = 3_990;
const encoder = new TextEncoder();

/** Whether only the beginning of an entry's text is here. */
export function isCut({ text, bytes }: Pick<SessionEntry, 'text' | 'bytes'>): boolean {
  return text.length >= SHORTEST && encoder.encode(text).length < bytes;
}
