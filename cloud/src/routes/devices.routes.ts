import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { Problem } from '@reverie/shared/contract/problems';
import * as contract from '@reverie/shared/contract/relay';
import type { Mount } from '@reverie/shared/http/mount';
import { findAccount } from '../accounts/accounts.store.ts';
import {
  endDevice,
  endWaysIn,
  listDeviceRows,
  openRequests,
  saveDeviceName,
} from '../accounts/devices.store.ts';
import { answerRequest, makeCode } from '../accounts/linking.service.ts';
import type { Clock } from '@reverie/shared/time/clock';
import type { Records } from '../db/records.ts';
import type { Caller } from './callers.ts';

export interface DeviceRouteDeps {
  records: Records;
  clock: Clock;
  store: AccountStore;
  sockets: {
    /** Those of some devices that are connected, here or elsewhere. */
    online: (devices: readonly string[]) => Promise<ReadonlySet<string>>;
    revoke: (device: string) => void;
    tellRooms: (account: string) => void;
  };
  world: {
    used: (account: string) => number | Promise<number>;
    quotaOf: (account: string) => number | Promise<number>;
    /** When a device was seen since that was saved last. */
    seenAt: (device: string) => number | undefined;
  };
}

const iso = (ms: number) => new Date(ms).toISOString();

/** The devices of an account, and the account itself. */
export function deviceRoutes(mount: Mount<Caller>, deps: DeviceRouteDeps): void {
  const { records, clock, store, sockets, world } = deps;
  const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));
  const missing = (id: string) => new Problem('not_found', `There is no device ${id} of this account`);

  mount(contract.makePairingCode, ({ caller }) => makeCode({ records, now: clock.now() }, caller.account));
  mount(contract.listDevices, async ({ caller }) => {
    const { devices, requests } = await records.read(function* () {
      return {
        devices: yield* listDeviceRows(caller.account),
        requests: yield* openRequests(caller.account, clock.now()),
      };
    });
    const online = await sockets.online(devices.map(({ id }) => id));
    return {
      devices: devices.map(({ id, name, created_at, last_seen }) => ({
        id,
        name,
        created_at: iso(created_at),
        last_seen: isoOrNull(world.seenAt(id) ?? last_seen),
        online: online.has(id),
        current: id === caller.device,
      })),
      requests: requests.map(({ id, name, number, created_at, expires_at }) => ({
        id,
        name,
        number,
        created_at: iso(created_at),
        expires_at: iso(expires_at),
      })),
    };
  });
  mount(contract.renameDevice, async ({ params: { id }, body, caller }) => {
    const isSaved = await records.write(() =>
      saveDeviceName({ id, account: caller.account, name: body.name }),
    );
    if (!isSaved) throw missing(id);
    sockets.tellRooms(caller.account);
    return { success: true as const, id };
  });
  mount(contract.revokeDevice, async ({ params: { id }, caller }) => {
    const { account } = caller;
    await records.write(function* () {
      if (!(yield* endDevice({ id, account, now: clock.now() }))) throw missing(id);
      // Who shuts another one out does not know what that one had made before. Who leaves by itself means no harm.
      if (id !== caller.device) yield* endWaysIn(account);
    });
    sockets.revoke(id);
    sockets.tellRooms(caller.account);
    return { success: true as const, id };
  });
  mount(contract.answerRequest, async ({ params: { id }, body, caller }) => {
    await answerRequest(
      { records, now: clock.now() },
      { id, account: caller.account, approve: body.approve },
    );
    sockets.tellRooms(caller.account);
    return { success: true as const, id };
  });

  mount(contract.getRelayAccount, async ({ caller }) => {
    const account = await records.read(() => findAccount(caller.account));
    if (!account) throw new Problem('account_not_found', 'This account is gone');
    const isConfirmed = account.confirmed_at !== null;
    return {
      account: account.id,
      email: account.email,
      status: isConfirmed ? ('confirmed' as const) : ('provisional' as const),
      confirm_by: isConfirmed ? null : iso(account.expires_at),
      bytes: await world.used(account.id),
      limit: await world.quotaOf(account.id),
    };
  });
  mount(contract.deleteRelayAccount, async ({ caller }) => {
    await store.remove(caller.account);
    return { success: true as const, id: caller.account };
  });
}
