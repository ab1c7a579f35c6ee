import { z } from 'zod';
import type { ReadEntry, ReadRecord, SessionFacts } from '@reverie/session-logs/format';
import { LONGEST_TEXT } from '../entry.ts';

/** What stands in a log may be of any length; what is longer than these is no name, and is left out. */
const name = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\u0000]*$/)
    .optional()
    .catch(undefined);
const Names = z.object({ folder: name(4096), branch: name(256), version: name(64) });
/** Characters of a title that are looked at; of it fewer are kept. */
const LONGEST_TITLE = 4096;
/** Files that an entry names, and characters of each: those of `POST …/entries`. */
const FILES = 256;
const LONGEST_FILE = 1024;
/** Characters of the names of tools and models. */
const LONGEST_LABEL = 256;
/** Items that one read takes back. */
const ITEMS = 256;

/**
 * Returns what is kept of a read, as one or several: nothing of a log may take long to store, whatever it says. It is done in the thread
 * that reads the log.
 */
export function withinLimits(read: ReadRecord): ReadRecord[] {
  switch (read.kind) {
    case 'facts':
      return [{ ...read, facts: factsWithin(read.facts) }];
    case 'entry':
      return [{ ...read, entry: entryWithin(read.entry) }];
    case 'usage':
      return [{ ...read, usage: { ...read.usage, model: label(read.usage.model) } }];
    case 'gone':
      return Array.from({ length: Math.ceil(read.items.length / ITEMS) }, (_, at) => ({
        ...read,
        items: read.items.slice(at * ITEMS, (at + 1) * ITEMS),
      }));
  }
}

function factsWithin({ title, parent, ...names }: SessionFacts): SessionFacts {
  const { folder, branch, version } = Names.parse(names);
  return {
    ...(title && { title: { ...title, text: title.text.slice(0, LONGEST_TITLE) } }),
    ...(parent && { parent }),
    ...(folder !== undefined && { folder }),
    ...(branch !== undefined && { branch }),
    ...(version !== undefined && { version }),
  };
}

function entryWithin({ text, files, tool, ...entry }: ReadEntry): ReadEntry {
  const isCut = text.length > LONGEST_TEXT;
  return {
    ...entry,
    ...(isCut ? { text: text.slice(0, LONGEST_TEXT), bytes: Buffer.byteLength(text) } : { text }),
    ...(tool && { tool: { ...tool, name: label(tool.name) } }),
    ...(files && { files: files.filter(({ length }) => length <= LONGEST_FILE).slice(0, FILES) }),
  };
}

const label = (text: string): string => text.slice(0, LONGEST_LABEL).toWellFormed();

/** How much storing a read takes, in characters. */
export function weightOf(read: ReadRecord): number {
  if (read.kind === 'gone') return read.items.length * 1000;
  if (read.kind !== 'entry') return 1000;
  const { text, files = [] } = read.entry;
  return files.reduce((sum, { length }) => sum + length, text.length);
}
