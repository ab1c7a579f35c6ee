import type { AccountMark, RoomMarks } from './peers.store.ts';
import type { Here } from './peers.ts';

type Told = Pick<Here, 'grown' | 'epochIs' | 'membersChanged' | 'offered' | 'accountChanged'>;

/** What this node has seen of rooms and accounts, by which it finds what others changed. */
export interface PeerWatch {
  /** Compares rooms with what was seen of them, and tells what is new. */
  rooms(marks: readonly RoomMarks[]): void;
  /** The same for accounts. */
  accounts(marks: readonly AccountMark[]): void;
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
    accounts(marks) {
      for (const { account, version, recent } of marks) {
        // At the first look, what changed lately may have come after its device had asked what there is, and its hint to nobody.
        const before = versions.get(account) ?? (recent ? -1 : version);
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
