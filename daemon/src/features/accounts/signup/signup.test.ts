import fs from 'node:fs';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '@reverie/shared/accounts/signup';
import * as memories from '@reverie/shared/contract/memories/memories';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import {
  confirmAt,
  newAddress,
  outboxOf,
  signUp,
  signUpAt,
  startBehindProxy,
} from '../../../testing/sign-up.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startBehindProxy();
});
afterAll(() => daemon.stop());

const works = async (key: string) => (await daemon.ask({ path: '/v1/keys/current', key })).status;

describe('signing up', () => {
  test('gives a key that works at once, the record of the interface, and a mail', async () => {
    const { reply, token, account, file } = await signUp(daemon, ' You@Example.org ');
    const expires_at = new Date(daemon.clock.now() + 7 * DAY).toISOString();
    expect(reply).toEqual({
      api_key: expect.stringMatching(/^rv_bot_[0-9A-Za-z]{38}$/) as unknown,
      status: 'provisional',
      expires_in: '7 days',
      expires_at,
      confirm_url: `${daemon.origin}/v1/auth/confirm`,
      limits: { max_recalls: 1000, max_stores: 100, tier: 'free' },
      message: expect.any(String) as unknown,
    });
    const call = daemon.as(reply.api_key);
    await call(memories.setMemory, { body: { key: 'k', value: 'by the agent' } });
    expect((await call(memories.getMemory, { body: { key: 'k' } })).value).toBe('by the agent');
    expect(await daemon.ask({ path: '/v1/usage', key: reply.api_key })).toMatchObject({
      status: 200,
      json: { account, kind: 'bot', tier: 'free', status: 'provisional', expires_at },
    });

    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const mail = await PostalMime.parse(fs.readFileSync(file));
    expect(mail).toMatchObject({
      to: [{ address: 'you@example.org' }],
      subject: 'Confirm your key for Reverie',
    });
    const link = `${reply.confirm_url}?token=${token}`;
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).not.toMatch(/<img|<script|src=/i);
  });

  test('tells nothing by which to confirm, and the database holds nothing either', async () => {
    const { reply, token, file } = await signUp(daemon);
    fs.rmSync(file);
    const bytes =
      fs.readFileSync(daemon.home.database).toString('latin1') +
      fs.readFileSync(`${daemon.home.database}-wal`).toString('latin1');
    expect(bytes).not.toContain(token);
    expect(bytes).toContain(hashToken(token).toString('latin1'));
    const known = [reply.api_key, hashToken(token).toString('hex'), hashToken(token).toString('base64url')];
    for (const guess of [...known, ...Object.values(reply).map(String)])
      expect((await confirmAt(daemon, guess.slice(0, 200) || 'x')).status).toBe(404);
    expect(await works(reply.api_key)).toBe(200);
  });

  test('the third of a day passes, the fourth does not, until midnight UTC and over a restart', async () => {
    const email = 'often@example.org';
    const ask = () => signUpAt(daemon, { email });
    const letters = outboxOf(daemon).length;
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([201, 201, 201]);
    const fourth = await ask();
    expect([fourth.status, fourth.json.code]).toEqual([429, 'rate_limited']);
    const midnight = Math.ceil(daemon.clock.now() / DAY) * DAY;
    expect(fourth.headers['retry-after']).toBe(String((midnight - daemon.clock.now()) / 1000));
    expect(outboxOf(daemon)).toHaveLength(letters + 3);
    expect((await signUpAt(daemon, { email: ' OFTEN@example.org' })).status).toBe(429);
    await daemon.restart();
    expect((await ask()).status).toBe(429);
    daemon.clock.advance(midnight - daemon.clock.now() - 1000);
    expect((await ask()).status).toBe(429);
    daemon.clock.advance(1000);
    expect((await ask()).status).toBe(201);
  });

  test('the tenth of an hour from an address passes, the eleventh does not; every answer tells', async () => {
    const from = newAddress();
    const ask = (number: number) => signUpAt(daemon, { email: `n${number}@example.org`, from });
    const wrong = await signUpAt(daemon, { email: 'not an address', from });
    expect(wrong.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '10' });
    for (let number = 1; number <= 10; number += 1) {
      const { status, headers } = await ask(number);
      expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([
        201,
        '10',
        String(10 - number),
      ]);
      expect(headers['ratelimit-policy']).toBe('"signups";q=10;w=3600');
    }
    const over = await ask(11);
    expect([over.status, over.json.code, over.headers['retry-after']]).toEqual([429, 'rate_limited', '3600']);
    expect(over.headers).toMatchObject({ 'x-ratelimit-remaining': '0', ratelimit: '"signups";r=0;t=3600' });
    expect((await signUpAt(daemon, { email: 'n12@example.org' })).status).toBe(201);
    await daemon.restart();
    daemon.clock.advance(HOUR - 1000);
    expect((await ask(13)).status).toBe(429);
    daemon.clock.advance(1000);
    expect((await ask(14)).status).toBe(201);
  });

  test.each([
    [undefined, 'is required'],
    [null, 'must be a string'],
    [7, 'must be a string'],
    ['', 'is empty'],
    ['you', 'is not an e-mail address'],
    ['you@example.org\r\nBcc: all@example.org', 'control character'],
    ['you@example.org\nSubject: hello', 'control character'],
    ['"you\r\n"@example.org', 'control character'],
    ['yоu@example.org', 'before the @'],
    ['you@exаmple.org', 'in its domain'],
    ['you@xn--exmple-4nf.org', 'looks like another one'],
    [`you@${'a'.repeat(260)}.org`, 'too long'],
  ])('%j is refused with 400, and nothing is made of it', async (email, why) => {
    const accounts = async () =>
      ((await daemon.ask({ path: '/v1/accounts' })).json['accounts'] as unknown[]).length;
    const before = [outboxOf(daemon).length, await accounts()];
    const answer = await signUpAt(daemon, { email });
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(answer.json.errors).toEqual([{ path: 'email', message: expect.stringContaining(why) as unknown }]);
    expect([outboxOf(daemon).length, await accounts()]).toEqual(before);
  });

  test('known and unknown addresses get the same answer', async () => {
    const { token } = await signUp(daemon, 'known@example.org');
    await confirmAt(daemon, token);
    const [known, unknown] = [
      await signUpAt(daemon, { email: 'known@example.org' }),
      await signUpAt(daemon, { email: 'never@example.org' }),
    ];
    const form = ({ status, json, headers }: typeof known) => [
      status,
      { ...json, api_key: '' },
      Object.keys(headers),
    ];
    expect(form(known)).toEqual(form(unknown));
  });

  test('the owner may turn it off', async () => {
    const closed = await startTestDaemon({ env: { REVERIE_SIGNUP_ENABLED: 'false' } });
    try {
      const answer = await signUpAt(closed, { email: 'you@example.org' });
      expect([answer.status, answer.json.code]).toEqual([403, 'signup_closed']);
    } finally {
      await closed.stop();
    }
  });
});

