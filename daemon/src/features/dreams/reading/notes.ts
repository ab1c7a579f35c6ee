import type { DreamMemory } from '../dream-memory.ts';

/** Characters of a note that are read; of a longer one its beginning, up to the end of a line. */
const READ = 3_000;
/** Number, day and what stands around it. */
const HEAD = 40;

/** What is read of a note. */
export function readText(value: string): string {
  const text = value.trim();
  if (text.length <= READ) return text;
  const end = text.lastIndexOf('\n', READ);
  return `${text.slice(0, end > READ / 2 ? end : READ).toWellFormed()}\n…`;
}

/** Characters that a note takes on a sheet. */
export function noteLength({ value, key, tags }: Pick<DreamMemory, 'value' | 'key' | 'tags'>): number {
  return HEAD + key.length + tags.join('').length + Math.min(READ, value.length);
}
