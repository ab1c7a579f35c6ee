import type { Client } from '@reverie/shared/client';
import { getRelayAccount, listDevices, type RelayDevice } from '@reverie/shared/contract/relay/relay';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { findLink, saveDevice } from '../link.store.ts';

/** A device that asks to be let in, as the relay tells. */
interface Asking {
  id: string;
  name: string;
  number: string;
  created_at: string;
}

/** The devices of the account, and those that ask; `at` is when the relay said so, ms since 1970, null before it did. */
export interface Devices {
  all: readonly RelayDevice[];
  asking: readonly Asking[];
  at: number | null;
}

/** What the relay said last of the account's devices. */
export interface KnownDevices {
  devices(): Devices;
  /** Asks the relay, also whether the account was confirmed. */
  refresh(): Promise<void>;
}

export interface KnownDevicesDeps {
  store: Store;
  clock: Clock;
  /** A client of the relay with this device's key. Throws `not_linked`. */
  client: () => Promise<Client>;
}

export function createKnownDevices({ store, clock, client }: KnownDevicesDeps): KnownDevices {
  let devices: Devices = { all: [], asking: [], at: null };
  return {
    devices: () => devices,
    async refresh() {
      const relay = await client();
      const { devices: all, requests } = await relay(listDevices, {});
      devices = { all, asking: requests, at: clock.now() };
      const row = store.read(findLink);
      if (row?.confirm_by == null || row.device === null) return;
      const { device } = row;
      const { confirm_by } = await relay(getRelayAccount, {});
      if (confirm_by === null) store.write((db) => saveDevice(db, device, null));
    },
  };
}
