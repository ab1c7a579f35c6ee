import { ApiError, type Client } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import type { Clock } from '../../../platform/clock.ts';
import { createStore, type ValueStore } from '../../../platform/store.ts';
import { type MemoryAddress, idOf, nameOf } from '../address.ts';

/** What has to be known of a memory to move it to the trash. */
export type Trashable = Pick<Memory, 'namespace' | 'key' | 'title' | 'updated_at'>;

/** Memories that were just moved to the trash together, or are on their way there. */
export interface Moved {
  id: string;
  memories: readonly Trashable[];
  phase: 'moving' | 'moved';
}

/** Moves memories to the trash, and for a while offers to take that back. */
export interface Trashing {
  moved: ValueStore<readonly Moved[]>;
  /** All of them, or none. */
  move(memories: readonly Trashable[]): Promise<void>;
  /** Brings back what was moved together; also while it is still on its way. */
  undo(id: string): Promise<void>;
  /** Stops the time of the offer, because somebody is reading it; `release` begins it anew. */
  hold(id: string): void;
  release(id: string): void;
  /** Waits until a memory that is on its way is there. */
  settle(memory: MemoryAddress): Promise<void>;
  /** Ends all offers, once what is on its way is there. */
  close(): Promise<void>;
}

export interface TrashingDeps {
  clock: Clock;
  client: Client;
  /** Has what is shown of some namespaces fetched again. */
  refresh: (namespaces: ReadonlySet<string>) => Promise<void>;
  /** Tells that some were not moved, or not brought back. */
  failed: (message: string) => void;
  /** The offer is over: nobody comes back to what was being written. */
  ended: (memory: MemoryAddress) => void;
}

/** How long the offer stands, ms. */
const OFFERED_MS = 6_000;

export function createTrashing({ clock, client, refresh, failed, ended }: TrashingDeps): Trashing {
  const moved = createStore<readonly Moved[]>([]);
  const timers = new Map<string, () => void>();
  /** What was put there, and when, by the daemon; undefined where nothing was. */
  const moving = new Map<string, Promise<readonly (MemoryAddress & { trashed_at: string })[] | undefined>>();

  const find = (id: string) => moved.get().find((one) => one.id === id);
  const stopTimer = (id: string) => {
    timers.get(id)?.();
    timers.delete(id);
  };
  const drop = (id: string) => {
    stopTimer(id);
    moving.delete(id);
    moved.set(moved.get().filter((one) => one.id !== id));
  };
  const offer = ({ id, memories }: Moved) => {
    stopTimer(id);
    const end = () => {
      drop(id);
      memories.forEach(ended);
    };
    timers.set(id, clock.after(OFFERED_MS, end));
  };

  async function send(one: Moved) {
    const { id, memories } = one;
    try {
      const items = memories.map(({ namespace, key, updated_at }) => ({
        namespace,
        key,
        if_updated_at: updated_at,
      }));
      const { trashed } = await client(trashMemories, { body: { items } });
      // Only when the lists were fetched again may the rows stop being hidden, else they would flash up.
      await refresh(namespacesOf(memories));
      moved.set(moved.get().map((other) => (other.id === id ? { ...other, phase: 'moved' } : other)));
      offer(one);
      return trashed;
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'memory_not_found';
      if (!isGone || memories.length > 1) failed(whyKept(memories, error));
      await refresh(namespacesOf(memories));
      drop(id);
      return undefined;
    }
  }

  return {
    moved,
    async move(memories) {
      const id = JSON.stringify(memories.map(idOf));
      if (memories.length === 0 || find(id)?.phase === 'moving') return;
      drop(id);
      const one: Moved = { id, memories, phase: 'moving' };
      moved.set([...moved.get(), one]);
      const sent = send(one);
      moving.set(id, sent);
      await sent;
    },
    async undo(id) {
      const one = find(id);
      const trashed = await moving.get(id);
      if (!one || trashed === undefined || !find(id)) return;
      drop(id);
      try {
        const items = trashed.map(({ namespace, key, trashed_at }) => ({ namespace, key, trashed_at }));
        await client(restoreTrash, { body: { items } });
      } catch (error) {
        failed(
          `${said(one.memories, 'was', 'were')} not brought back: ${reasonOf(error)}. Look into the trash.`,
        );
      }
      await refresh(namespacesOf(one.memories));
    },
    hold: stopTimer,
    release(id) {
      const one = find(id);
      if (one?.phase === 'moved') offer(one);
    },
    async settle(memory) {
      const id = idOf(memory);
      const together = moved.get().filter(({ memories }) => memories.some((one) => idOf(one) === id));
      for (const one of together) await moving.get(one.id);
    },
    async close() {
      await Promise.all(moving.values());
      for (const { id } of moved.get()) drop(id);
    },
  };
}

function namespacesOf(memories: readonly MemoryAddress[]): ReadonlySet<string> {
  return new Set(memories.map(({ namespace }) => namespace));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** `“Deploy” was` or `3 memories were`. */
function said(memories: readonly Trashable[], one: string, many: string): string {
  const [first] = memories;
  return memories.length === 1 && first ? `“${nameOf(first)}” ${one}` : `${memories.length} memories ${many}`;
}

function whyKept(memories: readonly Trashable[], error: unknown): string {
  if (error instanceof ApiError && error.code === 'conflict')
    return memories.length === 1
      ? `${said(memories, 'was', 'were')} changed elsewhere meanwhile, so it was not moved to the trash. Look at it, then delete it again.`
      : 'One of them was changed elsewhere meanwhile, so none was moved to the trash. Look at the list, then delete them again.';
  return `${said(memories, 'was', 'were')} not moved to the trash: ${reasonOf(error)}. Try again.`;
}
