import { formatCount } from '../../../platform/format.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import type { RowActs } from './RowMenu.tsx';
import { MOST, type Selection } from './selecting.ts';
import css from './SelectionBar.module.css';

/** Stands at the foot of the list while rows are selected: how many, and what to do with them. */
export function SelectionBar({ selection, acts }: { selection: Selection; acts: RowActs }) {
  const { rows } = selection;
  const [first] = rows;
  if (!first) return null;
  return (
    <div className={css['bar']} role="toolbar" aria-label="Selected memories">
      <span className={css['count']} role="status">
        {formatCount(rows.length)} selected{rows.length >= MOST && ', the most at once'}
      </span>
      {acts.canWrite && (
        <>
          <Button look="quiet" aria-keyshortcuts="t" onClick={() => acts.tag(rows)}>
            Tag…
          </Button>
          <Button look="quiet" aria-keyshortcuts="m" onClick={() => acts.move(rows)}>
            Move…
          </Button>
          {rows.length === 1 && (
            <Button look="quiet" aria-keyshortcuts="r" onClick={() => acts.rename(first)}>
              Rename…
            </Button>
          )}
          <IconButton icon="trash" label="Trash" shortcut="#" onClick={() => acts.trash(rows)} />
        </>
      )}
      <IconButton icon="close" label="Clear selection" shortcut="Escape" onClick={selection.clear} />
    </div>
  );
}
