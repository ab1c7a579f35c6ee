import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import { signUp } from '@reverie/shared/accounts/signup';
import { Problem } from '@reverie/shared/contract/problems';
import type { AwaitedDevice, LinkedDevice } from '@reverie/shared/contract/relay/relay';
import { ulid } from 'ulid';
import { audit } from '../audit/audit.ts';
import type { Records, Steps } from '../db/records.ts';
import { disabled } from '../transport/refusals.ts';
import {
  makePairingCode,
  pairingRules,
  readPairingCode,
  showPairingCode,
  tryCode,
} from '../rooms/pairing.ts';
import {
  type Account,
  findAccount,
  findConfirmedByEmail,
  isAlive,
  isDisabledEmail,
} from './accounts.store.ts';
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
  records: Records;
  store: AccountStore;
  /** Milliseconds since 1970. */
  now: number;
  /** Where the mail's button is. */
  confirmUrl: string;
  mail: (mail: { email: string; link: string; expiresAt: number }) => Promise<void>;
}

/** How many devices and open requests an account may have, and how long a request stays open, ms. */
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
  const { records, store, now, confirmUrl } = deps;
  if (await records.read(() => isDisabledEmail(email))) throw disabled();
  const known = await records.read(() => findConfirmedByEmail(email));
  if (known) return { reply: await requestAccess(deps, known, name), asked: known.id };
  const { reply, mail } = await signUp(
    { store, now, random: randomBytes, newId: ulid },
    { email, confirmUrl },
  );
  const device = await records.write(function* () {
    const found = yield* findDeviceByKey(hashKey(reply.api_key));
    if (found) yield* saveDeviceName({ ...found, name });
    return found;
  });
  if (!device) throw new Error('The device of a signup is not there');
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

async function requestAccess(
  { records, now }: LinkingDeps,
  account: Account,
  name: string,
): Promise<AwaitedDevice> {
  const secret = randomBytes(32).toString('base64url');
  const id = `req_${ulid(now)}`;
  const number = String(randomInt(1_000_000)).padStart(6, '0');
  const expires_at = now + linkingRules.requestMs;
  const secretHash = sha256(secret);
  await records.write(function* () {
    if ((yield* openRequests(account.id, now)).length >= linkingRules.openRequests)
      throw new Problem('rate_limited', 'Too many devices wait to be let in with this e-mail address', {
        headers: { 'Retry-After': '3600' },
      });
    yield* insertRequest({ id, account: account.id, name, number, secretHash, created_at: now, expires_at });
    yield* audit({ kind: 'device.asked', at: now, account: account.id, subject: id });
  });
  return { status: 'awaits_approval', request: id, secret, number, expires_at: iso(expires_at) };
}

type Answer = LinkedDevice | { status: 'awaits_approval'; expires_at: string } | { status: 'refused' };

/** How a request stands; the device is made by the first question after it was approved. */
export function askForAnswer(
  { records, now }: Pick<LinkingDeps, 'records' | 'now'>,
  { request, secret }: { request: string; secret: string },
): Promise<Answer> {
  return records.write(function* (): Steps<Answer> {
    const found = yield* findRequest({ id: request, secretHash: sha256(secret), now });
    const account = found && (yield* findAccount(found.account));
    if (!found || !account) throw voided('This request');
    if (account.disabled_at !== null) throw disabled();
    if (found.answer === null) return { status: 'awaits_approval', expires_at: iso(found.expires_at) };
    if (found.answer === 'refused') return { status: 'refused' };
    yield* deleteRequest(request);
    return yield* addDevice(account, found.name, now);
  });
}

/** A code for one more device of an account. */
export async function makeCode(
  { records, now }: Pick<LinkingDeps, 'records' | 'now'>,
  { account, device }: { account: string; device: string },
): Promise<{ code: string; expires_at: string }> {
  const expiresAt = now + pairingRules.lifeMs;
  for (let left = 20; left > 0; left -= 1) {
    const code = makePairingCode(randomBytes(12));
    const saved = { id: code.id, account, secretHash: sha256(code.secret), expiresAt, now };
    const isSaved = await records.write(function* () {
      const isFree = yield* insertCode(saved);
      if (isFree) yield* audit({ kind: 'pairing.code_made', at: now, by: { account, device } });
      return isFree;
    });
    if (isSaved) return { code: showPairingCode(code), expires_at: iso(expiresAt) };
  }
  throw new Error('No name for a code was free');
}

/** Joins an account by a code, once; the fifth wrong try of a code is its end. */
export async function claimCode(
  { records, now }: Pick<LinkingDeps, 'records' | 'now'>,
  { code: typed, name }: { code: string; name: string },
): Promise<LinkedDevice> {
  const code = readPairingCode(typed);
  // A wrong try is counted, so the transaction must not be undone by the refusal.
  const linked = await records.write(function* (): Steps<LinkedDevice | 'disabled' | undefined> {
    const row = code && (yield* findCode(code.id));
    const account = row && (yield* findAccount(row.account));
    const isRight = row !== undefined && timingSafeEqual(row.secret_hash, sha256(code?.secret ?? ''));
    const open = row && { wrongTries: row.wrong_tries, expiresAt: row.expires_at };
    const outcome = tryCode(open, { isRight, now });
    if (outcome === 'wrong' && code) yield* countWrongTry(code.id);
    if (outcome === 'admitted' && account && account.disabled_at !== null) return 'disabled';
    if (outcome !== 'admitted' || !code || !account || !isAlive(account, now)) return undefined;
    yield* deleteCode(code.id);
    return yield* addDevice(account, name, now);
  });
  if (linked === 'disabled') throw disabled();
  if (!linked) throw voided('The code');
  return linked;
}

/** Answers a device that waits. */
export async function answerRequest(
  { records, now }: Pick<LinkingDeps, 'records' | 'now'>,
  { id, approve, by }: { id: string; approve: boolean; by: { account: string; device: string } },
): Promise<void> {
  const { account, device } = by;
  const answer = approve ? 'approved' : 'refused';
  await records.write(function* () {
    if (!(yield* saveAnswer({ id, account, answer, now }))) throw voided('This request');
    yield* audit({ kind: `device.${answer}`, at: now, by: { account, device }, account, subject: id });
  });
}

/** Makes a device of an account. Throws `quota_exceeded`. */
export function* addDevice(account: Account, name: string, now: number): Steps<LinkedDevice> {
  if ((yield* listDeviceRows(account.id)).length >= linkingRules.devices)
    throw new Problem(
      'quota_exceeded',
      `An account has ${linkingRules.devices} devices at most; shut one out first`,
    );
  const key = makeKey('live');
  const id = `dev_${ulid(now)}`;
  yield* insertDevice({ id, account: account.id, name, keyHash: hashKey(key), created_at: now });
  yield* audit({
    kind: 'device.linked',
    at: now,
    by: { account: account.id, device: id },
    account: account.id,
    device: id,
  });
  const confirm_by = account.confirmed_at === null ? iso(account.expires_at) : null;
  return { status: 'linked', account: account.id, device: id, key, confirm_by };
}
