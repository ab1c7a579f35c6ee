import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { wallClock } from '../../../platform/clock.ts';
import { notify } from '../../../platform/notices.ts';
import type { MemoryAddress } from '../address.ts';
import { refresh } from '../queries.ts';
import type { SaveState } from './drafts/autosave.ts';
import { KEPT_MS } from './drafts/autosave.ts';
import {
  checkDraft,
  draftId,
  draftOf,
  drafts,
  emptyDraft,
  isWritten,
  keepDraft,
  type DraftErrors,
  type MemoryDraft,
} from './drafts/draft.ts';
import { saveFound } from './drafts/found-draft.ts';
import { findMemory } from './drafts/saving.ts';
import type { Sheet } from './sheet/sheet.ts';
import { savers } from './drafts/unsaved.ts';
import { storeDraft } from './drafts/use-autosave.ts';

interface NewMemoryDeps {
  namespace: string;
  sheet: RefObject<Sheet | undefined>;
  onSaved: (saved: { namespace: string; key: string }) => void;
  onClose: () => void;
}

const ID = draftId('', undefined);

/** A new memory that is written: kept as it is typed, and stored when one is done with it, in whichever way. */
export function useNewMemory({ namespace, sheet, onSaved, onClose }: NewMemoryDeps) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<MemoryDraft>(() => drafts.get().get(ID) ?? emptyDraft(namespace));
  const [errors, setErrors] = useState<DraftErrors>({});
  const [state, setState] = useState<SaveState>({ kind: 'typed' });
  const now = useRef(draft);
  /** It is stored, thrown away, or being stored: leaving it does nothing more. */
  const isOver = useRef(false);
  const read = () => ({ ...now.current, value: sheet.current?.text() ?? now.current.value });
  const set = (next: MemoryDraft) => {
    now.current = next;
    setDraft(next);
    setErrors({});
    keepDraft(ID, isWritten(next) ? next : undefined);
  };
  const cancelKeep = useRef<() => void>(undefined);
  const isLeft = useRef(false);
  const keepLater = () => {
    // Not put off by what is typed meanwhile.
    cancelKeep.current ??= wallClock.after(KEPT_MS, () => {
      cancelKeep.current = undefined;
      set(read());
    });
  };
  const stopKeeping = () => {
    cancelKeep.current?.();
    cancelKeep.current = undefined;
  };

  const store = async (): Promise<void> => {
    stopKeeping();
    const sent = read();
    if (isOver.current) return;
    if (!isWritten(sent)) return onClose();
    set(sent);
    const checked = checkDraft(sent, wallClock.now());
    if (!checked.ok) return setErrors(checked.errors);
    isOver.current = true;
    setState({ kind: 'saving' });
    let wrong: DraftErrors = {};
    try {
      const saved = await storeDraft(sent);
      if (saved.kind === 'saved') {
        if (drafts.get().get(ID) === now.current) keepDraft(ID, undefined);
        const at = { namespace: sent.namespace, key: saved.key };
        await saveRest(at, { sent: sent.value, now: read().value });
        await refresh(queries, [sent.namespace]);
        // Who went elsewhere meanwhile stays there.
        if (isLeft.current) notify('good', 'Remembered.');
        else onSaved(at);
        return;
      }
      wrong = { key: 'A memory with this key exists already. Choose another key, or edit that one.' };
      setState({ kind: 'typed' });
      if (isLeft.current) tellLeft(whyTaken(sent));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      setState({ kind: 'failed', why });
      if (isLeft.current) tellLeft(why);
    }
    // With what was typed meanwhile; who signed out meanwhile left nothing.
    if (drafts.get().get(ID) === now.current) set(read());
    setErrors(wrong);
    isOver.current = false;
  };
  const discard = () => {
    stopKeeping();
    const thrown = read();
    isOver.current = true;
    keepDraft(ID, undefined);
    if (isWritten(thrown))
      notify('good', 'What you wrote was thrown away.', {
        label: 'Undo',
        run: () => keepDraft(ID, thrown),
      });
    onClose();
  };

  useEffect(() => {
    const onHide = () => {
      if (!isOver.current) set(read());
    };
    const save = async () => {
      if (!isOver.current) await store();
    };
    savers.set(save, ID);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      isLeft.current = true;
      savers.delete(save);
      document.removeEventListener('visibilitychange', onHide);
      stopKeeping();
      if (!isOver.current) rememberLeft(read(), (namespaces) => void refresh(queries, namespaces));
    };
    // Once: what it reads stands in refs.
  }, []);

  return {
    draft,
    errors,
    state,
    change: (part: Partial<MemoryDraft>) => set({ ...read(), ...part }),
    typed: () => {
      if (!isOver.current) keepLater();
    },
    store: () => void store(),
    discard,
  };
}

/** Saves what was typed while a new memory was on its way. */
async function saveRest(
  { namespace, key }: MemoryAddress,
  { sent, now }: { sent: string; now: string },
): Promise<void> {
  const stored = sent === now ? undefined : await findMemory(call, namespace, key);
  if (!stored) return;
  const rest = { ...draftOf(stored), value: now };
  keepDraft(draftId(namespace, key), rest);
  await saveFound(rest);
}

/** Stores what was being written when something else was opened; what cannot be stored goes on as a draft. */
function rememberLeft(draft: MemoryDraft, refreshed: (namespaces: readonly string[]) => void): void {
  keepDraft(ID, isWritten(draft) ? draft : undefined);
  if (!isWritten(draft)) return;
  storeDraft(draft).then(
    (saved) => {
      if (saved.kind !== 'saved') return tellLeft(whyTaken(draft));
      if (drafts.get().get(ID) === draft) keepDraft(ID, undefined);
      refreshed([draft.namespace]);
      notify('good', 'Remembered.');
    },
    (error: unknown) => {
      tellLeft(error instanceof Error ? error.message : String(error));
    },
  );
}

function whyTaken({ key }: MemoryDraft): string {
  return `there is a memory with the key “${key}” already`;
}

/** Says that a new memory which was left is not stored. */
function tellLeft(why: string): void {
  notify('bad', `Not remembered: ${why}. What you wrote waits under New memory.`);
}
