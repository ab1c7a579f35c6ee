import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import { type Hlc, nextHlc } from '@reverie/shared/document/clock';
import type { ReadDb, Store, WriteDb } from '../db/open-store.ts';

/** How this home is linked. Times in ms since 1970. */
export interface LinkRow {
  account: AccountId;
  relay: string;
  /** The authorities (PEM) that its certificate may come from, beside those of this machine. */
  ca: string | null;
  email: string | null;
  /** Null while a linked device has to let this one in. */
  device: string | null;
  device_name: string;
  request: string | null;
  /** Six digits that both devices show. */
  number: string | null;
  expires_at: number | null;
  confirm_by: number | null;
  paused: number;
  linked_at: number;
  last_sync_at: number | null;
  /** The public key of its relay, once that proved it and let this device in; null before. */
  relay_key: string | null;
  /** The relay's log in which this device was let in, or compared its rooms last; empty where that is not known. */
  log_id: string;
  /** Where else the relay is reached, as it said itself: a list in JSON. */
  addresses: string;
}

/** What a relay may have proved of itself when a link begins. */
type Proved = Pick<LinkRow, 'relay_key' | 'log_id' | 'addresses'>;

/** A link as it begins; without `ca` the relay's certificate has to come from an authority of this machine. */
export type NewLink = Omit<LinkRow, 'paused' | 'last_sync_at' | 'ca' | keyof Proved> & {
  ca?: string | undefined;
};

const COLUMNS =
  'account, relay, ca, email, device, device_name, request, number, expires_at, confirm_by, paused, linked_at, last_sync_at, relay_key, log_id, addresses';

export function findLink(db: ReadDb): LinkRow | undefined {
  return db.prepare<[], LinkRow>(`SELECT ${COLUMNS} FROM sync_links`).get();
}

export function insertLink(db: WriteDb, link: NewLink): void {
  db.prepare<unknown[]>(
    `INSERT INTO sync_links (account, relay, ca, email, device, device_name, request, number, expires_at, confirm_by, linked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    link.account,
    link.relay,
    link.ca ?? null,
    link.email,
    link.device,
    link.device_name,
    link.request,
    link.number,
    link.expires_at,
    link.confirm_by,
    link.linked_at,
  );
}

/** Notes that this device was let in, and until when (ms since 1970) its account has to be confirmed; null where it is. */
export function saveDevice(db: WriteDb, device: string, confirmBy: number | null): void {
  db.prepare<[string, number | null]>(
    'UPDATE sync_links SET device = ?, confirm_by = ?, request = NULL, number = NULL, expires_at = NULL',
  ).run(device, confirmBy);
}

/** Saves from which authorities (PEM) the relay's certificate may come. */
export function saveCa(db: WriteDb, ca: string): void {
  db.prepare<[string]>('UPDATE sync_links SET ca = ?').run(ca);
}

/** Notes that the relay is reached at another address. */
export function saveRelay(db: WriteDb, relay: string): void {
  db.prepare<[string]>('UPDATE sync_links SET relay = ?').run(relay);
}

/** Notes that the relay moved, and where else it is reached: a list in JSON. */
export function saveMoved(db: WriteDb, { relay, addresses }: { relay: string; addresses: string }): void {
  db.prepare<[string, string]>('UPDATE sync_links SET relay = ?, addresses = ?').run(relay, addresses);
}

/** Notes where else the relay is reached: a list in JSON. */
export function saveAddresses(db: WriteDb, addresses: string): void {
  db.prepare<[string]>('UPDATE sync_links SET addresses = ?').run(addresses);
}

/** Keeps what the relay proved of itself when it let this device in. */
export function saveProved(db: WriteDb, { relay_key, log_id, addresses }: Proved): void {
  db.prepare<[string | null, string, string]>(
    'UPDATE sync_links SET relay_key = ?, log_id = ?, addresses = ?',
  ).run(relay_key, log_id, addresses);
}

/** Notes the relay's log in which rooms were compared. */
export function saveLogId(db: WriteDb, logId: string): void {
  db.prepare<[string, string]>('UPDATE sync_links SET log_id = ? WHERE log_id <> ?').run(logId, logId);
}

/** Deletes the link with its namespaces, documents and outbox; memories and conflicts stay. */
export function deleteLink(db: WriteDb): void {
  db.prepare<[]>('DELETE FROM sync_links').run();
}

export function savePaused(db: WriteDb, paused: boolean): void {
  db.prepare<[number]>('UPDATE sync_links SET paused = ?').run(paused ? 1 : 0);
}

export function saveSynced(db: WriteDb, at: number): void {
  db.prepare<[number]>('UPDATE sync_links SET last_sync_at = ?').run(at);
}

/** Gives out the next stamp of this device. */
export function tick(db: WriteDb, now: number): Hlc {
  const next = nextHlc(clockOf(db).clock, now);
  setClock(db, next);
  return next;
}

/** The last stamp given out or seen, and the newest one that the relay has. */
export function clockOf(db: ReadDb): { clock: Hlc; heard: Hlc } {
  return (
    db.prepare<[], { clock: number; heard: number }>('SELECT clock, heard FROM sync_links').get() ?? {
      clock: 0,
      heard: 0,
    }
  );
}

export function setClock(db: WriteDb, clock: Hlc): void {
  db.prepare<[number]>('UPDATE sync_links SET clock = ?').run(clock);
}

/** Moves the clock on, so that the next stamp is later than one that was seen. */
export function observe(db: WriteDb, seen: Hlc): void {
  db.prepare<[number, number]>('UPDATE sync_links SET clock = ? WHERE clock < ?').run(seen, seen);
}

/** As `observe`, for a stamp that the relay has: what is stamped anew is later than it, too. */
export function hear(db: WriteDb, stamp: Hlc): void {
  observe(db, stamp);
  db.prepare<[number, number]>('UPDATE sync_links SET heard = ? WHERE heard < ?').run(stamp, stamp);
}

/** Says that this home is not linked, and how it is. */
export function notLinked(): Problem {
  return new Problem(
    'not_linked',
    'This machine is not linked to a relay: `reverie link <relay> --email you@example.org`',
  );
}

/** Whose memories are synced; undefined while nobody's are. */
export function linkedAccount(store: Store): AccountId | undefined {
  return store.read(findLink)?.account;
}
