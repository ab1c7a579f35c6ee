import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '@reverie/shared/contract/problems';
import type { LinkedDevice } from '@reverie/shared/contract/relay';
import { type Actor, audit } from '../audit/audit.ts';
import type { Records, Steps } from '../db/records.ts';
import {
  makePairingCode,
  pairingRules,
  readPairingCode,
  showPairingCode,
  tryCode,
} from '../rooms/pairing.ts';
import { fellowsOf } from '../rooms/rooms.store.ts';
import { type Account, findConfirmedByEmail } from './accounts.store.ts';
import { listDeviceRows } from './devices.store.ts';
import { disabled } from '../refusals.ts';
import { addDevice } from './linking.service.ts';
import { type Mail, recoveryMail } from './mail.ts';
import { countWrongCode, findRecovery, replaceDevices, saveRecovery } from './recovery.store.ts';

export interface RecoveryDeps {
  records: Records;
  /** Milliseconds since 1970. */
  now: number;
  send: (mail: Mail) => Promise<void>;
}

/** How long a code is good, how long nobody replaces it by asking again (ms), and how many mails an address gets on a day. */
export const recoveryRules = { lifeMs: 3_600_000, standsMs: 600_000, perDay: 5 } as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const iso = (ms: number) => new Date(ms).toISOString();

function makeCode(): { id: string; shown: string; hash: Uint8Array } {
  const code = makePairingCode(randomBytes(12));
  return { id: code.id, shown: showPairingCode(code), hash: sha256(code.id + code.secret) };
}

/** The account that may be recovered by an address. Throws `account_not_found`, and that it was disabled. */
function* recoverable(email: string): Steps<Account> {
  const account = yield* findConfirmedByEmail(email);
  if (account && account.disabled_at !== null) throw disabled();
  if (account) return account;
  throw new Problem(
    'account_not_found',
    `No account here has confirmed the address ${email}; link with it instead to sign up`,
  );
}

/** Mails a code to the address of an account; it works at the device that asks alone. Throws `account_not_found` and `rate_limited`. */
export async function askRecovery(
  { records, now, send }: RecoveryDeps,
  { email, name }: { email: string; name: string },
): Promise<{ secret: string; expires_at: string }> {
  const secret = randomBytes(32).toString('base64url');
  const code = makeCode();
  const expires = now + recoveryRules.lifeMs;
  const day = iso(now).slice(0, 10);
  const isAsked = await records.write(function* () {
    const { id: account } = yield* recoverable(email);
    const before = yield* findRecovery(account);
    const isUsedUp = before?.secret_hash === null && before.wrong_tries >= pairingRules.wrongTries;
    const isOpen = before !== undefined && before.expires_at > now && !isUsedUp;
    // Who runs the relay gave a code to this person: it is not to be undone by whoever asks.
    if (isOpen && before.secret_hash === null) return false;
    if (isOpen && before.created_at > now - recoveryRules.standsMs)
      throw tooOften(
        'Somebody asked for a code less than 10 minutes ago: type it at the device that asked, or wait',
        recoveryRules.standsMs,
      );
    const asked = before?.day === day ? before.asked : 0;
    if (asked >= recoveryRules.perDay)
      throw tooOften(
        `${recoveryRules.perDay} codes were asked for with this address today; try again tomorrow, or ask who runs the relay`,
        recoveryRules.lifeMs,
      );
    yield* saveRecovery({
      account,
      name,
      day,
      asked: asked + 1,
      secret_hash: sha256(secret),
      code_hash: code.hash,
      created_at: now,
      expires_at: expires,
    });
    yield* audit({ kind: 'account.recovery_asked', at: now, account });
    return true;
  });
  if (isAsked) await send(recoveryMail({ email, name, code: code.shown, at: now, expiresAt: expires }));
  return { secret, expires_at: iso(expires) };
}

const tooOften = (detail: string, ms: number) =>
  new Problem('rate_limited', detail, { headers: { 'Retry-After': String(ms / 1000) } });

/**
 * Makes a code with which a device of an account may be let in, for who runs the relay to hand on. Throws `account_not_found`.
 */
export async function makeRecoveryCode(
  { records, now }: Pick<RecoveryDeps, 'records' | 'now'>,
  { email, by }: { email: string; by: Actor },
): Promise<{ code: string; expires_at: string }> {
  const code = makeCode();
  const expires = now + recoveryRules.lifeMs;
  await records.write(function* () {
    const { id: account } = yield* recoverable(email);
    yield* saveRecovery({
      account,
      name: code.id,
      day: '',
      asked: 0,
      secret_hash: null,
      code_hash: code.hash,
      created_at: now,
      expires_at: expires,
    });
    yield* audit({ kind: 'account.recovery_asked', at: now, by, account });
  });
  return { code: code.shown, expires_at: iso(expires) };
}

/** What somebody types at a device that is to be let in. */
export interface Claim {
  email: string;
  /** As `askRecovery` answered it to this device. */
  secret: string;
  code: string;
  name: string;
}

/** A device that was let in, those that were removed for it, and the accounts that share something with its own. */
export interface Recovered {
  linked: LinkedDevice;
  removed: readonly string[];
  fellows: readonly string[];
  /** What the new device calls itself. */
  name: string;
}

/** Lets a device in by a code and removes all others of its account; the fifth wrong try of a code is its end. */
export async function recover(
  { records, now }: Pick<RecoveryDeps, 'records' | 'now'>,
  { email, secret, code: typed, name }: Claim,
): Promise<Recovered> {
  const code = readPairingCode(typed);
  const given = sha256(code ? code.id + code.secret : '');
  // A wrong try is counted, so the transaction must not be undone by the refusal.
  const recovered = await records.write(function* (): Steps<Recovered | undefined> {
    const account = yield* findConfirmedByEmail(email);
    const row = account && (yield* findRecovery(account.id));
    // Of another device than the one that asked, nothing is taken, and nothing counted: strangers could use up its tries.
    const isItsOwn =
      row !== undefined && (row.secret_hash === null || timingSafeEqual(row.secret_hash, sha256(secret)));
    if (!account || !isItsOwn) return undefined;
    const open = { wrongTries: row.wrong_tries, expiresAt: row.expires_at };
    const outcome = tryCode(open, { isRight: timingSafeEqual(row.code_hash, given), now });
    // A code for any device names itself by its first four letters: who types another one has not seen it, and uses up none of its tries.
    const hasSeenIt = row.secret_hash !== null || code?.id === row.name;
    if (outcome === 'wrong' && hasSeenIt) yield* countWrongCode(account.id);
    if (outcome !== 'admitted') return undefined;
    if (account.disabled_at !== null) throw disabled();
    const removed = (yield* listDeviceRows(account.id)).map(({ id }) => id);
    yield* replaceDevices(account.id, now);
    const called = row.secret_hash === null ? name : row.name;
    const linked = yield* addDevice(account, called, now);
    const by = { account: account.id, device: linked.device };
    yield* audit({ kind: 'account.recovered', at: now, by, account: account.id });
    return { linked, removed, fellows: yield* fellowsOf(account.id), name: called };
  });
  if (!recovered)
    throw new Problem('gone', 'The code is wrong, used up or too old, or was made for another device');
  return recovered;
}
