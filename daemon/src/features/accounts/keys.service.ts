import type { AccountId, Caller, KeyPurpose, KeyRow } from '@reverie/shared/accounts/caller';
import { hashKey, isKey, KEY_PREFIX_LENGTH, makeKey } from '@reverie/shared/accounts/key-format';
import type { ApiKey } from '@reverie/shared/contract/accounts/keys';
import { Problem } from '@reverie/shared/contract/problems';
import { abilitiesOf, type Ability, type Scope } from '@reverie/shared/contract/route';
import { abilitiesOfKey } from '@reverie/shared/accounts/narrower-keys';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Home, readPrivateFile, writePrivateFile } from '../../platform/home/home.ts';
import { newUlid } from '../../platform/ids.ts';
import {
  endKey,
  endKeysFor,
  expireKey,
  findKey,
  findKeyByHash,
  findMachineAccount,
  insertAccount,
  insertKey,
  listKeyRows,
} from './accounts.store.ts';
import { countSessions, deleteEndedSessions, deleteSessionsOf } from './page-sessions.store.ts';

const DAY = 86_400_000;
const GRACE = DAY;

export interface KeysDeps {
  store: Store;
  clock: Clock;
  home: Pick<Home, 'ownerKey' | 'apiKey'>;
  /** Called once a key, or a session of the page, is changed, so that what it holds open is closed where it works no more. */
  changed: (id: string) => void;
}

export interface NewKey {
  name: string;
  scope: Scope;
  /** Patterns of the namespaces that it has, and what it may do there; all that its scope has where omitted or null. */
  namespaces?: readonly string[] | null | undefined;
  can?: readonly Ability[] | null | undefined;
  purpose: KeyPurpose;
  expires_at: number | null;
}

/** A key row as the contract shows it; `open_sessions` is a number for the page's key, and null for every other one. */
export function toApiKey(row: KeyRow, open_sessions: number | null = null): ApiKey {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    namespaces: [...(row.namespaces ?? ['*'])],
    can: [...abilitiesOfKey(row)],
    key_prefix: row.key_prefix,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: time(row.last_used_at),
    expires_at: time(row.expires_at),
    revoked_at: time(row.revoked_at),
    kept_in_file: isOfFile(row),
    open_sessions,
  };
}

/** The keys of the two files of the home. */
function isOfFile({ purpose }: Pick<KeyRow, 'purpose'>): boolean {
  return purpose === 'owner_file' || purpose === 'api_file';
}

const unique = <T>(list: readonly T[] | null | undefined) => (list ? [...new Set(list)] : null);

/** Makes a key; its text is answered this once and only its hash is kept. */
export function createKey(
  { store, clock }: Pick<KeysDeps, 'store' | 'clock'>,
  account: AccountId,
  wanted: NewKey,
) {
  const key = makeKey('live');
  const row: KeyRow = {
    id: `key_${newUlid(clock.now())}`,
    account,
    ...wanted,
    // Who has all by what was asked for has all, as one who asked for nothing.
    namespaces: wanted.namespaces?.includes('*') ? null : unique(wanted.namespaces),
    can: abilitiesOf(wanted.scope).every((one) => wanted.can?.includes(one)) ? null : unique(wanted.can),
    key_prefix: key.slice(0, KEY_PREFIX_LENGTH),
    created_at: clock.now(),
    last_used_at: null,
    revoked_at: null,
  };
  store.write((db) => insertKey(db, { ...row, hash: hashKey(key) }));
  return { ...toApiKey(row), key };
}

/** Makes a key as `createKey` does, for a person or program that names it. Throws `conflict` where a working key has the name. */
export function createNamedKey(
  deps: Pick<KeysDeps, 'store' | 'clock'>,
  account: AccountId,
  wanted: NewKey,
): ReturnType<typeof createKey> {
  return deps.store.write((db) => {
    const first = firstOfName(listKeyRows(db, account), wanted.name, deps.clock.now());
    if (first)
      throw new Problem(
        'conflict',
        `There is a key named ${JSON.stringify(first.name)} already: ${first.id} (${first.key_prefix}…). Choose another name, or revoke or rotate that one`,
      );
    return createKey(deps, account, wanted);
  });
}

const endOf = ({ expires_at }: KeyRow) => expires_at ?? Number.MAX_SAFE_INTEGER;

/** The key that has a name, the one that stays where it was rotated. The page's is not named by anybody, and takes no name. */
function firstOfName(rows: readonly KeyRow[], name: string, now: number): KeyRow | undefined {
  return rows
    .filter(
      (row) =>
        row.name === name &&
        row.purpose !== 'page' &&
        row.revoked_at === null &&
        (row.expires_at === null || row.expires_at > now),
    )
    .sort((a, b) => endOf(b) - endOf(a) || a.created_at - b.created_at)[0];
}

export function listKeys({ store, clock }: Pick<KeysDeps, 'store' | 'clock'>, account: AccountId): ApiKey[] {
  return store.read((db) =>
    listKeyRows(db, account).map((row) => toApiKey(row, sessionsOf(db, row, clock.now()))),
  );
}

