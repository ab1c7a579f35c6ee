import { createHash } from 'node:crypto';
import type { Confirmed, SignedUp } from '../contract/accounts/accounts.ts';
import { Problem } from '../contract/problems.ts';
import type { AccountStore } from './account-store.ts';
import { hashKey, KEY_PREFIX_LENGTH, makeKey } from './key-format.ts';
import { dayOf, limitsOf, secondsLeft } from './quota.ts';

const DAY = 86_400_000;

/** The limits of signing up. */
export const signupRules = {
  perEmailAndDay: 3,
  perAddressAndHour: 10,
  /** How long a key works that nobody confirms. */
  provisionalMs: 7 * DAY,
  /** How long such an account is kept after its keys stopped. */
  keptMs: 7 * DAY,
  /**
   * Accounts that wait for confirmation at a time. Each has a text index of its own, and a database with 3,000 of
   * them takes seconds to open: strangers must not be able to make it so.
   */
  provisionalAtOnce: 500,
  tokenBytes: 32,
} as const;

export interface SignupDeps {
  store: AccountStore;
  /** Milliseconds since 1970. */
  now: number;
  /** Bytes of the system's random source. */
  random: (bytes: number) => Buffer;
  /** An id that was never given before, such as a ULID. */
  newId: (now: number) => string;
}

/** What of a signup is for the mail only: it is neither answered nor stored in clear. */
export interface ConfirmationMail {
  account: string;
  email: string;
  token: string;
  expiresAt: number;
}

/** SHA-256 of a token: all that is stored of it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Makes an account with a provisional key for an e-mail address that was checked. Answers what the caller
 * gets, and apart from it what only the mail may say. The answer is the same for known and unknown addresses.
 * Throws `rate_limited` at the fourth of a day, and while too many wait for confirmation.
 */
export async function signUp(
  deps: SignupDeps,
  { email, confirmUrl }: { email: string; confirmUrl: string },
): Promise<{ reply: SignedUp; mail: ConfirmationMail }> {
  const { store, now, random, newId } = deps;
  if ((await store.countProvisional()) >= signupRules.provisionalAtOnce)
    throw new Problem(
      'rate_limited',
      `${signupRules.provisionalAtOnce} keys wait for confirmation here, which is the most at a time; try again later`,
      { headers: { 'Retry-After': '3600' } },
    );
  const day = dayOf(now);
  const limit = signupRules.perEmailAndDay;
  if (!(await store.countSignup({ email, day: day.name, limit }))) {
    const wait = secondsLeft(day, now);
    throw new Problem(
      'rate_limited',
      `${limit} keys were asked for with this e-mail address today; try again in ${wait} seconds`,
      { headers: { 'Retry-After': String(wait) } },
    );
  }
  const account = `acc_${newId(now)}`;
  const key = makeKey('bot', random);
  const token = random(signupRules.tokenBytes).toString('base64url');
  const expiresAt = now + signupRules.provisionalMs;
  await store.create({
    account,
    email,
    createdAt: now,
    expiresAt,
    tokenHash: hashToken(token),
    key: { id: `key_${newId(now)}`, hash: hashKey(key), prefix: key.slice(0, KEY_PREFIX_LENGTH) },
  });
  const { recalls, stores } = limitsOf('free', { machine: 0, enterprise: 0 });
  return {
    reply: {
      api_key: key,
      status: 'provisional',
      expires_in: '7 days',
      expires_at: new Date(expiresAt).toISOString(),
      confirm_url: confirmUrl,
      limits: { max_recalls: recalls ?? 0, max_stores: stores ?? 0, tier: 'free' },
      message:
        'The key works at once. Ask the person who reads this e-mail address to open the link in the e-mail within 7 days; then the key becomes permanent.',
    },
    mail: { account, email, token, expiresAt },
  };
}

/**
 * Confirms with the token of a mail; again and again it answers `already_confirmed`. Grants nothing beyond
 * the account's own key. Throws `token_not_found` and, from 7 days on, `token_expired`.
 */
export async function confirmSignup(
  { store, now }: Pick<SignupDeps, 'store' | 'now'>,
  token: string,
): Promise<Confirmed> {
  const hash = hashToken(token);
  const found = await store.findByToken(hash);
  if (!found)
    throw new Problem('token_not_found', 'This link is not known here; open the one in the newest e-mail');
  const { email, tier, keyPrefix: key_prefix } = found;
  const said = { key_prefix, email, tier };
  const already = {
    status: 'already_confirmed' as const,
    message: `The key ${key_prefix}… was confirmed before; it is permanent.`,
    ...said,
  };
  if (found.confirmedAt !== null) return already;
  if (await store.confirm(hash, now))
    return { status: 'confirmed', message: `The key ${key_prefix}… is permanent now.`, ...said };
  // Two clicks at once: the other one was first.
  if ((await store.findByToken(hash))?.confirmedAt != null) return already;
  throw new Problem(
    'token_expired',
    'The 7 days to confirm are over, and the key has stopped; sign up again for a new one',
  );
}

/** Deletes accounts that nobody confirmed within 7 days, 7 days after that; answers which, at most `limit`. */
export async function removeForgotten(
  { store, now }: Pick<SignupDeps, 'store' | 'now'>,
  limit: number,
): Promise<string[]> {
  const forgotten = await store.expiredBy(now - signupRules.keptMs, limit);
  for (const account of forgotten) await store.remove(account);
  return forgotten;
}
