import { createHash } from 'node:crypto';
import { byteLength, limits, type JsonObject } from '@reverie/shared/contract/fields';
import { isObject, plainJson } from './json/plain-json.ts';

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** The longest start of a text that takes at most `max` bytes of UTF-8. */
export function cutToBytes(text: string, max: number): string {
  if (byteLength(text) <= max) return text;
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += byteLength(character);
    if (bytes > max) break;
    cut += character;
  }
  return cut;
}

/**
 * A text as a key or namespace of at most `max` bytes: unchanged where it may stay so, else cut and cleaned,
 * with the hash of the whole behind it, so that the same text always gives the same name and others differ.
 */
function fitted(text: string, max: number): string {
  const clean = text.toWellFormed().replaceAll(CONTROL, '_');
  if (clean === text && text !== '' && byteLength(text) <= max) return text;
  const mark = `~${sha256(text).slice(0, 12)}`;
  return cutToBytes(clean, max - mark.length) + mark;
}

/** A key within the contract's limits; `suffix` (such as `#2`) stays whole. */
export function fitKey(key: string, suffix = ''): string {
  return fitted(key, limits.keyBytes - suffix.length) + suffix;
}

/** A namespace within the contract's limits, for a text that is not one of the reserved `.` and `..`. */
export function fitNamespace(namespace: string): string {
  return fitted(namespace, limits.namespaceBytes);
}

/** A source id within the contract's 4,096 characters; `suffix` stays whole. */
export function fitSourceId(id: string, suffix = ''): string {
  const clean = id.toWellFormed();
  const fits = clean.length + suffix.length <= 4096;
  return (fits ? clean : `${clean.slice(0, 4000).toWellFormed()}~${sha256(clean)}`) + suffix;
}

/** A text that is not blank, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export type Fitted = { metadata: JsonObject } | { problem: string };

/** Metadata within the contract's limits, or why they are not. */
export function fitMetadata(given: JsonObject): Fitted {
  const plain = plainJson(given, limits.metadataDepth);
  if (!isObject(plain)) return { problem: `is nested deeper than ${limits.metadataDepth} levels` };
  const bytes = byteLength(JSON.stringify(plain));
  if (bytes > limits.metadataBytes)
    return { problem: `has ${bytes} bytes; allowed: ${limits.metadataBytes}` };
  return { metadata: plain };
}

/** Tags from a list, or from a text with commas, semicolons or `#`. */
export function tagsOf(given: unknown): string[] {
  const listed = Array.isArray(given) ? given : typeof given === 'string' ? given.split(/[,;]|\s(?=#)/) : [];
  const tags = listed
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .map((tag) => String(tag).toWellFormed().trim().replace(/^#+/, ''))
    .filter((tag) => tag !== '');
  return [...new Set(tags)];
}