/** The key of a request as the contract shows it. */
export function currentKey({ store, clock }: Pick<KeysDeps, 'store' | 'clock'>, { key }: Caller): ApiKey {
  return store.read((db) => toApiKey(key, sessionsOf(db, key, clock.now())));
}

function sessionsOf(db: ReadDb, { id, purpose }: KeyRow, now: number): number | null {
  return purpose === 'page' ? countSessions(db, id, now) : null;
}

function keyOf({ store, clock }: Pick<KeysDeps, 'store' | 'clock'>, account: AccountId, id: string): KeyRow {
  const row = store.read((db) => findKey(db, account, id));
  if (!row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= clock.now()))
    throw new Problem('key_not_found', `There is no valid key ${id}`);
  return row;
}

/**
 * Ends a key at once, and with the page's key all of its sessions. Throws `conflict` for the keys of the two files, which are rotated
 * instead, so that nobody is locked out.
 */
export function revokeKey(deps: KeysDeps, account: AccountId, id: string): void {
  const row = keyOf(deps, account, id);
  if (isOfFile(row))
    throw new Problem('conflict', `The key ${id} is kept in a file of this machine: rotate it instead`);
  deps.store.write((db) => {
    endKey(db, id, deps.clock.now());
    deleteSessionsOf(db, id);
  });
  deps.changed(id);
}

/** Replaces a key. The old one works for 24 h more unless `immediate`; a key's file gets the new one. */
export function rotateKey(deps: KeysDeps, account: AccountId, at: { id: string; immediate: boolean }) {
  const { store, clock, home } = deps;
  const old = keyOf(deps, account, at.id);
  if (old.purpose === 'page')
    throw new Problem(
      'conflict',
      `The key ${at.id} is the page's, and nobody has its text: revoke it, and open the page again`,
    );
  // Else the file would get a key that ends with the old one.
  if (isOfFile(old) && old.expires_at !== null)
    throw new Problem('conflict', `The key ${at.id} is replaced already: rotate the one in the file`);
  const made = store.write((db) => {
    if (at.immediate) endKey(db, old.id, clock.now());
    else expireKey(db, old.id, clock.now() + GRACE);
    const { name, scope, namespaces, can, purpose, expires_at } = old;
    const next = createKey(deps, account, { name, scope, namespaces, can, purpose, expires_at });
    // Before the commit: should it fail, the next start makes a new key for a file that it does not know.
    if (purpose === 'owner_file') writePrivateFile(home.ownerKey, `${next.key}\n`);
    if (purpose === 'api_file') writePrivateFile(home.apiKey, `${next.key}\n`);
    return next;
  });
  deps.changed(old.id);
  return made;
}

/** Makes the machine's account and its two key files where they are missing, or hold keys of another database; answers the account. */
export function ensureMachine(
  deps: Pick<KeysDeps, 'store' | 'clock' | 'home'>,
  makeIndex: (db: WriteDb, id: AccountId) => void,
): AccountId {
  const { store, clock, home } = deps;
  const account = store.write((db) => {
    const found = findMachineAccount(db);
    if (found) return found.id;
    const created_at = clock.now();
    const public_id = `acc_${newUlid(created_at)}`;
    const id = insertAccount(db, { public_id, kind: 'machine', tier: 'machine', created_at });
    makeIndex(db, id);
    return id;
  });
  ensureKeyFile(deps, account, {
    file: home.ownerKey,
    purpose: 'owner_file',
    scope: 'owner',
    name: 'owner-key',
  });
  ensureKeyFile(deps, account, {
    file: home.apiKey,
    purpose: 'api_file',
    scope: 'write',
    name: 'api-key',
  });
  tidyPageSessions({ store, clock });
  return account;
}

/** Sessions of the page that have ended; on a full disk they stay until the next start, and open nothing. */
function tidyPageSessions({ store, clock }: Pick<KeysDeps, 'store' | 'clock'>): void {
  try {
    store.write((db) => deleteEndedSessions(db, clock.now()));
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.code !== 'disk_full') throw cause;
  }
}

interface KeyFile {
  file: string;
  purpose: 'owner_file' | 'api_file';
  scope: Scope;
  name: string;
}

function ensureKeyFile(deps: Pick<KeysDeps, 'store' | 'clock'>, account: AccountId, wanted: KeyFile): void {
  const { store, clock } = deps;
  const text = readPrivateFile(wanted.file);
  if (text !== undefined && isKey(text)) {
    const row = store.read((db) => findKeyByHash(db, hashKey(text)));
    if (row && row.revoked_at === null && row.expires_at === null && row.purpose === wanted.purpose) return;
  }
  store.write((db) => {
    endKeysFor(db, wanted.purpose, clock.now());
    const { name, scope, purpose } = wanted;
    const { key } = createKey(deps, account, { name, scope, purpose, expires_at: null });
    writePrivateFile(wanted.file, `${key}\n`);
  });
}
