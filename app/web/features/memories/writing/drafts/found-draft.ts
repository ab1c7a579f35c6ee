import { call } from '../../../../platform/daemon/api.ts';
import { wallClock } from '../../../../platform/clock.ts';
import { notify } from '../../../../platform/notices.ts';
import { queryClient } from '../../../../platform/queries/query-client.ts';
import { nameOf } from '../../address.ts';
import { refresh } from '../../queries.ts';
import { createAutosave } from './autosave.ts';
import { draftId, drafts, keepDraft, type MemoryDraft } from './draft.ts';
import { findMemory } from './saving.ts';
import { storeDraft } from './use-autosave.ts';

/** Saves what a tab that ended had kept and not saved. What was changed elsewhere in the same place waits until somebody decides. */
export async function saveFound(draft: MemoryDraft): Promise<void> {
  const { namespace, key, base } = draft;
  if (!base) {
    notify('good', 'What you were writing is still here, under New memory.');
    return;
  }
  const id = draftId(namespace, key);
  let text = draft.value;
  let mine: MemoryDraft | undefined = draft;
  const autosave = createAutosave({
    base,
    text: () => text,
    replace: (next) => {
      text = next;
    },
    keep: (next) => {
      // Whoever writes on in it meanwhile saves it.
      if (drafts.get().get(id) !== mine) return;
      mine = next;
      keepDraft(id, next);
    },
    isKept: () => true,
    store: storeDraft,
    fetch: () => findMemory(call, namespace, key),
    clock: wallClock,
  });
  await autosave.save();
  autosave.stop();
  await refresh(queryClient, [namespace]);
  const isSaved = autosave.state.get().kind === 'saved';
  notify(
    isSaved ? 'good' : 'bad',
    isSaved
      ? `What you wrote last in “${nameOf(base)}” is saved.`
      : `What you wrote last in “${nameOf(base)}” is kept here, and not saved yet: open it to decide.`,
  );
}
