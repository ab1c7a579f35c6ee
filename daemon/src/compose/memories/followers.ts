import { createRecorder, type RecordEvent } from '../../features/events/events.service.ts';
import type { MemoryFollowers, MemorySync } from '../../features/memories/deps.ts';
import type { Clock } from '../../platform/clock.ts';

/** Whoever follows what is written, by the port that it needs. */
export interface WriteFollower {
  /** In the transaction of a memory's change: withdraws what was derived from it. */
  derived?: Partial<MemoryFollowers>;
  /** In the transaction of a memory's change: tells other devices, or refuses where this home may only read. */
  devices?: MemorySync;
  /** Once events are on disk. */
  written?(): void;
}

/**
 * What follows a write: those of one port in this order. In which order a write asks its ports stands in `writeMemory`; index, facts and
 * quota are ports of their own (`memories/deps.ts`).
 */
export interface Followers {
  /** Writes an event in the transaction of its change; who waits for events is told after the commit. */
  readonly record: RecordEvent;
  readonly derived: MemoryFollowers;
  readonly devices: MemorySync;
  /** Says once, when all are made and before anything is written, who follows. */
  join(...followers: readonly WriteFollower[]): void;
}

/** Makes the list of those who follow a write. It is made before they are, since most of them write as well. */
export function createFollowers({ clock }: { clock: Clock }): Followers {
  let joined: readonly WriteFollower[] | undefined;
  function all(): readonly WriteFollower[] {
    if (!joined) throw new Error('Something was written before it was known who follows it');
    return joined;
  }
  const insert = createRecorder({
    clock,
    written() {
      for (const { written } of all()) written?.();
    },
  });
  return {
    record(db, event) {
      // Nothing is written before it is known who is told.
      all();
      insert(db, event);
    },
    derived: {
      overwritten(db, memory) {
        for (const { derived } of all()) derived?.overwritten?.(db, memory);
      },
      renamed(db, memory) {
        for (const { derived } of all()) derived?.renamed?.(db, memory);
      },
      trashed(db, memory) {
        for (const { derived } of all()) derived?.trashed?.(db, memory);
      },
      deleted(db, memory) {
        for (const { derived } of all()) derived?.deleted?.(db, memory);
      },
      cleared(db, at) {
        for (const { derived } of all()) derived?.cleared?.(db, at);
      },
    },
    devices: {
      wrote(db, at, content) {
        for (const { devices } of all()) devices?.wrote(db, at, content);
      },
      renamed(db, at, content) {
        for (const { devices } of all()) devices?.renamed(db, at, content);
      },
      deleted(db, at) {
        for (const { devices } of all()) devices?.deleted(db, at);
      },
      cleared(db, at) {
        for (const { devices } of all()) devices?.cleared(db, at);
      },
    },
    join(...followers) {
      if (joined) throw new Error('Who follows a write is said once');
      joined = followers;
    },
  };
}
