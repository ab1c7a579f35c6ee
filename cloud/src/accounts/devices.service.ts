import { hashKey } from '@reverie/shared/accounts/key-format';
import { Problem } from '@reverie/shared/contract/problems';
import type * as contract from '@reverie/shared/contract/relay/relay';
import type { Reply } from '@reverie/shared/contract/route';
import type { Clock } from '@reverie/shared/time/clock';
import { audit } from '../audit/audit.ts';
import type { Records, Steps } from '../db/records.ts';
import { deleteLinksOf } from '../rooms/rooms.store.ts';
import { findAccount } from './accounts.store.ts';
import {
  endDevice,
  endWaysIn,
  findStanding,
  listDeviceRows,
  openRequests,
  saveDeviceName,
} from './devices.store.ts';

export interface DevicesDeps {
  records: Records;
  clock: Clock;
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

/** The device that asks, and its account. */
interface Asking {
  device: string;
  account: string;
}

const iso = (ms: number) => new Date(ms).toISOString();
const missing = (id: string) => new Problem('not_found', `There is no device ${id} of this account`);

/** The devices of an account, and those that wait to be let in. */
export async function devicesOf(
  { records, clock, sockets, world }: DevicesDeps,
  { device, account }: Asking,
): Promise<Reply<typeof contract.listDevices>> {
  const { devices, requests } = await records.read(function* () {
    return {
      devices: yield* listDeviceRows(account),
      requests: yield* openRequests(account, clock.now()),
    };
  });
  const online = await sockets.online(devices.map(({ id }) => id));
  return {
    devices: devices.map(({ id, name, created_at, last_seen }) => {
      const seen = world.seenAt(id) ?? last_seen;
      return {
        id,
        name,
        created_at: iso(created_at),
        last_seen: seen === null ? null : iso(seen),
        online: online.has(id),
        current: id === device,
      };
    }),
    requests: requests.map(({ id, name, number, created_at, expires_at }) => ({
      id,
      name,
      number,
      created_at: iso(created_at),
      expires_at: iso(expires_at),
    })),
  };
}

/** Gives a device another name. Throws `not_found` where the account has no such one. */
export async function renameDevice(
  { records, sockets }: Pick<DevicesDeps, 'records' | 'sockets'>,
  at: { id: string; account: string },
  name: string,
): Promise<void> {
  if (!(await records.write(() => saveDeviceName({ ...at, name })))) throw missing(at.id);
  sockets.tellRooms(at.account);
}

/** Shuts a device out, itself or another one; answers how many open invites became void with it. Throws `not_found` where the account has no such one. */
export async function revokeDevice(
  { records, clock, sockets }: Pick<DevicesDeps, 'records' | 'clock' | 'sockets'>,
  id: string,
  { device, account }: Asking,
): Promise<{ invitesEnded: number }> {
  const invitesEnded = await records.write(function* (): Steps<number> {
    if (!(yield* endDevice({ id, account, now: clock.now() }))) throw missing(id);
    yield* audit({ kind: 'device.revoked', at: clock.now(), by: { account, device }, account, device: id });
    // Who leaves by itself means no harm. Who shuts another one out does not know what that one had made before.
    if (id === device) return 0;
    yield* endWaysIn(account);
    return yield* deleteLinksOf(account, clock.now());
  });
  sockets.revoke(id);
  sockets.tellRooms(account);
  return { invitesEnded };
}

/** How a key stands that is not let in, and since when. */
export async function standingOf(
  { records, now }: { records: Records; now: number },
  key: string,
): Promise<Reply<typeof contract.askStanding>> {
  const { standing, at } = await records.read(() => findStanding(hashKey(key), now));
  return { standing, at: at === null ? null : iso(at) };
}

/** An account, whether its address is confirmed, and how much it holds. Throws `account_not_found`. */
export async function accountOf(
  { records, world }: Pick<DevicesDeps, 'records' | 'world'>,
  id: string,
): Promise<Reply<typeof contract.getRelayAccount>> {
  const account = await records.read(() => findAccount(id));
  if (!account) throw new Problem('account_not_found', 'This account is gone');
  const isConfirmed = account.confirmed_at !== null;
  return {
    account: account.id,
    email: account.email,
    status: isConfirmed ? 'confirmed' : 'provisional',
    confirm_by: isConfirmed ? null : iso(account.expires_at),
    bytes: await world.used(account.id),
    limit: await world.quotaOf(account.id),
  };
}
