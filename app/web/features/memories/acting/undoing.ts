import { dismiss, notices, notify } from '../../../platform/notices.ts';
import { trashing } from '../trash/trash.ts';

/** Something that was just done, for as long as it is offered to take it back. */
interface Undoable {
  isOffered: () => boolean;
  undo: () => void;
}

const done: Undoable[] = [];

/** Says what was done, and offers to take it back: by the button, or by `undoLast`. */
export function offerUndo(text: string, undo: () => void): void {
  const id = notify('good', text, { label: 'Undo', run: undo });
  done.push({
    isOffered: () => notices.get().some((one) => one.id === id),
    undo: () => {
      dismiss(id);
      undo();
    },
  });
}

/** Lets `undoLast` bring back what was moved to the trash together under this id. */
export function noteTrashed(id: string): void {
  done.push({
    isOffered: () => trashing.moved.get().some((one) => one.id === id),
    undo: () => void trashing.undo(id),
  });
}

/** Takes back the last thing that is still offered to be taken back. */
export function undoLast(): void {
  for (let last = done.pop(); last; last = done.pop()) if (last.isOffered()) return last.undo();
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
