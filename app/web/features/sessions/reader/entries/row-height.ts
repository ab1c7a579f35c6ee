import type { ReaderRow } from './rows.ts';

/** Characters of a line of reading text, and its height in pixels. */
const LINE = { characters: 72, height: 26 } as const;
/** What a row has besides its text, in pixels. */
const AROUND = 72;
const FOLDED = 34;

/** About how high a row is before it was drawn: near enough that a page of them does not jump when it is. */
export function heightOf(row: ReaderRow | undefined): number {
  if (!row) return FOLDED;
  const { entry, notes } = row;
  const below = notes.length * (AROUND + LINE.height);
  if (['tool_call', 'tool_result', 'thinking', 'other'].includes(entry.kind)) return FOLDED + below;
  const lines = entry.text
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil((line.length + 1) / LINE.characters), 0);
  return AROUND + Math.max(1, lines) * LINE.height + below;
}
