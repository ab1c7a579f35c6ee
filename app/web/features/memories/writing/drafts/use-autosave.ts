import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type RefObject } from 'react';
import { call } from '../../../../platform/daemon/api.ts';
import { wallClock } from '../../../../platform/clock.ts';
import { memoryQuery, refresh } from '../../queries.ts';
import { trashing } from '../../trash/trash.ts';
import { createAutosave, type Autosave } from './autosave.ts';
import { readAsWritten } from '../read-as-written.ts';
import { checkDraft, draftId, drafts, keepDraft, type MemoryDraft } from './draft.ts';
import { hasRoom, savers } from './unsaved.ts';
import { changeMemory, createMemory, findMemory, type Saved } from './saving.ts';
import type { Sheet } from '../sheet/sheet.ts';

interface AutosavingDeps {
  memory: Memory;
  isGone: boolean;
  sheet: RefObject<Sheet | undefined>;
}

/** Saves what is written of a memory as long as it is shown, and once more when it is left. `first` is what is written at first. */
export function useAutosave({ memory, isGone, sheet }: AutosavingDeps) {
  const queries = useQueryClient();
  const { namespace, key } = memory;
  const [begun] = useState(() => {
    const id = draftId(namespace, key);
    const draft = drafts.get().get(id);
    const first = draft?.value ?? memory.value;
    let mine = draft;
    let isLeft = false;
    const autosave = createAutosave({
      base: draft?.base ?? memory,
      text: () => sheet.current?.text() ?? first,
      replace: (text) => sheet.current?.replace(text),
      keep: (next) => {
        // Who came back meanwhile keeps what is written there.
        if (isLeft && drafts.get().get(id) !== mine) return;
        mine = next;
        keepDraft(id, next);
      },
      isKept: hasRoom.get,
      store: storeDraft,
      fetch: async () => {
        const stored = await findMemory(call, namespace, key);
        if (stored) queries.setQueryData(memoryQuery(namespace, key).queryKey, stored);
        return stored;
      },
      clock: wallClock,
    });
    const leave = () => {
      isLeft = true;
      const value = sheet.current?.text() ?? first;
      if (autosave.state.get().kind !== 'conflict') readAsWritten(queries, { namespace, key, value });
    };
    return { autosave: { ...autosave, leave, forget: () => keepDraft(id, undefined) }, first };
  });
  const { autosave } = begun;
  useEffect(() => autosave.seen(isGone ? undefined : memory), [autosave, memory, isGone]);
  useEffect(
    () => saveOnLeave(draftId(namespace, key), autosave, () => void refresh(queries, [namespace])),
    [autosave, queries, namespace, key],
  );
  return begun;
}

/** Saves when the window is left or hidden, and at last when the memory is. */
function saveOnLeave(
  id: string,
  autosave: Autosave & { leave: () => void },
  onSaved: () => void,
): () => void {
  const save = () => void autosave.save();
  const onHide = () => document.visibilityState === 'hidden' && save();
  savers.set(autosave.save, id);
  window.addEventListener('blur', save);
  document.addEventListener('visibilitychange', onHide);
  return () => {
    window.removeEventListener('blur', save);
    document.removeEventListener('visibilitychange', onHide);
    autosave.leave();
    void autosave.save().then(() => {
      savers.delete(autosave.save);
      autosave.stop();
      onSaved();
    });
  };
}

/** Stores a draft, unless somebody else was faster. */
export async function storeDraft(draft: MemoryDraft): Promise<Saved> {
  // A memory of the same key that is on its way to the trash would otherwise take this one's place.
  await trashing.settle(draft);
  if (draft.base) return changeMemory(call, { ...draft, parsed: draft.base.metadata });
  const checked = checkDraft(draft, wallClock.now());
  if (!checked.ok) throw new Error(Object.values(checked.errors).join(' '));
  return createMemory(call, { ...draft, parsed: checked.metadata });
}
