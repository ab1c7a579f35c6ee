import type { Clock } from './clock.ts';
import { createStore, type ValueStore } from './store.ts';

interface Waiting<T> {
  item: T;
  /** `waiting` may still be undone; `running` was sent and has no answer yet. */
  phase: 'waiting' | 'running';
}

export interface UndoQueue<T> {
  /** What is (or is about to be) done, oldest first. */
  waiting: ValueStore<readonly Waiting<T>[]>;
  add(item: T): void;
  /** Takes back what was not sent yet; false where it is too late. */
  undo(id: string): boolean;
  /** Stops the countdown of one, because somebody is reading it; `release` begins it anew. */
  hold(id: string): void;
  release(id: string): void;
  /** Does at once whatever still waits under this id, and waits for its end. */
  settle(id: string): Promise<void>;
  /** Does at once whatever still waits, with `run` in place of the usual way. */
  flush(run?: (item: T) => Promise<void>): Promise<void>;
}

interface Options<T> {
  clock: Clock;
  delayMs: number;
  /** Does the thing; it must not throw, for it alone can tell the person what went wrong. */
  run: (item: T) => Promise<void>;
}

/** Puts off what cannot be taken back, so that for `delayMs` it can. */
export function createUndoQueue<T extends { id: string }>({ clock, delayMs, run }: Options<T>): UndoQueue<T> {
  const waiting = createStore<readonly Waiting<T>[]>([]);
  const timers = new Map<string, () => void>();
  const running = new Map<string, Promise<void>>();

  const find = (id: string) => waiting.get().find(({ item }) => item.id === id);
  const drop = (id: string) => waiting.set(waiting.get().filter(({ item }) => item.id !== id));
  const stopTimer = (id: string) => {
    timers.get(id)?.();
    timers.delete(id);
  };
  const start = (item: T, how: (item: T) => Promise<void>): Promise<void> => {
    stopTimer(item.id);
    waiting.set(waiting.get().map((one) => (one.item.id === item.id ? { item, phase: 'running' } : one)));
    const done = how(item).finally(() => {
      running.delete(item.id);
      drop(item.id);
    });
    running.set(item.id, done);
    return done;
  };
  const count = (item: T) => {
    stopTimer(item.id);
    timers.set(
      item.id,
      clock.after(delayMs, () => void start(item, run)),
    );
  };

  return {
    waiting,
    add: (item) => {
      if (find(item.id)) return;
      waiting.set([...waiting.get(), { item, phase: 'waiting' }]);
      count(item);
    },
    undo: (id) => {
      if (find(id)?.phase !== 'waiting') return false;
      stopTimer(id);
      drop(id);
      return true;
    },
    hold: (id) => {
      if (find(id)?.phase === 'waiting') stopTimer(id);
    },
    release: (id) => {
      const one = find(id);
      if (one?.phase === 'waiting') count(one.item);
    },
    settle: async (id) => {
      const one = find(id);
      if (one) await (running.get(id) ?? start(one.item, run));
    },
    flush: async (how = run) => {
      const begun = waiting.get().map(({ item }) => running.get(item.id) ?? start(item, how));
      await Promise.all(begun);
    },
  };
}
