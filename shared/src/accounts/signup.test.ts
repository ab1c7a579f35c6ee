import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '../contract/problems.ts';
import type { AccountStore } from './account-store.ts';
import { isKey } from './key-format.ts';
import { createMemoryAccountStore } from './memory-account-store.ts';
import { confirmSignup, hashToken, removeForgotten, signUp, signupRules } from './signup.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2031, 4, 14, 12);
const confirmUrl = 'http://127.0.0.1:7337/v1/auth/confirm';

let store: AccountStore;
let ids = 0;
beforeEach(() => {
  store = createMemoryAccountStore();
});
const deps = (now: number) => ({ store, now, random: randomBytes, newId: () => String((ids += 1)) });
const ask = (now = NOON, email = 'you@example.org') => signUp(deps(now), { email, confirmUrl });

async function refusal(run: Promise<unknown>): Promise<Problem> {
  const cause = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (cause instanceof Problem) return cause;
  throw new Error(`expected a refusal, got ${String(cause)}`);
}

describe('signing up', () => {
  test('answers the record of the interface, and keeps the token for the mail', async () => {
    const { reply, mail } = await ask();
    expect(reply).toEqual({
      api_key: expect.stringMatching(/^rv_bot_/) as unknown,
      status: 'provisional',
      expires_in: '7 days',
      expires_at: new Date(NOON + 7 * DAY).toISOString(),
      confirm_url: confirmUrl,
      limits: { max_recalls: 1000, max_stores: 100, tier: 'free' },
      message: expect.any(String) as unknown,
    });
    expect(isKey(reply.api_key)).toBe(true);
    expect(Buffer.from(mail.token, 'base64url')).toHaveLength(32);
    expect(JSON.stringify(reply)).not.toContain(mail.token);
    expect(JSON.stringify(reply)).not.toContain(hashToken(mail.token).toString('hex'));
  });

  test('the fourth of a day is refused until midnight UTC, other addresses are not', async () => {
    for (let i = 0; i < 3; i += 1) await ask();
    const fourth = await refusal(ask());
    expect([fourth.code, fourth.headers['Retry-After']]).toEqual(['rate_limited', String(12 * 3600)]);
    await ask(NOON, 'other@example.org');
    expect((await refusal(ask(NOON + DAY / 2 - 1))).headers['Retry-After']).toBe('1');
    await ask(NOON + DAY / 2);
  });

  test('waits while as many as may be are not confirmed, and goes on when one is', async () => {
    const mails = [];
    for (let i = 0; i < signupRules.provisionalAtOnce; i += 1)
      mails.push((await ask(NOON, `n${i}@example.org`)).mail);
    expect(await refusal(ask(NOON, 'late@example.org'))).toMatchObject({ code: 'rate_limited', status: 429 });
    await confirmSignup({ store, now: NOON }, mails[0]?.token ?? '');
    await ask(NOON, 'late@example.org');
  });

  test('known and unknown addresses get the same answer, but for what is random', async () => {
    const form = ({ reply }: Awaited<ReturnType<typeof ask>>) => ({ ...reply, api_key: '' });
    const [first, second] = [await ask(), await ask()];
    expect(form(second)).toEqual(form(first));
  });
});

describe('confirming', () => {
  const confirm = (token: string, now: number) => confirmSignup({ store, now }, token);

  test('makes the key permanent, and says `already_confirmed` for ever after', async () => {
    const { reply, mail } = await ask();
    const said = { key_prefix: reply.api_key.slice(0, 12), email: 'you@example.org', tier: 'free' };
    expect(await confirm(mail.token, NOON + 1)).toMatchObject({ status: 'confirmed', ...said });
    for (const later of [2, 7 * DAY, 4000 * DAY])
      expect(await confirm(mail.token, NOON + later)).toMatchObject({ status: 'already_confirmed', ...said });
  });

  test('of two clicks at once one confirms', async () => {
    const { mail } = await ask();
    const both = await Promise.all([confirm(mail.token, NOON), confirm(mail.token, NOON)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['already_confirmed', 'confirmed']);
  });

  test('works a second before 7 days are over, and not from then on', async () => {
    const [early, late] = [await ask(), await ask()];
    expect((await confirm(early.mail.token, NOON + 7 * DAY - 1000)).status).toBe('confirmed');
    expect((await refusal(confirm(late.mail.token, NOON + 7 * DAY))).status).toBe(410);
    expect((await refusal(confirm(late.mail.token, NOON + 7 * DAY + 1000))).code).toBe('token_expired');
  });

  test('knows no other token: not the key, not what is stored', async () => {
    const { reply, mail } = await ask();
    const hash = hashToken(mail.token);
    for (const token of [
      '',
      reply.api_key,
      hash.toString('hex'),
      hash.toString('base64url'),
      `${mail.token}=`,
    ])
      expect((await refusal(confirm(token, NOON))).code).toBe('token_not_found');
  });
});

test('who is not confirmed is removed 14 days after signing up, who is confirmed stays', async () => {
  const [kept, lost] = [await ask(), await ask()];
  await confirmSignup({ store, now: NOON }, kept.mail.token);
  const end = NOON + signupRules.provisionalMs + signupRules.keptMs;
  expect(await removeForgotten({ store, now: end - 1 }, 10)).toEqual([]);
  expect(await removeForgotten({ store, now: end }, 10)).toEqual([lost.mail.account]);
  expect(await removeForgotten({ store, now: end + DAY }, 10)).toEqual([]);
  expect((await confirmSignup({ store, now: end }, kept.mail.token)).status).toBe('already_confirmed');
});
