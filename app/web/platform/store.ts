import { useSyncExternalStore } from 'react';

/** A value that changes, and those who want to know. */
export interface ValueStore<T> {
  get(): T;
  set(next: T): void;
  subscribe(this: void, listener: () => void): () => void;
}

/** A store in memory; `set` to the same value tells nobody. */
export function createStore<T>(initial: T): ValueStore<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store, in a component. */
export function useStore<T>(store: ValueStore<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
