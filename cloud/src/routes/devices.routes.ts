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
import type { Clock } from '../clock.ts';
import type { Database } from '../db/open-database.ts';
import type { Caller } from './callers.ts';

export interface DeviceRouteDeps {
  db: Database;
  clock: Clock;
  store: AccountStore;
  sockets: {
    isOnline: (device: string) => boolean;
    revoke: (device: string) => void;
    tellRooms: (account: string) => void;
  };
  world: {
    used: (account: string) => number | Promise<number>;
    quotaOf: (account: string) => number;
    /** When a device was seen since that was saved last. */
    seenAt: (device: string) => number | undefined;
  };
}

const iso = (ms: number) => new Date(ms).toISOString();

/** The devices of an account, and the account itself. */
export function deviceRoutes(mount: Mount<Caller>, deps: DeviceRouteDeps): void {
  const { db, clock, store, sockets, world } = deps;
  const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));
  const missing = (id: string) => new Problem('not_found', `There is no device ${id} of this account`);

  mount(contract.makePairingCode, ({ caller }) => makeCode({ db, now: clock.now() }, caller.account));
  mount(contract.listDevices, ({ caller }) => ({
    devices: listDeviceRows(db, caller.account).map(({ id, name, created_at, last_seen }) => ({
      id,
      name,
      created_at: iso(created_at),
      last_seen: isoOrNull(world.seenAt(id) ?? last_seen),
      online: sockets.isOnline(id),
      current: id === caller.device,
    })),
    requests: openRequests(db, caller.account, clock.now()).map(
      ({ id, name, number, created_at, expires_at }) => ({
        id,
        name,
        number,
        created_at: iso(created_at),
        expires_at: iso(expires_at),
      }),
    ),
  }));
  mount(contract.renameDevice, ({ params: { id }, body, caller }) => {
    if (!saveDeviceName(db, { id, account: caller.account, name: body.name })) throw missing(id);
    sockets.tellRooms(caller.account);
    return { success: true as const, id };
  });
  mount(contract.revokeDevice, ({ params: { id }, caller }) => {
    const { account } = caller;
    db.write(() => {
      if (!endDevice(db, { id, account, now: clock.now() })) throw missing(id);
      // Who shuts another one out does not know what that one had made before. Who leaves by itself means no harm.
      if (id !== caller.device) endWaysIn(db, account);
    });
    sockets.revoke(id);
    sockets.tellRooms(caller.account);
    return { success: true as const, id };
  });
  mount(contract.answerRequest, ({ params: { id }, body, caller }) => {
    answerRequest({ db, now: clock.now() }, { id, account: caller.account, approve: body.approve });
    sockets.tellRooms(caller.account);
    return { success: true as const, id };
  });

  mount(contract.getRelayAccount, async ({ caller }) => {
    const account = findAccount(db, caller.account);
    if (!account) throw new Problem('account_not_found', 'This account is gone');
    const isConfirmed = account.confirmed_at !== null;
    return {
      account: account.id,
      email: account.email,
      status: isConfirmed ? ('confirmed' as const) : ('provisional' as const),
      confirm_by: isConfirmed ? null : iso(account.expires_at),
      bytes: await world.used(account.id),
      limit: world.quotaOf(account.id),
    };
  });
  mount(contract.deleteRelayAccount, async ({ caller }) => {
    await store.remove(caller.account);
    return { success: true as const, id: caller.account };
  });
}
