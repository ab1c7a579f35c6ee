import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';

/** What stands on one row of a reader: an entry, with what belongs to it. */
export interface ReaderRow {
  key: string;
  entry: SessionEntry;
  /** What a call of a tool came to. */
  result: SessionEntry | undefined;
  /** What people wrote about it. */
  notes: readonly SessionEntry[];
}

/** Entries as they are read: a call and its result are one row, and a note stands at what it is about. */
export function rowsOf(entries: readonly SessionEntry[]): readonly ReaderRow[] {
  const rows: {
    key: string;
    entry: SessionEntry;
    result: SessionEntry | undefined;
    notes: SessionEntry[];
  }[] = [];
  const byEntry = new Map<string, (typeof rows)[number]>();
  const byCall = new Map<string, (typeof rows)[number]>();
  const here = new Set(entries.map(({ id }) => id));
  for (const entry of entries) {
    const call = entry.tool?.call ?? undefined;
    const owner = entry.kind === 'tool_result' && call !== undefined ? byCall.get(call) : undefined;
    if (owner && !owner.result) {
      owner.result = entry;
      byEntry.set(entry.id, owner);
      continue;
    }
    const about = entry.reply_to;
    if (entry.kind === 'note' && about !== null && here.has(about) && byEntry.has(about)) {
      const row = byEntry.get(about);
      row?.notes.push(entry);
      if (row) byEntry.set(entry.id, row);
      continue;
    }
    const row = { key: entry.id, entry, result: undefined, notes: [] };
    rows.push(row);
    byEntry.set(entry.id, row);
    if (entry.kind === 'tool_call' && call !== undefined) byCall.set(call, row);
  }
  return rows;
}

/** Whether what a row did failed. */
export function hasFailed({ entry, result }: Pick<ReaderRow, 'entry' | 'result'>): boolean {
  return entry.tool?.failed === true || result?.tool?.failed === true;
}

/** Where an entry stands among the rows; -1 where it is in none. */
export function rowOf(rows: readonly ReaderRow[], id: string): number {
  return rows.findIndex(
    ({ entry, result, notes }) =>
      entry.id === id || result?.id === id || notes.some((note) => note.id === id),
  );
}

/** The next row from `from` on, by a step of 1 or -1, that is of the kind that is looked for; -1 where none is. */
export function nextRow(
  rows: readonly ReaderRow[],
  { from, by }: { from: number; by: 1 | -1 },
  fits: (row: ReaderRow) => boolean,
): number {
  for (let at = from + by; at >= 0 && at < rows.length; at += by) {
    const row = rows[at];
    if (row && fits(row)) return at;
  }
  return -1;
}
