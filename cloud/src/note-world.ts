import type { Space } from './transport/admission.ts';
import type { Records, Steps } from './db/records.ts';
import { addNotes, loadNotes, replaceNotes } from './notes/notes.store.ts';
import type { NotesWorld } from './notes/notes.ts';
import { findAccess, ownerOf } from './rooms/rooms.store.ts';

export interface NoteWorldDeps {
  records: Records;
  space: Space;
  quotaOf(account: string): number | Promise<number>;
  /** Takes a document for this node; rejects where another one has it. */
  hold(room: string): Promise<void>;
  letGo(room: string): Promise<void>;
  /** The first step of a transaction on a document that this node has. */
  guard(room: string): Steps<void>;
}

/** Where shared documents are stored, and whose space they take. */
export function createNoteWorld(deps: NoteWorldDeps): Omit<NotesWorld, 'failed'> {
  const { records, space, quotaOf } = deps;
  /** Of the rooms that are open. */
  const owners = new Map<string, string>();

  async function askOwner(room: string): Promise<void> {
    const owner = await records.read(() => ownerOf(room));
    if (owner === undefined) owners.delete(room);
    else owners.set(room, owner);
  }

  return {
    roleOf: async (room, account) => (await records.read(() => findAccess(room, account)))?.role,
    askOwner,
    async load(room) {
      await deps.hold(room);
      await askOwner(room);
      return records.read(() => loadNotes(room));
    },
    // Counted when it is stored: clients that come again say all that they have, and most of it is no news.
    async add(room, added) {
      await records.write(function* () {
        yield* deps.guard(room);
        yield* addNotes(room, added);
      });
      const owner = owners.get(room);
      if (owner !== undefined) for (const { length } of added) space.add(owner, length);
    },
    async replace(room, whole) {
      await records.write(function* () {
        yield* deps.guard(room);
        yield* replaceNotes(room, whole);
      });
      const owner = owners.get(room);
      if (owner !== undefined) space.forget(owner);
    },
    async closed(room) {
      owners.delete(room);
      await deps.letGo(room);
    },
    async hasSpace(room, bytes) {
      const owner = owners.get(room);
      const used = owner === undefined ? undefined : space.used(owner);
      // While it is being counted, one more is let in.
      if (owner === undefined || typeof used !== 'number') return true;
      return used + bytes <= (await quotaOf(owner));
    },
  };
}
