import { useState } from 'react';
import { idOf } from '../address.ts';
import type { ListRow } from '../queries.ts';

/** The most that can be done at once, as the daemon says. */
export const MOST = 1_000;

/** The rows that something is done to together. */
export interface Selection {
  rows: readonly ListRow[];
  has: (row: ListRow) => boolean;
  /** One more, or one less. */
  toggle: (row: ListRow) => void;
  /** These, too. */
  add: (rows: readonly ListRow[]) => void;
  clear: () => void;
}

/** Selected rows of one list; another list (`of`) begins with none. */
export function useSelection(of: string): Selection {
  const [state, setState] = useState<{ of: string; rows: ReadonlyMap<string, ListRow> }>({
    of,
    rows: new Map(),
  });
  const rows = state.of === of ? state.rows : new Map<string, ListRow>();
  const set = (next: ReadonlyMap<string, ListRow>) => setState({ of, rows: next });
  return {
    rows: [...rows.values()],
    has: (row) => rows.has(idOf(row)),
    toggle: (row) => set(toggled(rows, row)),
    add: (more) => set(added(rows, more)),
    clear: () => set(new Map()),
  };
}

type Rows = ReadonlyMap<string, ListRow>;

export function toggled(rows: Rows, row: ListRow): Rows {
  const next = new Map(rows);
  if (!next.delete(idOf(row)) && next.size < MOST) next.set(idOf(row), row);
  return next;
}

export function added(rows: Rows, more: readonly ListRow[]): Rows {
  const all = [...rows, ...more.map((row) => [idOf(row), row] as const)];
  return new Map([...new Map(all)].slice(0, MOST));
}
