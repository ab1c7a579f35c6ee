import type {
  AuditEntry,
  OperatorAccount,
  OperatorAccountDetails,
  OperatorRoom,
  OperatorStorage,
} from '@reverie/shared/contract/relay/relay-operator';
import type { WaitingMail } from './outbox.ts';

const GAP = '  ';
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Rows below a head, each column as wide as it has to be. */
function table(head: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none;
  const lines = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

/** A size as people read it: in units of 1,024. */
function size(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** unit).toFixed(unit === 0 ? 0 : 1)} ${UNITS[unit] ?? 'B'}`;
}

const time = (iso: string | null) => (iso === null ? 'never' : `${iso.slice(0, 16).replace('T', ' ')} UTC`);

export function accountsTable(accounts: readonly OperatorAccount[]): string {
  return table(
    ['E-mail', 'Status', 'Devices', 'Rooms', 'In others', 'Used', 'Of', 'Last seen', 'Id'],
    accounts.map((one) => [
      one.email,
      one.status,
      String(one.devices),
      String(one.rooms),
      String(one.memberships),
      size(one.bytes),
      size(one.limit),
      time(one.last_seen),
      one.account,
    ]),
    'There are no accounts.',
  );
}

export function accountText(one: OperatorAccountDetails): string {
  const since = one.status === 'disabled' ? `disabled since ${time(one.disabled_at)}` : one.status;
  const devices = table(
    ['Device', 'Last seen', 'Linked', '', 'Id'],
    one.all_devices.map(({ device, name, created_at, last_seen, revoked_at }) => [
      name,
      time(last_seen),
      time(created_at),
      revoked_at === null ? '' : `removed ${time(revoked_at)}`,
      device,
    ]),
    'No devices.',
  );
  const others = table(
    ['Room of', 'Role', 'Id'],
    one.member_of.map(({ room, owner_email, role }) => [owner_email, role, room]),
    'In no rooms of others.',
  );
  return [
    `${one.email} (${one.account}): ${since}, signed up ${time(one.created_at)}, uses ${size(one.bytes)} of ${size(one.limit)}`,
    devices,
    roomsTable(one.own_rooms),
    others,
  ].join('\n\n');
}

export function roomsTable(rooms: readonly OperatorRoom[]): string {
  return table(
    ['Room', 'Owner', 'Members', 'Made', 'Entries', 'Epoch', 'Log', 'Files', 'Document'],
    rooms.map((room) => [
      room.room,
      room.owner_email,
      String(room.members),
      time(room.created_at),
      String(room.head),
      String(room.epoch),
      size(room.log_bytes),
      size(room.file_bytes),
      size(room.document_bytes),
    ]),
    'No rooms.',
  );
}

export function storageTable({ accounts, bytes, database_bytes }: OperatorStorage): string {
  const rows = accounts.flatMap(({ email, bytes: used, limit, rooms }) => [
    [email, size(used), `${((used / limit) * 100).toFixed(1)} % of ${size(limit)}`],
    ...rooms.map((room) => [`  ${room.room}`, size(room.bytes), '']),
  ]);
  return `${table(['Account, room', 'Used', 'Space'], rows, 'There are no accounts.')}\n\nTogether ${size(bytes)}; the database takes ${size(database_bytes)} on its disk.`;
}

export function auditTable(entries: readonly AuditEntry[]): string {
  const who = ({ by, address }: AuditEntry) =>
    address ?? by?.email ?? by?.account ?? (by ? `operator (${by.operator ?? ''})` : '');
  return table(
    ['Id', 'When', 'What', 'Times', 'Who', 'By device', 'About', 'Of it'],
    entries.map((entry) => [
      String(entry.id),
      time(entry.at),
      entry.kind,
      String(entry.times),
      who(entry),
      entry.by?.device ?? '',
      entry.email ?? entry.account ?? '',
      [entry.device, entry.room, entry.subject, entry.role].filter((part) => part !== null).join(' '),
    ]),
    'Nothing is in the audit log.',
  );
}

export function keysTable(keys: readonly { id: string; name: string; created_at: string }[]): string {
  return table(
    ['Id', 'Name', 'Made'],
    keys.map(({ id, name, created_at }) => [id, name, time(created_at)]),
    "There are no operator's keys.",
  );
}

export function mailsTable(mails: readonly WaitingMail[]): string {
  return table(
    ['N', 'To', 'Written', 'Subject'],
    mails.map(({ n, to, written_at, subject }) => [String(n), to, time(written_at), subject]),
    'No mail waits.',
  );
}
