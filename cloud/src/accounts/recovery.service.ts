import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '@reverie/shared/contract/problems';
import type { LinkedDevice } from '@reverie/shared/contract/relay/relay';
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
import { disabled } from '../transport/refusals.ts';
import { addDevice } from './linking.service.ts';
import { type Mail, recoveryMail } from './mail.ts';
import {
  countWrongAsk,
  countWrongCode,
  deleteRecovery,
  findAsk,
  findRecovery,
  insertAsk,
  type Recovery,
  replaceDevices,
  saveRecovery,
} from './recovery.store.ts';

export interface RecoveryDeps {
  records: Records;
  /** Milliseconds since 1970. */
  now: number;
  send: (mail: Mail) => Promise<void>;
}

/** How long who asked may type the code, and how long no other one is mailed to an account (ms); how often one network address may ask on a day. */
export const recoveryRules = { lifeMs: 3_600_000, perAddress: 10, addressMs: 86_400_000 } as const;

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

/** Whether a code is to be left as it is, so that asking again neither undoes it nor mails another one. */
function isStanding(code: Recovery, now: number): boolean {
  if (code.secret_hash !== null) return code.created_at > now - recoveryRules.lifeMs;
  // Who runs the relay gave it to this person.
  return code.expires_at > now && code.wrong_tries < pairingRules.wrongTries;
}

/**
 * Lets the device that asks use the code that is mailed to the address of an account: one an hour, whoever asks, so that strangers who ask
 * shut nobody out. Who asks is not told whether the address has an account.
 */
export async function askRecovery(
  { records, now, send }: RecoveryDeps,
  { email, name }: { email: string; name: string },
): Promise<{ secret: string; expires_at: string }> {
  const secret = randomBytes(32).toString('base64url');
  const secret_hash = sha256(secret);
  const code = makeCode();
  const asked = now + recoveryRules.lifeMs;
  // Who asks just before another one may be mailed has an hour, too.
  const expires = asked + recoveryRules.lifeMs;
  const isNew = await records.write(function* () {
    const account = (yield* findConfirmedByEmail(email))?.id;
    if (account === undefined) return false;
    yield* insertAsk({ account, secret_hash, name, expires_at: asked });
    const before = yield* findRecovery(account);
    if (before && isStanding(before, now)) return false;
    yield* saveRecovery({
      account,
      name,
      secret_hash,
      code_hash: code.hash,
      created_at: now,
      expires_at: expires,
    });
    yield* audit({ kind: 'account.recovery_asked', at: now, account });
    return true;
  });
  if (isNew)
    try {
      await send(recoveryMail({ email, name, code: code.shown, at: now, expiresAt: expires }));
    } catch (cause) {
      await records.write(() => deleteRecovery(code.hash));
      throw cause;
    }
  return { secret, expires_at: iso(asked) };
}

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

/** Lets a device in by a code and removes all others of its account; after five wrong tries it has to ask anew. */
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
    if (!account || !row) return undefined;
    const isForAny = row.secret_hash === null;
    // Each device that asked has tries of its own, and others none: strangers could use them up.
    const ask = isForAny ? undefined : yield* findAsk(account.id, sha256(secret));
    const open = isForAny ? row : ask && { ...ask, expires_at: Math.min(ask.expires_at, row.expires_at) };
    const outcome = tryCode(open && { wrongTries: open.wrong_tries, expiresAt: open.expires_at }, {
      isRight: timingSafeEqual(row.code_hash, given),
      now,
    });
    if (outcome === 'wrong' && ask) yield* countWrongAsk(ask.secret_hash);
    // A code for any device names itself by its first four letters: who types another one has not seen it, and uses up none of its tries.
    if (outcome === 'wrong' && isForAny && code?.id === row.name) yield* countWrongCode(account.id);
    if (outcome !== 'admitted') return undefined;
    if (account.disabled_at !== null) throw disabled();
    const removed = (yield* listDeviceRows(account.id)).map(({ id }) => id);
    yield* replaceDevices(account.id, now);
    const called = ask?.name ?? name;
    const linked = yield* addDevice(account, called, now);
    const by = { account: account.id, device: linked.device };
    yield* audit({ kind: 'account.recovered', at: now, by, account: account.id });
    return { linked, removed, fellows: yield* fellowsOf(account.id), name: called };
  });
  if (!recovered)
    throw new Problem('gone', 'The code is wrong, used up or too old, or this device did not ask for one');
  return recovered;
}
