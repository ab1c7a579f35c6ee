import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import { signUp } from '@reverie/shared/accounts/signup';
import { Problem } from '@reverie/shared/contract/problems';
import type { AwaitedDevice, LinkedDevice } from '@reverie/shared/contract/relay';
import { ulid } from 'ulid';
import type { Database } from '../db/open-database.ts';
import {
  makePairingCode,
  pairingRules,
  readPairingCode,
  showPairingCode,
  tryCode,
} from '../rooms/pairing.ts';
import { type Account, findAccount, findConfirmedByEmail, isAlive } from './accounts.store.ts';
import {
  countWrongTry,
  deleteCode,
  deleteRequest,
  findCode,
  findDeviceByKey,
  findRequest,
  insertCode,
  insertDevice,
  insertRequest,
  listDeviceRows,
  openRequests,
  saveAnswer,
  saveDeviceName,
} from './devices.store.ts';

export interface LinkingDeps {
  db: Database;
  store: AccountStore;
  /** Milliseconds since 1970. */
  now: number;
  /** Where the mail's button is. */
  confirmUrl: string;
  mail: (mail: { email: string; link: string; expiresAt: number }) => Promise<void>;
}

/** How many there may be, and for how long. */
export const linkingRules = {
  devices: 200,
  openRequests: 5,
  requestMs: 86_400_000,
} as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const iso = (ms: number) => new Date(ms).toISOString();

/** Ends a secret or a code in one way for all that is wrong with it. */
function voided(what: string): Problem {
  return new Problem('gone', `${what} is wrong, used up or too old; ask for a new one`);
}

/** Links the first device of an address, or asks the devices of the account that has it. Tells whom to ask. */
export async function linkByEmail(
  deps: LinkingDeps,
  { email, name }: { email: string; name: string },
): Promise<{ reply: LinkedDevice | AwaitedDevice; asked?: string }> {
  const { db, store, now, confirmUrl } = deps;
  const known = findConfirmedByEmail(db, email);
  if (known) return { reply: requestAccess(deps, known, name), asked: known.id };
  const { reply, mail } = await signUp(
    { store, now, random: randomBytes, newId: ulid },
    { email, confirmUrl },
  );
  const device = findDeviceByKey(db, hashKey(reply.api_key));
  if (!device) throw new Error('The device of a signup is not there');
  saveDeviceName(db, { ...device, name });
  await deps.mail({ ...mail, link: `${confirmUrl}?token=${mail.token}` });
  return {
    reply: {
      status: 'linked',
      account: mail.account,
      device: device.id,
      key: reply.api_key,
      confirm_by: iso(mail.expiresAt),
    },
  };
}

function requestAccess({ db, now }: LinkingDeps, account: Account, name: string): AwaitedDevice {
  if (openRequests(db, account.id, now).length >= linkingRules.openRequests)
    throw new Problem('rate_limited', 'Too many devices wait to be let in with this e-mail address', {
      headers: { 'Retry-After': '3600' },
    });
  const secret = randomBytes(32).toString('base64url');
  const id = `req_${ulid(now)}`;
  const number = String(randomInt(1_000_000)).padStart(6, '0');
  const expires_at = now + linkingRules.requestMs;
  const secretHash = sha256(secret);
  insertRequest(db, { id, account: account.id, name, number, secretHash, created_at: now, expires_at });
  return { status: 'awaits_approval', request: id, secret, number, expires_at: iso(expires_at) };
}

/** How a request stands; the device is made by the first question after it was approved. */
export function askForAnswer(
  deps: Pick<LinkingDeps, 'db' | 'now'>,
  { request, secret }: { request: string; secret: string },
): LinkedDevice | { status: 'awaits_approval'; expires_at: string } | { status: 'refused' } {
  const { db, now } = deps;
  return db.write(() => {
    const found = findRequest(db, { id: request, secretHash: sha256(secret), now });
    const account = found && findAccount(db, found.account);
    if (!found || !account) throw voided('This request');
    if (found.answer === null) return { status: 'awaits_approval', expires_at: iso(found.expires_at) };
    if (found.answer === 'refused') return { status: 'refused' };
    deleteRequest(db, request);
    return addDevice(deps, account, found.name);
  });
}

/** A code for one more device of an account. */
export function makeCode(
  { db, now }: Pick<LinkingDeps, 'db' | 'now'>,
  account: string,
): { code: string; expires_at: string } {
  const expiresAt = now + pairingRules.lifeMs;
  for (let left = 20; left > 0; left -= 1) {
    const code = makePairingCode(randomBytes(12));
    if (insertCode(db, { id: code.id, account, secretHash: sha256(code.secret), expiresAt, now }))
      return { code: showPairingCode(code), expires_at: iso(expiresAt) };
  }
  throw new Error('No name for a code was free');
}

/** Joins an account by a code, once; the fifth wrong try of a code is its end. */
export function claimCode(
  deps: Pick<LinkingDeps, 'db' | 'now'>,
  { code: typed, name }: { code: string; name: string },
): LinkedDevice {
  const { db, now } = deps;
  const code = readPairingCode(typed);
  // A wrong try is counted, so the transaction must not be undone by the refusal.
  const linked = db.write(() => {
    const row = code && findCode(db, code.id);
    const account = row && findAccount(db, row.account);
    const isRight = row !== undefined && timingSafeEqual(row.secret_hash, sha256(code?.secret ?? ''));
    const open = row && { wrongTries: row.wrong_tries, expiresAt: row.expires_at };
    const outcome = tryCode(open, { isRight, now });
    if (outcome === 'wrong' && code) countWrongTry(db, code.id);
    if (outcome !== 'admitted' || !code || !account || !isAlive(account, now)) return undefined;
    deleteCode(db, code.id);
    return addDevice(deps, account, name);
  });
  if (!linked) throw voided('The code');
  return linked;
}

/** Answers a device that waits. */
export function answerRequest(
  { db, now }: Pick<LinkingDeps, 'db' | 'now'>,
  { id, account, approve }: { id: string; account: string; approve: boolean },
): void {
  if (!saveAnswer(db, { id, account, answer: approve ? 'approved' : 'refused', now }))
    throw voided('This request');
}

function addDevice(
  { db, now }: Pick<LinkingDeps, 'db' | 'now'>,
  account: Account,
  name: string,
): LinkedDevice {
  if (listDeviceRows(db, account.id).length >= linkingRules.devices)
    throw new Problem(
      'quota_exceeded',
      `An account has ${linkingRules.devices} devices at most; shut one out first`,
    );
  const key = makeKey('live');
  const id = `dev_${ulid(now)}`;
  insertDevice(db, { id, account: account.id, name, keyHash: hashKey(key), created_at: now });
  const confirm_by = account.confirmed_at === null ? iso(account.expires_at) : null;
  return { status: 'linked', account: account.id, device: id, key, confirm_by };
}
