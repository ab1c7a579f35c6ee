import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { removeForgotten } from '@reverie/shared/accounts/signup';
import type { Clock } from '@reverie/shared/time/clock';
import type { Logger } from 'pino';
import { deleteExpired, listDeviceRows } from './accounts/devices.store.ts';
import { deleteAudit } from './audit/audit.store.ts';
import { SWEEP } from './peers/held-names.ts';
import { ownerOf } from './rooms/rooms.store.ts';
import type { Storage } from './storage.ts';
import { compactAll } from './update-log/compacting.ts';

/** What a relay tidies up now and then: devices and accounts whose time is over, snapshots that nobody read, logs that an epoch left behind. */
export interface Sweeping {
  /** It is time: one sweep goes at a time, and what becomes due during one is done after it. */
  due(): void;
  /** Resolves when none is under way. */
  ended(): Promise<void>;
}

export interface SweepingDeps {
  storage: Pick<Storage, 'records' | 'updates' | 'peers'>;
  /** Whose accounts expire, or are forgotten. */
  store: AccountStore;
  clock: Clock;
  log: Logger;
  world: SweepingWorld;
}

export interface SweepingWorld {
  /** Writes down when devices were seen, and who was refused; each node does it for its own. */
  save(): Promise<void>;
  /** How long the audit log is kept. */
  auditDays: number;
  /** Shuts a device out, here and at the other nodes. */
  revoke(device: string): void;
  /** What an account holds is to be counted anew. */
  freed(account: string): void;
  /** Snapshots of a room were settled by time. */
  settled(room: string): Promise<void>;
  /** Deletes files that nothing names, as an end of the relay leaves them. */
  unnamed(): Promise<void>;
}

const HOUR = 60 * 60_000;
/** How long a snapshot waits for another device before what it covers is let go. */
const SNAPSHOT_WAITS = 14 * 24 * HOUR;

export function createSweeping({ storage, store, clock, log, world }: SweepingDeps): Sweeping {
  const { records, updates, peers } = storage;
  let sweeping: Promise<void> | undefined;
  let isDue = false;

  /** What is left of a room's log is counted anew. */
  async function freed(room: string): Promise<void> {
    const owner = await records.read(() => ownerOf(room));
    if (owner !== undefined) world.freed(owner);
  }

  async function sweep(): Promise<void> {
    try {
      const now = clock.now();
      await world.save();
      // One node does it for all; another one where that one died.
      if ((await peers.hold(SWEEP)).kind === 'elsewhere') return;
      await records.write(() => deleteExpired(now));
      await records.write(() => deleteAudit(now - world.auditDays * 24 * HOUR));
      // Their keys have stopped; connections from before have not.
      for (const account of await store.expiredBy(now, 1000))
        for (const { id } of await records.read(() => listDeviceRows(account))) world.revoke(id);
      const forgotten = await removeForgotten({ store, now }, 20);
      if (forgotten.length > 0) log.info({ accounts: forgotten.length }, 'unconfirmed accounts were deleted');
      for (const room of await updates.settleSnapshots(now - SNAPSHOT_WAITS)) {
        await freed(room);
        await world.settled(room);
      }
      await compactAll(updates, freed);
      await world.unnamed();
    } catch (err) {
      log.error({ err }, 'the relay could not tidy up; it is tried again');
    }
    // Also what was let go a little at a time, by whomever.
    records.empty();
  }

  async function sweepWhileDue(): Promise<void> {
    while (isDue) {
      isDue = false;
      await sweep();
    }
  }

  return {
    due() {
      isDue = true;
      sweeping ??= sweepWhileDue().finally(() => (sweeping = undefined));
    },
    async ended() {
      await sweeping;
    },
  };
}
