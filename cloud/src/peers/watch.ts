import type { RoomMarks } from './peers.store.ts';
import type { Here } from './peers.ts';

type Told = Pick<Here, 'grown' | 'epochIs' | 'membersChanged' | 'offered' | 'accountChanged'>;

/** What this node has seen of rooms and accounts, by which it finds what others changed. */
export interface PeerWatch {
  /** Compares rooms with what was seen of them, and tells what is new. */
  rooms(marks: readonly RoomMarks[]): void;
  /** The same for accounts; `isSure`: nothing was missed before an account was first looked at. */
  accounts(versions: readonly { account: string; version: number }[], isSure: boolean): void;
  /** Forgets what nobody here is interested in any more. */
  keep(rooms: ReadonlySet<string>, accounts: ReadonlySet<string>): void;
}

export function createWatch(here: Told): PeerWatch {
  const seen = new Map<string, RoomMarks>();
  const versions = new Map<string, number>();
  return {
    rooms(marks) {
      for (const mark of marks) {
        const { room, head, epoch, offered, version } = mark;
        const before = seen.get(room);
        seen.set(room, mark);
        // At the first look, too: the members may have changed since the room was opened here. Those who know it already are not told.
        if (!before || before.version !== version) here.membersChanged(room);
        if (head !== null) here.grown(room, head);
        if (epoch !== null) here.epochIs(room, epoch);
        if ((offered ?? 0) > (before?.offered ?? 0)) here.offered(room);
      }
    },
    accounts(rows, isSure) {
      for (const { account, version } of rows) {
        const before = versions.get(account) ?? (isSure ? version : -1);
        versions.set(account, version);
        if (version > before) here.accountChanged(account);
      }
    },
    keep(rooms, accounts) {
      for (const room of seen.keys()) if (!rooms.has(room)) seen.delete(room);
      for (const account of versions.keys()) if (!accounts.has(account)) versions.delete(account);
    },
  };
}