describe('confirming', () => {
  test('makes the key permanent in its own account, and grants nothing else', async () => {
    await daemon.call(memories.setMemory, { body: { key: 'mine', value: 'of the owner' } });
    const [one, two] = [await signUp(daemon, 'both@example.org'), await signUp(daemon, 'both@example.org')];
    await daemon.as(two.reply.api_key)(memories.setMemory, { body: { key: 'two', value: 'of the other' } });
    const first = await confirmAt(daemon, one.token);
    expect(first).toMatchObject({
      status: 200,
      json: {
        status: 'confirmed',
        message: expect.any(String) as unknown,
        key_prefix: one.reply.api_key.slice(0, 12),
        email: 'both@example.org',
        tier: 'free',
      },
    });
    expect(first.text).not.toContain(one.reply.api_key);
    // The mail is of no use any more.
    expect(outboxOf(daemon)).not.toContain(one.file);
    for (const key of ['mine', 'two']) {
      const answer = await daemon.ask({ path: '/v1/memory-get', key: one.reply.api_key, body: { key } });
      expect(answer.status).toBe(404);
    }
    const scope = await daemon.ask({ path: '/v1/keys', key: one.reply.api_key });
    expect([scope.status, scope.json.code]).toEqual([403, 'forbidden_scope']);
    daemon.clock.advance(400 * DAY);
    expect(await works(one.reply.api_key)).toBe(200);
    expect((await confirmAt(daemon, one.token)).json['status']).toBe('already_confirmed');
  });

  test('works a second before 7 days are over; a second later key and link are dead', async () => {
    const [early, late] = [
      await signUp(daemon, 'early@example.org'),
      await signUp(daemon, 'late@example.org'),
    ];
    daemon.clock.advance(7 * DAY - 1000);
    expect((await confirmAt(daemon, early.token)).status).toBe(200);
    expect(await works(late.reply.api_key)).toBe(200);
    daemon.clock.advance(1000);
    expect([await works(late.reply.api_key), await works(early.reply.api_key)]).toEqual([401, 200]);
    const expired = await confirmAt(daemon, late.token);
    expect([expired.status, expired.json.code]).toEqual([410, 'token_expired']);
    await daemon.restart();
    expect([await works(late.reply.api_key), await works(early.reply.api_key)]).toEqual([401, 200]);
    // The owner cannot wake it either by making it another key.
    const { id } = (await daemon.ask({ path: '/v1/keys/current', key: early.reply.api_key })).json;
    expect(id).toBeDefined();
    const made = await daemon.ask({
      path: '/v1/keys',
      headers: { 'X-Reverie-Account': late.account },
      body: { name: 'another' },
    });
    expect(await works(String(made.json['key']))).toBe(401);
  });

  test.each(['', 'x', 'x'.repeat(200)])('the token %j is not known', async (token) => {
    const answer = await confirmAt(daemon, token);
    expect([answer.status, answer.json.code]).toEqual(
      token === '' ? [400, 'invalid_request'] : [404, 'token_not_found'],
    );
  });

  test('a program that only asks for headers confirms nothing', async () => {
    const { token, reply } = await signUp(daemon, 'head@example.org');
    const head = await daemon.ask({ method: 'HEAD', path: `/v1/auth/confirm?token=${token}`, key: null });
    expect(head.status).toBe(200);
    daemon.clock.advance(7 * DAY);
    expect(await works(reply.api_key)).toBe(401);
  });
});

