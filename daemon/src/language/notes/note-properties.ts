import type { JsonObject } from '@reverie/shared/contract/fields';
import { dayIn, numberIn } from '@reverie/shared/contract/conditions';
import { frontmatterOf, readableFields } from '@reverie/memory-formats/notes/frontmatter';
import { dayOfProperty } from '@reverie/memory-formats/days/days-in-names';
import { pageProperties } from '@reverie/memory-formats/logseq/pages';
import { foldLine } from '../words/words.ts';

/** A value of a property of a note: of a list each entry is one. */
export interface PropertyValue {
  /** Folded. */
  readonly name: string;
  /** Folded; empty where the property says nothing. */
  readonly value: string;
  /** The number that it is. */
  readonly number: number | null;
  /** The day that it names: its first moment in UTC, in ms since 1970. */
  readonly day: number | null;
}

/** Characters of a text in which its properties are looked for. */
const READ = 66_000;
/** Values of a note that are kept, and of one property. */
const MOST = 500;
const MOST_OF_ONE = 100;
const LONGEST_NAME = 100;
/** Longer values are cut to one character more than a condition may have, so that they equal none. */
const LONGEST = 301;
/** Fields of metadata that say where a memory comes from. */
const NO_PROPERTIES = new Set(['imported']);

/**
 * The values of a note's properties: of its metadata, of its front matter, and those with which a page of Logseq begins. What its text
 * says of a property stands in the place of what its metadata says, which an import has read from the text of then.
 */
export function propertyValues({
  value: text,
  metadata,
}: {
  value: string;
  metadata: JsonObject;
}): PropertyValue[] {
  const start = text.slice(0, READ);
  const front = frontmatterOf(start);
  const fields = front ? readableFields(front.yaml).fields : {};
  const given = new Map<string, unknown>();
  for (const source of [metadata, pageProperties(start.slice(front?.bodyAt ?? 0)), fields])
    for (const [written, value] of Object.entries(source)) {
      const name = written.length > LONGEST_NAME ? '' : foldLine(written);
      if (name !== '' && !NO_PROPERTIES.has(name)) given.set(name, value);
    }
  return [...given].flatMap(([name, value]) => valuesOf(name, value)).slice(0, MOST);
}

function valuesOf(name: string, given: unknown): PropertyValue[] {
  const items: unknown[] = Array.isArray(given) ? given.flat(8) : [given];
  const values = new Map<string, PropertyValue>();
  for (const item of items.length === 0 ? [null] : items) {
    const text = textOf(item);
    for (const one of [text, ...linkedIn(text)]) {
      const value = foldLine(one.slice(0, LONGEST)).slice(0, LONGEST);
      const number = typeof item === 'number' ? item : (numberIn(one.trim()) ?? null);
      values.set(value, { name, value, number, day: dayOf(one) });
    }
    if (values.size >= MOST_OF_ONE) break;
  }
  return [...values.values()];
}

/** A value as text; one with parts of its own as JSON. */
function textOf(item: unknown): string {
  if (typeof item === 'string') return item;
  return item === null || item === undefined ? '' : JSON.stringify(item);
}

/** What the links of a value lead to: `[[Beta|the second]]` to `Beta`. */
function linkedIn(text: string): string[] {
  if (!text.includes('[[')) return [];
  return [...text.slice(0, 2_000).matchAll(/\[\[([^\][|#\n]{1,200})(?:[|#][^\][\n]{0,200})?\]\]/gu)].map(
    ([, target = '']) => target.trim(),
  );
}

function dayOf(text: string): number | null {
  // Most are written so, and need no further look.
  const [iso] = /^\d{4}(?:-\d\d){0,2}(?=$|[T ])/u.exec(text.trim()) ?? [];
  return (iso === undefined ? dayOfProperty(text) : dayIn(iso)?.from) ?? null;
}
