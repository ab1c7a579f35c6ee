import { notify } from '../../../../platform/notices.ts';
import { drafts, keepDraft, draftId } from './draft.ts';
import { hasRoom } from './unsaved.ts';
import { startKeeping } from './keeping.ts';

/** Keeps the drafts of an account in this browser, and saves what a tab that ended had not saved yet. Returns how to stop. */
export function keepDrafts(account: string): () => void {
  return startKeeping({
    drafts,
    storage: localStorage,
    locks: navigator.locks,
    account,
    tab: crypto.randomUUID(),
    onFound: (draft) => {
      keepDraft(draftId(draft.namespace, draft.base?.key), draft);
      // The parts that save are no part of the first view.
      void import('./found-draft.ts').then(({ saveFound }) => saveFound(draft));
    },
    onFull: () => {
      if (!hasRoom.get()) return;
      hasRoom.set(false);
      notify('bad', 'This browser has no room left to keep what you write, so it is saved after each pause.');
    },
  });
}
