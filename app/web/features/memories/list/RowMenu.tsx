import { MenuItem, MenuLine } from '../../../ui/Menu.tsx';
import type { ActionTarget } from '../acting/targets.ts';
import type { ListRow } from '../queries.ts';

/** What can be done to rows; the same by menu, by the bar below the list and by keys. */
export interface RowActs {
  canWrite: boolean;
  open: (target: ActionTarget) => void;
  edit: (target: ActionTarget) => void;
  tag: (targets: readonly ActionTarget[]) => void;
  move: (targets: readonly ActionTarget[]) => void;
  rename: (target: ActionTarget) => void;
  copyLink: (target: ActionTarget) => void;
  trash: (targets: readonly ActionTarget[]) => void;
}

interface RowMenuProps {
  rows: readonly ListRow[];
  acts: RowActs;
  /** Missing where rows cannot be selected. */
  onSelect?: (row: ListRow) => void;
}

/** The menu of a row, or of all that are selected. */
export function RowMenu({ rows, acts, onSelect }: RowMenuProps) {
  const [first] = rows;
  const only = rows.length === 1 ? first : undefined;
  return (
    <>
      {only && (
        <>
          <MenuItem icon="note" shortcut="Enter" onSelect={() => acts.open(only)}>
            Open
          </MenuItem>
          {acts.canWrite && (
            <MenuItem icon="edit" shortcut="e" onSelect={() => acts.edit(only)}>
              Edit
            </MenuItem>
          )}
          {onSelect && (
            <MenuItem icon="check" shortcut="x" onSelect={() => onSelect(only)}>
              Select
            </MenuItem>
          )}
          <MenuItem icon="copy" onSelect={() => acts.copyLink(only)}>
            Copy link
          </MenuItem>
        </>
      )}
      {acts.canWrite && first && (
        <>
          {only && <MenuLine />}
          <MenuItem icon="tag" shortcut="t" onSelect={() => acts.tag(rows)}>
            Tag…
          </MenuItem>
          {only && (
            <MenuItem shortcut="r" onSelect={() => acts.rename(only)}>
              Rename…
            </MenuItem>
          )}
          <MenuItem icon="folder" shortcut="m" onSelect={() => acts.move(rows)}>
            Move…
          </MenuItem>
          <MenuLine />
          <MenuItem icon="trash" shortcut="#" danger onSelect={() => acts.trash(rows)}>
            {only ? 'Move to the trash' : `Move ${rows.length} to the trash`}
          </MenuItem>
        </>
      )}
    </>
  );
}
