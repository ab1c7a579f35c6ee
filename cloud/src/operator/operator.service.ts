import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import { Problem } from '@reverie/shared/contract/problems';
import type {
  AuditEntry,
  OperatorAccount,
  OperatorAccountDetails,
  OperatorRoom,
  OperatorStorage,
} from '@reverie/shared/contract/relay/relay-operator';
import { ulid } from 'ulid';
import { type AuditWanted, type ListedAudit, listAudit } from '../audit/audit.store.ts';
import { audit } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import type { Records } from '../db/records.ts';
import { deleteOperatorKey, insertOperatorKey, listOperatorKeys } from './operator-keys.store.ts';
import {
  type AccountRow,
  accountsByEmail,
  findAccountRow,
  listAccountRows,
  listAllDevices,
  listGuests,
  listMemberships,
  listRoomSizes,
  type RoomSizeRow,
  saveDisabled,
} from './operator.store.ts';

/** What who runs the relay sees and does, by the command or over HTTP. */
export interface OperatorDeps {
  records: Records;
  config: Pick<Config, 'RELAY_QUOTA_MB' | 'RELAY_PROVISIONAL_QUOTA_MB'>;
  now: () => number;
  /** Bytes that the database takes on its disk. */
  databaseBytes: () => Promise<number>;
  /** An account was disabled or enabled: its devices are told, wherever they are connected. */
  standingChanged: (account: string) => Promise<void>;
  /** Removes an account with all that it holds. */
  remove: (account: string, by: { operator: string }) => Promise<void>;
}

const MB = 1024 * 1024;
const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));
const bytesOf = (room: RoomSizeRow) => room.log_bytes + room.file_bytes + room.document_bytes;
const missing = (account: string) =>
  new Problem('account_not_found', `There is no account ${account}; \`admin accounts\` lists all`);

export async function listAccounts(deps: OperatorDeps): Promise<OperatorAccount[]> {
  const { accounts, rooms } = await deps.records.read(function* () {
    return { accounts: yield* listAccountRows(), rooms: yield* listRoomSizes() };
  });
  const owned = Map.groupBy(rooms, ({ owner }) => owner);
  return accounts.map((row) => showAccount(deps, row, owned.get(row.id) ?? []));
}

function showAccount(
  { config, now }: Pick<OperatorDeps, 'config' | 'now'>,
  row: AccountRow,
  rooms: readonly RoomSizeRow[],
): OperatorAccount {
  const { id, confirmed_at, disabled_at, expires_at } = row;
  const open = confirmed_at !== null ? 'confirmed' : expires_at > now() ? 'provisional' : 'expired';
  const quota = confirmed_at === null ? config.RELAY_PROVISIONAL_QUOTA_MB : config.RELAY_QUOTA_MB;
  return {
    account: id,
    email: row.email,
    status: disabled_at === null ? open : 'disabled',
    created_at: iso(row.created_at),
    confirmed_at: isoOrNull(confirmed_at),
    disabled_at: isoOrNull(disabled_at),
    last_seen: isoOrNull(row.last_seen),
    devices: row.devices,
    rooms: rooms.length,
    memberships: row.memberships,
    bytes: rooms.reduce((sum, room) => sum + bytesOf(room), 0),
    limit: quota * MB,
  };
}

function showRoom(row: RoomSizeRow): OperatorRoom {
  const { id, created_at, owner, owner_email, members, head, epoch } = row;
  const { log_bytes, file_bytes, document_bytes } = row;
  return {
    room: id,
    owner,
    owner_email,
    members,
    created_at: iso(created_at),
    head,
    epoch,
    log_bytes,
    file_bytes,
    document_bytes,
  };
}

/** An account with its devices and rooms. Throws `account_not_found`. */
export async function accountDetails(deps: OperatorDeps, account: string): Promise<OperatorAccountDetails> {
  const { row, rooms, devices, memberships } = await deps.records.read(function* () {
    return {
      row: yield* findAccountRow(account),
      rooms: yield* listRoomSizes(account),
      devices: yield* listAllDevices(account),
      memberships: yield* listMemberships(account),
    };
  });
  if (!row) throw missing(account);
  return Object.assign(showAccount(deps, row, rooms), {
    all_devices: devices.map(({ id, name, created_at, last_seen, revoked_at }) => ({
      device: id,
      name,
      created_at: iso(created_at),
      last_seen: isoOrNull(last_seen),
      revoked_at: isoOrNull(revoked_at),
    })),
    own_rooms: rooms.map(showRoom),
    member_of: memberships,
  });
}

/** The ids of the accounts of an e-mail address, or the id itself where one is given. Throws `account_not_found`. */
export async function accountsOf(
  { records }: Pick<OperatorDeps, 'records'>,
  given: string,
): Promise<string[]> {
  const found = await records.read(function* () {
    const byEmail = yield* accountsByEmail(given);
    return byEmail.length > 0 || !(yield* findAccountRow(given)) ? byEmail : [given];
  });
  if (found.length === 0) throw missing(given);
  return found;
}

