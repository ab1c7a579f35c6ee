import { type Anatomy, anatomyOf } from '../../../ui/reading/anatomy.ts';
import type { ListRow } from '../queries.ts';

const known = new WeakMap<ListRow, Anatomy>();

/** How a row is shown; rows are drawn often, and measured before. */
export function anatomyOfRow(row: ListRow): Anatomy {
  const anatomy = known.get(row) ?? anatomyOf(row);
  known.set(row, anatomy);
  return anatomy;
}
