import type { Clock } from '@reverie/shared/time/clock';
import type { AccessChanges } from './transport/access-changes.ts';
import { deleteAccount } from './accounts/accounts.store.ts';
import type { Actor } from './audit/audit.ts';
import { removeFiles } from './files/files.service.ts';
import { endAccount } from './accounts/accounts.store.ts';
import { endDevice, listDeviceRows } from './accounts/devices.store.ts';
import { deleteRoom, listMemberRows, ownRooms } from './rooms/rooms.store.ts';
import type { Storage } from './storage.ts';

export interface RemovalDeps {
  storage: Pick<Storage, 'records' | 'updates'>;
  clock: Clock;
  access: Pick<AccessChanges, 'revoke' | 'changed'>;
  /** What is known of an account is forgotten. */
  forget: (account: string) => void;
}

/**
 * Removes an account: its devices are shut out, its rooms go with their logs, and then it goes itself. `by`: left out where it
 * goes because nobody confirmed it.
 */
export async function removeAccount(deps: RemovalDeps, account: string, by?: Actor): Promise<void> {
  const { records } = deps.storage;
  await removeHoldings(deps, account);
  await records.write(() => deleteAccount(account, { at: deps.clock.now(), ...(by && { by }) }));
  records.empty();
}

/** Removes what is not in an account's own rows. It has ended with the first step, so that no room is left whose owner cannot enter. */
async function removeHoldings(
  { storage: { records, updates }, clock, access, forget }: RemovalDeps,
  account: string,
): Promise<void> {
  const devices = await records.read(() => listDeviceRows(account));
  await records.write(function* () {
    yield* endAccount(account);
    for (const { id } of devices) yield* endDevice({ id, account, now: clock.now() });
  });
  for (const { id } of devices) access.revoke(id);
  for (const room of await records.read(() => ownRooms(account))) {
    const members = await records.read(() => listMemberRows(room));
    await updates.remove(room);
    await removeFiles(records, room);
    await records.write(() => deleteRoom(room));
    await access.changed(
      room,
      members.map((member) => member.account),
    );
  }
  forget(account);
}
