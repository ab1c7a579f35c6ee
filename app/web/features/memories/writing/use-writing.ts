import type { Memory } from '@reverie/shared/contract/memories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../platform/api.ts';
import { wallClock } from '../../../platform/clock.ts';
import { notify } from '../../../platform/notices.ts';
import { refresh } from '../queries.ts';
import { trashing } from '../trash/trash.ts';
import {
  checkDraft,
  draftId,
  draftOf,
  drafts,
  emptyDraft,
  isChanged,
  keepDraft,
  type MemoryDraft,
  type DraftErrors,
} from './draft.ts';
import { changeMemory, createMemory, type Saved } from './saving.ts';

interface WritingDeps {
  base: Memory | undefined;
  namespace: string;
  onSaved: (saved: { namespace: string; key: string }) => void;
  onCancel: () => void;
}

/** What somebody writes: kept as it is typed, checked, and stored unless somebody else was faster. */
export function useWriting({ base, namespace, onSaved, onCancel }: WritingDeps) {
  const id = draftId(namespace, base?.key);
  const [draft, setDraft] = useState<MemoryDraft>(
    () => drafts.get().get(id) ?? (base ? draftOf(base) : emptyDraft(namespace)),
  );
  const [errors, setErrors] = useState<DraftErrors>({});
  const [theirs, setTheirs] = useState<{ memory: Memory | undefined }>();
  const queries = useQueryClient();

  const done = async (saved: Saved) => {
    if (saved.kind === 'conflict') return setTheirs({ memory: saved.theirs });
    if (saved.kind === 'taken')
      return setErrors({
        key: 'A memory with this key exists already. Choose another key, or edit that one.',
      });
    keepDraft(id, undefined);
    await refresh(queries, [draft.namespace]);
    notify('good', base ? 'Saved.' : 'Remembered.');
    onSaved({ namespace: draft.namespace, key: saved.key });
  };
  const saving = useMutation({
    mutationFn: async (sent: MemoryDraft) => {
      const checked = checkDraft(sent, wallClock.now());
      if (!checked.ok) {
        setErrors(checked.errors);
        return undefined;
      }
      // A memory of the same key that is on its way to the trash would otherwise take this one's place.
      await trashing.settle(sent);
      const ready = { ...sent, parsed: checked.metadata };
      return sent.base ? changeMemory(call, ready) : createMemory(call, ready);
    },
    onSuccess: (saved) => (saved ? done(saved) : undefined),
  });
  const conflict = theirs && {
    theirs: theirs.memory,
    keepMine: () => {
      const onto = { ...draft, base: theirs.memory };
      setDraft(onto);
      setTheirs(undefined);
      saving.mutate(onto);
    },
    takeTheirs: () => {
      keepDraft(id, undefined);
      void refresh(queries, [namespace]).then(onCancel);
    },
    back: () => setTheirs(undefined),
  };
  return {
    draft,
    errors,
    conflict,
    isSaving: saving.isPending,
    failure: saving.error?.message,
    change: (part: Partial<MemoryDraft>) => {
      const next = { ...draft, ...part };
      setDraft(next);
      setErrors({});
      keepDraft(id, isChanged(next) ? next : undefined);
    },
    save: () => saving.mutate(draft),
    discard: () => {
      keepDraft(id, undefined);
      if (isChanged(draft))
        notify('good', 'Your changes were discarded.', { label: 'Undo', run: () => keepDraft(id, draft) });
      onCancel();
    },
  };
}
