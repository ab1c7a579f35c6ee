import { findAccount } from './accounts/accounts.store.ts';
import { createSpace, type Space } from './transport/admission.ts';
import type { Config } from './config.ts';
import { sizeOfFiles } from './files/files.store.ts';
import { sizeOfNotes } from './notes/notes.store.ts';
import { ownRooms } from './rooms/rooms.store.ts';
import type { Storage } from './storage.ts';

const MB = 1024 * 1024;

/** What accounts hold, and may hold. */
export interface Quotas {
  space: Space;
  /** Bytes; a promise where it has to be asked whether an account is confirmed. */
  quotaOf(account: string): number | Promise<number>;
  /** What a room takes of its owner's space: its log, its shared document, and files with the paths that name them. */
  bytesOf(room: string): Promise<number>;
  /** An account is gone. */
  forget(account: string): void;
}

export function createQuotas(
  config: Pick<Config, 'RELAY_QUOTA_MB' | 'RELAY_PROVISIONAL_QUOTA_MB'>,
  { records, updates }: Pick<Storage, 'records' | 'updates'>,
): Quotas {
  async function bytesOf(room: string): Promise<number> {
    const state = await updates.state(room);
    if (!state) return 0;
    const others = await records.read(function* () {
      return (yield* sizeOfNotes(room)) + (yield* sizeOfFiles(room));
    });
    return state.bytes + others;
  }

  const space = createSpace(bytesOf, (account) => records.read(() => ownRooms(account)));
  // Once confirmed, always confirmed: asked with each append, and not worth a look into the database.
  const confirmed = new Set<string>();

  async function ask(id: string): Promise<number> {
    const account = await records.read(() => findAccount(id));
    if (account?.confirmed_at == null) return config.RELAY_PROVISIONAL_QUOTA_MB * MB;
    confirmed.add(id);
    return config.RELAY_QUOTA_MB * MB;
  }

  return {
    space,
    bytesOf,
    quotaOf: (id) => (confirmed.has(id) ? config.RELAY_QUOTA_MB * MB : ask(id)),
    forget(id) {
      space.forget(id);
      confirmed.delete(id);
    },
  };
}
