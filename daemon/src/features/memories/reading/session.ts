import type { JsonObject } from '@reverie/shared/contract/fields';
import { foldText } from '../../../language/words/words.ts';
import { msOfTimestamp } from '@reverie/shared/time/timestamp';

/** Where a memory stands among those of its session: by time, then by key in natural order. */
export interface SessionPlace {
  session: string;
  time: number;
  key: string;
}

/** The place of a memory in the session that its metadata names; undefined where it names none. */
export function sessionPlace(key: string, metadata: JsonObject, createdAt: number): SessionPlace | undefined {
  const session = metadata['session'];
  if (typeof session !== 'string' || session === '') return undefined;
  return { session, time: msOfTimestamp(metadata['timestamp']) ?? createdAt, key: naturalOrder(key) };
}

/** A key rewritten so that its bytes sort as people expect: `turn 2` before `turn 10`. */
export function naturalOrder(key: string): string {
  return key.replaceAll(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `${String(number.length).padStart(3, '0')}${number}`;
  });
}

/** The tags of a memory: `metadata.tags` as a list of texts, or as one text with commas. */
export function tagsOf(metadata: JsonObject): string[] {
  const { tags } = metadata;
  const list = typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags : [];
  const texts = list
    .filter((tag): tag is string => typeof tag === 'string')
    .map((tag) => tag.trim().normalize('NFC'));
  return [...new Set(texts.filter((tag) => tag !== ''))];
}

/** A tag as it is compared: of `Café`, `cafe` and `CAFÉ` each is the other. */
export function foldTag(tag: string): string {
  return foldText(tag).toLowerCase().trim();
}

/** Those of some tags that are none of others, as they are compared. */
export function tagsBeyond(tags: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(foldTag));
  return tags.filter((tag) => !known.has(foldTag(tag)));
}
