import { ApiError, type Client } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/trash';
import type { Clock } from '../../platform/clock.ts';
import { createStore, type Store } from '../../platform/store.ts';
import { draftId } from './draft.ts';

/** A memory that was just moved to the trash, or is on its way there. */
export interface Moved {
  id: string;
  namespace: string;
  key: string;
  phase: 'moving' | 'moved';
}

/** Moves memories to the trash, and for a while offers to take that back. */
export interface Trashing {
  moved: Store<readonly Moved[]>;
  move(memory: Pick<Memory, 'namespace' | 'key' | 'updated_at'>): Promise<void>;
  /** Brings one back; also while it is still on its way. */
  undo(id: string): Promise<void>;
  /** Stops the time of the offer, because somebody is reading it; `release` begins it anew. */
  hold(id: string): void;
  release(id: string): void;
  /** Waits until one that is on its way is there. */
  settle(id: string): Promise<void>;
  /** Ends all offers, once what is on its way is there. */
  close(): Promise<void>;
}

export interface TrashingDeps {
  clock: Clock;
  client: Client;
  /** Has what is shown of a namespace fetched again. */
  refresh: (namespace: string) => Promise<void>;
  /** Tells that one was not moved, or not brought back. */
  failed: (message: string) => void;
  /** The offer is over: nobody comes back to what was being written. */
  ended: (id: string) => void;
}

/** How long the offer stands, ms. */
const OFFERED_MS = 6_000;

export function createTrashing({ clock, client, refresh, failed, ended }: TrashingDeps): Trashing {
  const moved = createStore<readonly Moved[]>([]);
  const timers = new Map<string, () => void>();
  /** When it was put there, by the daemon; undefined where it was not. */
  const moving = new Map<string, Promise<string | undefined>>();

  const drop = (id: string) => {
    stopTimer(id);
    moving.delete(id);
    moved.set(moved.get().filter((one) => one.id !== id));
  };
  const stopTimer = (id: string) => {
    timers.get(id)?.();
    timers.delete(id);
  };
  const offer = (id: string) => {
    stopTimer(id);
    timers.set(
      id,
      clock.after(OFFERED_MS, () => {
        drop(id);
        ended(id);
      }),
    );
  };

  async function send({ namespace, key, updated_at }: Pick<Memory, 'namespace' | 'key' | 'updated_at'>) {
    const id = draftId(namespace, key);
    try {
      const items = [{ namespace, key, if_updated_at: updated_at }];
      const { trashed } = await client(trashMemories, { body: { items } });
      // Only when the lists were fetched again may the row stop being hidden, else it would flash up.
      await refresh(namespace);
      moved.set(moved.get().map((one) => (one.id === id ? { ...one, phase: 'moved' } : one)));
      offer(id);
      return trashed[0]?.trashed_at;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'memory_not_found')) failed(whyKept(key, error));
      await refresh(namespace);
      drop(id);
      return undefined;
    }
  }

  const find = (id: string) => moved.get().find((one) => one.id === id);
  return {
    moved,
    async move(memory) {
      const { namespace, key } = memory;
      const id = draftId(namespace, key);
      if (find(id)?.phase === 'moving') return;
      drop(id);
      moved.set([...moved.get(), { id, namespace, key, phase: 'moving' }]);
      const sent = send(memory);
      moving.set(id, sent);
      await sent;
    },
    async undo(id) {
      const one = find(id);
      const trashed_at = await moving.get(id);
      if (!one || trashed_at === undefined || !find(id)) return;
      drop(id);
      const { namespace, key } = one;
      try {
        await client(restoreTrash, { body: { items: [{ namespace, key, trashed_at }] } });
      } catch (error) {
        failed(
          `“${key}” was not brought back: ${error instanceof Error ? error.message : String(error)}. It is in the trash.`,
        );
      }
      await refresh(namespace);
    },
    hold: stopTimer,
    release(id) {
      if (find(id)?.phase === 'moved') offer(id);
    },
    async settle(id) {
      await moving.get(id);
    },
    async close() {
      await Promise.all(moving.values());
      for (const { id } of moved.get()) drop(id);
    },
  };
}

function whyKept(key: string, error: unknown): string {
  if (error instanceof ApiError && error.code === 'conflict')
    return `“${key}” was changed elsewhere meanwhile, so it was not moved to the trash. Look at it, then delete it again.`;
  return `“${key}” was not moved to the trash: ${error instanceof Error ? error.message : String(error)}. Try again.`;
}