/** Disables an account, or enables it; nothing that it has is changed. */
export async function setDisabled(
  deps: OperatorDeps,
  account: string,
  { disabled, operator }: { disabled: boolean; operator: string },
): Promise<OperatorAccountDetails> {
  const at = deps.now();
  await deps.records.write(function* () {
    if (!(yield* saveDisabled(account, disabled ? at : null))) return;
    const kind = disabled ? 'account.disabled' : 'account.enabled';
    yield* audit({ kind, at, by: { operator }, account });
  });
  const details = await accountDetails(deps, account);
  await deps.standingChanged(account);
  return details;
}

/** What goes with an account, in a sentence. */
async function takenWith(deps: OperatorDeps, account: string): Promise<string> {
  const details = await accountDetails(deps, account);
  const guests = await deps.records.read(() => listGuests(account));
  const shared = details.own_rooms.filter(({ members }) => members > 1).length;
  const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
  const others =
    shared === 0
      ? 'none of which has other members'
      : `${shared} of which ${shared === 1 ? 'has' : 'have'} other members, who lose what is there on this relay and keep what is on their devices: ${guests.join(', ')}`;
  return `Deleting ${details.email} (${account}) takes ${count(details.devices, 'device', 'devices')} and ${count(details.rooms, 'room', 'rooms')} with ${details.bytes} bytes${details.rooms === 0 ? '' : `, ${others}`}. It cannot be undone; \`disable\` can`;
}

/** Deletes an account with its rooms. Throws `consent_needed`, which says what goes with it, where nobody said yes. */
export async function deleteAccount(
  deps: OperatorDeps,
  account: string,
  { yes, operator }: { yes: boolean; operator: string },
): Promise<void> {
  const taken = await takenWith(deps, account);
  if (!yes)
    throw new Problem('consent_needed', `${taken}. Say yes to it: \`--yes\`, over HTTP \`?yes=true\``);
  await deps.remove(account, { operator });
}

export async function listRooms({ records }: Pick<OperatorDeps, 'records'>): Promise<OperatorRoom[]> {
  return (await records.read(() => listRoomSizes())).map(showRoom);
}

/** What accounts and their rooms take, the largest first. */
export async function storageOf(deps: OperatorDeps): Promise<OperatorStorage> {
  const rooms = await deps.records.read(() => listRoomSizes());
  const owned = Map.groupBy(rooms, ({ owner }) => owner);
  const accounts = (await listAccounts(deps))
    .map(({ account, email, bytes, limit }) => ({
      account,
      email,
      bytes,
      limit,
      rooms: (owned.get(account) ?? [])
        .map((room) => ({ room: room.id, bytes: bytesOf(room) }))
        .sort((a, b) => b.bytes - a.bytes),
    }))
    .sort((a, b) => b.bytes - a.bytes);
  return {
    accounts,
    bytes: accounts.reduce((sum, { bytes }) => sum + bytes, 0),
    database_bytes: await deps.databaseBytes(),
  };
}

/** What was done on the relay, the newest first, with the addresses of accounts that are still there. */
export async function auditOf(
  { records }: Pick<OperatorDeps, 'records'>,
  wanted: AuditWanted,
): Promise<AuditEntry[]> {
  const rows = await records.read(() => listAudit(wanted));
  return rows.map((row) => ({
    id: row.id,
    at: iso(row.at),
    kind: row.kind,
    times: row.times,
    by: actorOf(row),
    account: row.account,
    email: row.email,
    device: row.device,
    room: row.room,
    subject: row.subject,
    role: row.role,
    address: row.address,
  }));
}

function actorOf(row: ListedAudit): AuditEntry['by'] {
  const { by_account: account, by_email: email, by_device: device, by_operator: operator } = row;
  return account === null && operator === null ? null : { account, email, device, operator };
}

/** Makes an operator's key, which is answered this once. */
export async function makeOperatorKey(
  { records, now }: Pick<OperatorDeps, 'records' | 'now'>,
  name: string,
): Promise<{ id: string; key: string }> {
  const at = now();
  const id = `op_${ulid(at)}`;
  const key = makeKey('operator');
  await records.write(function* () {
    yield* insertOperatorKey({ id, name, hash: hashKey(key), created_at: at });
    yield* audit({ kind: 'operator.key_made', at, by: { operator: 'command' }, subject: id });
  });
  return { id, key };
}

export async function operatorKeysOf({
  records,
}: Pick<OperatorDeps, 'records'>): Promise<{ id: string; name: string; created_at: string }[]> {
  const keys = await records.read(() => listOperatorKeys());
  return keys.map(({ id, name, created_at }) => ({ id, name, created_at: iso(created_at) }));
}

/** Ends an operator's key. Throws `key_not_found`. */
export async function revokeOperatorKey(
  { records, now }: Pick<OperatorDeps, 'records' | 'now'>,
  id: string,
): Promise<void> {
  await records.write(function* () {
    if (!(yield* deleteOperatorKey(id)))
      throw new Problem('key_not_found', `There is no operator's key ${id}; \`admin key --list\` lists all`);
    yield* audit({ kind: 'operator.key_revoked', at: now(), by: { operator: 'command' }, subject: id });
  });
}
