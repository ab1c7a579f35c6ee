import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { Clock } from '../../../../platform/clock.ts';
import { createStore, type ValueStore } from '../../../../platform/store.ts';
import { checkDraft, draftOf, type MemoryDraft } from './draft.ts';
import { keepBoth, mergeApart } from './merging.ts';
import type { Saved } from './saving.ts';

/** How soon what is typed is kept in the browser, ms: a crash loses no more. */
export const KEPT_MS = 300;
/** How long somebody pauses before a memory is saved, ms. */
export const PAUSE_MS = 2_000;
/** A memory is saved in pauses once in so many ms: each save is a version, an event, and a call of webhooks. */
export const EVERY_MS = 60_000;
/** How often in a row somebody else may be faster. */
const MOST_TURNS = 5;

/** How what is written stands. */
export type SaveState =
  | { kind: 'saved' }
  | { kind: 'typed' }
  | { kind: 'saving' }
  | { kind: 'failed'; why: string }
  /** It was changed elsewhere in the same place; `theirs` is undefined where it was deleted. */
  | { kind: 'conflict'; theirs: Memory | undefined };

interface AutosaveDeps {
  /** What the text was made from. */
  base: Memory;
  /** What is written. */
  text: () => string;
  /** Brings what was written elsewhere into the text. */
  replace: (text: string) => void;
  keep: (draft: MemoryDraft | undefined) => void;
  /** Whether the browser has room to keep what is written. */
  isKept: () => boolean;
  store: (draft: MemoryDraft) => Promise<Saved>;
  /** What is stored now; undefined where it is gone. */
  fetch: () => Promise<Memory | undefined>;
  clock: Clock;
}

/** Saves a memory that is written: at once in the browser, in pauses and at the end as a version. */
export interface Autosave {
  state: ValueStore<SaveState>;
  typed: () => void;
  /** Saves what is not saved yet; settled when that is done, or has failed. */
  save: () => Promise<void>;
  /** Told what is stored now; undefined where it is gone. */
  seen: (stored: Memory | undefined) => void;
  settle: (choice: 'mine' | 'theirs' | 'both') => Promise<void>;
  /** Ends what would be done later; what is kept stays. */
  stop: () => void;
}

/** Begins to save what is written of a memory. A change that was made elsewhere is merged, or told as a conflict: neither is written over. */
export function createAutosave(deps: AutosaveDeps): Autosave {
  const { text, replace, keep, clock } = deps;
  let { base } = deps;
  /** It was deleted elsewhere, and is wanted all the same. */
  let isGone = false;
  let running: Promise<void> | undefined;
  let savedAt = Number.NEGATIVE_INFINITY;
  let cancelKeep: (() => void) | undefined;
  let cancelPause: (() => void) | undefined;
  const isChanged = () => text() !== base.value;
  const state = createStore<SaveState>({ kind: isChanged() ? 'typed' : 'saved' });

  const keepNow = () => {
    cancelKeep?.();
    cancelKeep = undefined;
    const value = text();
    keep(value === base.value && state.get().kind !== 'conflict' ? undefined : { ...draftOf(base), value });
  };
  const rest = () => {
    const { kind } = state.get();
    if (kind !== 'conflict') state.set({ kind: isChanged() ? 'typed' : 'saved' });
    keepNow();
  };

  /** Brings together what was stored since `from`, and what is written. */
  const reconcile = (from: Memory, stored: Memory | undefined): void => {
    if (!stored) {
      state.set({ kind: 'conflict', theirs: undefined });
      return keepNow();
    }
    const mine = text();
    if (stored.value !== from.value && mine !== stored.value) {
      const merged =
        mine === from.value ? stored.value : mergeApart({ base: from.value, mine, theirs: stored.value });
      if (merged === undefined) {
        state.set({ kind: 'conflict', theirs: stored });
        return keepNow();
      }
      replace(merged);
    }
    base = stored;
    // Somebody stored it again: from now on that is what is changed.
    isGone = false;
    if (state.get().kind === 'conflict') state.set({ kind: 'typed' });
    rest();
  };

  /** Saves what is written; true where something was merged into it, so that it has to be saved again. */
  const saveOnce = async (): Promise<boolean> => {
    cancelPause?.();
    const value = text();
    if ((value === base.value && !isGone) || state.get().kind === 'conflict') {
      rest();
      return false;
    }
    const sent = { ...base, value };
    keepNow();
    const checked = checkDraft(draftOf(sent), clock.now());
    if (!checked.ok) {
      const [why = 'it is not valid'] = Object.values(checked.errors);
      state.set({ kind: 'failed', why });
      return false;
    }
    state.set({ kind: 'saving' });
    try {
      const saved = await deps.store({ ...draftOf(base), value, base: isGone ? undefined : base });
      if (saved.kind === 'conflict') {
        reconcile(base, saved.theirs);
        return isTyped();
      }
      if (saved.kind === 'taken') {
        reconcile(base, await deps.fetch());
        return isTyped();
      }
      isGone = false;
      savedAt = clock.now();
      base = sent;
      reconcile(base, await deps.fetch());
    } catch (error) {
      state.set({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
      keepNow();
    }
    return false;
  };
  const isTyped = () => state.get().kind === 'typed';
  const saveAll = async (): Promise<void> => {
    for (let turn = 0; turn < MOST_TURNS; turn += 1) if (!(await saveOnce())) return;
  };
  const save = async (): Promise<void> => {
    while (running) await running;
    running = saveAll().finally(() => {
      running = undefined;
    });
    await running;
    // What was typed, or merged, while it was on its way.
    if (isTyped()) pause();
  };
  const pause = () => {
    cancelPause?.();
    const soonest = deps.isKept() ? savedAt + EVERY_MS : 0;
    cancelPause = clock.after(Math.max(PAUSE_MS, soonest - clock.now()), () => void save());
  };

  return {
    state,
    save,
    typed: () => {
      const { kind } = state.get();
      if (kind === 'saved' || kind === 'failed') state.set({ kind: 'typed' });
      cancelKeep ??= clock.after(KEPT_MS, keepNow);
      pause();
    },
    seen: (stored) => {
      // What is asked for after a save tells all that was stored until then.
      if (running || (stored && stored.updated_at <= base.updated_at)) return;
      reconcile(base, stored);
    },
    settle: async (choice) => {
      const now = state.get();
      if (now.kind !== 'conflict') return;
      const { theirs } = now;
      if (theirs) {
        if (choice === 'theirs') replace(theirs.value);
        if (choice === 'both') replace(keepBoth({ base: base.value, mine: text(), theirs: theirs.value }));
        base = theirs;
        isGone = false;
      } else if (choice === 'theirs') return;
      else isGone = true;
      state.set({ kind: 'typed' });
      keepNow();
      await save();
    },
    stop: () => {
      cancelKeep?.();
      cancelPause?.();
      keepNow();
    },
  };
}
