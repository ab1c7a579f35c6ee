import { notify } from '../../../platform/notices.ts';
import { queryClient } from '../../../platform/queries/query-client.ts';
import type { RowActs } from '../list/RowMenu.tsx';
import { memoryQuery } from '../queries.ts';
import { trashing } from '../trash/trash.ts';
import type { ActKind } from './Acting.tsx';
import { savedFirst } from './saved-first.ts';
import type { ActionTarget } from './targets.ts';
import { noteTrashed } from './undoing.ts';

interface ActsDeps {
  canWrite: boolean;
  onOpen: (target: ActionTarget) => void;
  onEdit: (target: ActionTarget) => void;
  /** Opens the window in which something is done. */
  onDo: (kind: ActKind, targets: readonly ActionTarget[]) => void;
  /** They are on their way to the trash. */
  onTrashed: (targets: readonly ActionTarget[]) => void;
}

/** What can be done to memories; a key that may only read does nothing that writes. */
export function useActs({ canWrite, onOpen, onEdit, onDo, onTrashed }: ActsDeps): RowActs {
  const ask = (kind: ActKind) => (targets: readonly ActionTarget[]) => {
    if (canWrite && targets.length > 0) onDo(kind, targets);
  };
  return {
    canWrite,
    open: onOpen,
    edit: (target) => canWrite && onEdit(target),
    tag: ask('tag'),
    move: ask('move'),
    rename: (target) => ask('rename')([target]),
    copyLink: (target) => copyLink(target),
    trash: (targets) => {
      if (!canWrite || targets.length === 0) return;
      const saved = savedFirst(
        targets,
        ({ namespace, key }) => queryClient.getQueryData(memoryQuery(namespace, key).queryKey)?.updated_at,
      );
      // First, while the list still knows what follows.
      onTrashed(targets);
      if (saved) void saved.then(moveToTrash);
      else moveToTrash(targets);
    },
  };
}

function moveToTrash(targets: readonly ActionTarget[]): void {
  void trashing.move(targets);
  const last = trashing.moved.get().at(-1);
  if (last) noteTrashed(last.id);
}

/** Puts the address of a memory in this page on the clipboard. */
function copyLink({ namespace, key }: ActionTarget): void {
  const link = `${location.origin}/memories?${new URLSearchParams({ namespace, key })}`;
  navigator.clipboard.writeText(link).then(
    () => notify('good', 'The link is on the clipboard.'),
    () => notify('bad', `The browser did not allow copying. The link is ${link}`),
  );
}
