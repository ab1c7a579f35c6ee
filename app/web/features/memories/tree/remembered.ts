import { z } from 'zod';
import { createStore } from '../../../platform/store.ts';

/** How a namespace is browsed: by its folders or not, and which of them are open (`Projects/`). */
export interface TreeState {
  isShown: boolean;
  open: readonly string[];
}

const KEY = 'reverie-folders';
/** Namespaces, and open folders of each, that are remembered. */
const NAMESPACES = 50;
const FOLDERS = 500;
const Kept = z.array(z.tuple([z.string(), z.object({ isShown: z.boolean(), open: z.array(z.string()) })]));
const CLOSED: TreeState = { isShown: false, open: [] };

function kept(): Map<string, TreeState> {
  try {
    return new Map(Kept.parse(JSON.parse(localStorage.getItem(KEY) ?? '[]')));
  } catch {
    // What an older page or somebody else left there: it is begun anew.
    return new Map();
  }
}

/** How each namespace is browsed in this browser. */
export const trees = createStore<ReadonlyMap<string, TreeState>>(kept());

/** How a namespace is browsed; as a list at first. */
export function treeOf(states: ReadonlyMap<string, TreeState>, namespace: string): TreeState {
  return states.get(namespace) ?? CLOSED;
}

/** Remembers how a namespace is browsed, also for the next visit. */
export function remember(namespace: string, change: Partial<TreeState>): void {
  const next = new Map(trees.get());
  const { isShown, open } = { ...treeOf(next, namespace), ...change };
  next.delete(namespace);
  next.set(namespace, { isShown, open: open.slice(-FOLDERS) });
  const newest = [...next].slice(-NAMESPACES);
  trees.set(new Map(newest));
  localStorage.setItem(KEY, JSON.stringify(newest));
}