describe('the page to confirm', () => {
  const Accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const open = (path: string) =>
    daemon.ask({ path: `/v1/auth/confirm${path}`, key: null, headers: { Accept } });
  const press = (token: string, headers: Record<string, string> = {}) =>
    daemon.ask({
      method: 'POST',
      path: '/v1/auth/confirm',
      key: null,
      headers: { Accept, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: `token=${encodeURIComponent(token)}`,
    });

  test('opening the link confirms nothing; pressing the button does', async () => {
    const { token, reply } = await signUp(daemon, 'person@example.org');
    const asked = await open(`?token=${token}`);
    expect([asked.status, asked.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(asked.text).toMatch(/<form method="post" action="confirm">/);
    expect(asked.text).not.toContain('<script');
    const policy = asked.headers['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(asked.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
    expect((await daemon.ask({ path: '/v1/usage', key: reply.api_key })).json['status']).toBe('provisional');

    const done = await press(token, { Origin: daemon.origin });
    expect([done.status, done.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(done.text).toContain('person@example.org');
    expect((await daemon.ask({ path: '/v1/usage', key: reply.api_key })).json['status']).toBe('confirmed');
    expect((await press(token)).text).toContain('Confirmed already');
    expect((await open(`?token=${token}`)).text).toContain('Confirmed already');
  });

  test('says in words what does not work, and shows nothing that was sent as markup', async () => {
    const asked = await open('?token=%3Cscript%3Ealert(1)%3C/script%3E');
    expect([asked.status, asked.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(asked.text).not.toContain('<script>alert');
    const empty = await open('');
    expect([empty.status, /<input name="token"/.test(empty.text)]).toEqual([200, true]);
    const { token } = await signUp(daemon, 'slow@example.org');
    daemon.clock.advance(7 * DAY);
    for (const late of [await open(`?token=${token}`), await press(token)])
      expect([late.status, late.text.includes('The time to confirm is over')]).toEqual([410, true]);
  });

  test('a stranger’s page cannot press the button, and a form is read nowhere else', async () => {
    const { token } = await signUp(daemon, 'forged@example.org');
    expect((await press(token, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await press(token, { Origin: 'null' })).status).toBe(403);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const elsewhere = await daemon.ask({ path: '/v1/memory-set', headers: form, body: 'key=k&value=v' });
    expect(elsewhere.status).toBe(415);
    const path = '/v1/auth/bot-signup';
    const signup = await daemon.ask({
      method: 'POST',
      path,
      key: null,
      headers: form,
      body: 'email=form@example.org',
    });
    expect([signup.status, signup.json.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('who does not confirm', () => {
  test('is deleted 7 days after the keys stopped, with everything', async () => {
    const lost = await signUp(daemon, 'lost@example.org');
    await daemon.as(lost.reply.api_key)(memories.setMemory, {
      body: { key: 'k', value: 'unforgettable saffron' },
    });
    const listed = async () =>
      (
        (await daemon.ask({ path: '/v1/accounts' })).json['accounts'] as { id: string; status: string }[]
      ).find(({ id }) => id === lost.account);
    expect(await listed()).toMatchObject({ status: 'provisional' });
    daemon.clock.advance(14 * DAY - 1000);
    await expect.poll(listed).toMatchObject({ status: 'expired' });
    // The sweep looks once a minute.
    daemon.clock.advance(61_000);
    await expect.poll(listed).toBeUndefined();
    const bytes =
      fs.readFileSync(daemon.home.database).toString('latin1') +
      fs.readFileSync(`${daemon.home.database}-wal`).toString('latin1');
    expect(bytes).not.toContain('saffron');
    expect(bytes).not.toContain('lost@example.org');
    expect((await confirmAt(daemon, lost.token)).status).toBe(404);
  });
});
