import { DetailsDialog } from './DetailsDialog.tsx';
import { ForGoodDialog } from './ForGoodDialog.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { TagDialog } from './TagDialog.tsx';
import type { DialogProps } from './targets.ts';

const DIALOGS = {
  tag: TagDialog,
  move: MoveDialog,
  rename: RenameDialog,
  forGood: ForGoodDialog,
  details: DetailsDialog,
};

/** What is done to memories in a window of its own. */
export type ActKind = keyof typeof DIALOGS;

/** The window in which something is done to memories. */
export default function Acting({ kind, ...rest }: DialogProps & { kind: ActKind }) {
  const Of = DIALOGS[kind];
  return <Of {...rest} />;
}
