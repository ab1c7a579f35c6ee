import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeRecoveryCode } from './accounts/recovery.service.ts';
import { call, connect, type Linked, openRoom, pair, signUp } from './testing/device.ts';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { startRelay, type TestRelay } from './testing/relay.ts';

const MINUTE = 60_000;
const EMAIL = 'anna@example.org';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

describe.each(['SQLite', 'Postgres with two nodes'])(
  'the last device of an account is lost, on %s',
  (kind) => {
    let relay: TestRelay;
    /** Another node, where there is one. */
    let other: TestRelay;
    let first: Linked;
    let second: Linked;
    beforeEach(async () => {
      const isShared = kind !== 'SQLite';
      const env = {
        RELAY_TRUST_PROXY: 'true',
        ...(isShared && { RELAY_DATABASE_URL: await postgres.database() }),
      };
      relay = await startRelay(env);
      other = isShared ? await startRelay(env) : relay;
      first = await signUp(relay.origin, EMAIL);
      second = await pair(relay.origin, first);
    });
    afterEach(async () => {
      await relay.stop();
      if (other !== relay) await other.stop();
    });

    const post = (at: string, body: unknown) => call(relay.origin, { method: 'POST', path: at, body });
    const confirm = (link = relay.links()[0] ?? '') =>
      post('/auth/confirm', { token: new URL(link).searchParams.get('token') });
    const ask = async (name = 'new laptop') => {
      const { status, body } = await post('/recover', { email: EMAIL, name });
      return { status, secret: String(body['secret']), detail: String(body['detail']) };
    };
    const claim = (secret: string, code: string) =>
      post('/recover/claim', { email: EMAIL, secret, code, name: 'new laptop' });
    const mails = () => {
      const outbox = path.join(relay.home, 'outbox');
      return fs
        .readdirSync(outbox)
        .map((name) => fs.readFileSync(path.join(outbox, name), 'utf8').replaceAll('=\r\n', ''));
    };
    const codeMailed = () =>
      mails()
        .map((text) => /^ {4}([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})/m.exec(text)?.[1])
        .find((code) => code !== undefined) ?? '';

    test('the code of the mail lets the device in that asked, removes all others at once, and is told to who shares with it', async () => {
      await confirm();
      const friend = await signUp(relay.origin, 'bob@example.org');
      const room = await openRoom(relay.origin, first, 'team');
      const { body: made } = await call(relay.origin, {
        method: 'POST',
        path: `/rooms/${room}/invites`,
        key: first.key,
        body: { role: 'editor', uses: 2 },
      });
      const { pathname, hash } = new URL(String(made['invite']));
      await call(relay.origin, {
        method: 'POST',
        path: `/invites/${pathname.split('/').at(-1) ?? ''}/accept`,
        key: friend.key,
        body: { secret: hash.slice(1), name: 'team' },
      });
      const { body: pairing } = await call(relay.origin, { method: 'POST', path: '/pair', key: second.key });
      const open = await connect(other.origin, second);
      await open.next('welcome');
      const heard = await connect(other.origin, friend);
      await heard.next('welcome');

      const { status, secret } = await ask();
      expect(status).toBe(201);
      expect(mails().join()).toContain('The device calls itself');
      const { status: entered, body: linked } = await claim(secret, codeMailed().toLowerCase());
      expect([entered, linked['status'], linked['account']]).toEqual([201, 'linked', first.account]);
      const key = String(linked['key']);

      expect(await open.closed).toBe(4401);
      await heard.next('rooms');
      for (const lost of [first, second]) {
        expect((await call(other.origin, { path: '/devices', key: lost.key })).status).toBe(401);
        expect((await post('/standing', { key: lost.key })).body).toEqual({
          standing: 'recovered',
          at: new Date(relay.clock.now()).toISOString(),
        });
      }
      const { body: devices } = await call(relay.origin, { path: '/devices', key });
      expect(devices['devices']).toMatchObject([{ name: 'new laptop', current: true }]);
      expect((await post('/pair/claim', { code: pairing['code'], name: 'late' })).status).toBe(410);
      // The lost device may know the links that it made.
      const { body: invites } = await call(relay.origin, { path: `/rooms/${room}/invites`, key });
      expect(invites['invites']).toEqual([]);
      const { body: seen } = await call(relay.origin, { path: '/rooms', key: friend.key });
      expect(seen['recovered']).toEqual([{ email: EMAIL, at: new Date(relay.clock.now()).toISOString() }]);
      const { body: own } = await call(relay.origin, { path: '/rooms', key });
      expect([own['rooms'], own['recovered']]).toMatchObject([[{ id: room, own: true }], []]);
      expect(mails().join()).toContain('were removed');
      expect((await claim(secret, codeMailed())).status).toBe(410);
    });

    test('a code is of no use elsewhere, dies of five wrong tries and after an hour, and strangers use up none', async () => {
      await confirm();
      const { secret } = await ask();
      const code = codeMailed();
      for (let tries = 0; tries < 6; tries += 1)
        expect((await claim('of another device', code)).status).toBe(410);
      for (let tries = 0; tries < 4; tries += 1)
        expect((await claim(secret, 'AAAA-AAAA-AAAA')).status).toBe(410);
      expect((await claim(secret, code)).status).toBe(201);

      relay.clock.advance(11 * MINUTE);
      const again = await ask();
      const codes = new Set(mails().flatMap((text) => text.match(/^ {4}[0-9A-Z-]{14}/gm) ?? []));
      const [newer = ''] = [...codes].map((one) => one.trim()).filter((one) => one !== code);
      for (let tries = 0; tries < 5; tries += 1) await claim(again.secret, 'AAAA-AAAA-AAAA');
      expect((await claim(again.secret, newer)).status).toBe(410);

      const late = await ask();
      relay.clock.advance(61 * MINUTE);
      expect((await claim(late.secret, newer)).status).toBe(410);
    });

    test('strangers who ask all day shut nobody out: the code that they had mailed works for who reads it', async () => {
      await confirm();
      for (let hour = 0; hour < 9; hour += 1) {
        const { secret } = await ask('of a stranger');
        for (let tries = 0; tries < 5; tries += 1) await claim(secret, 'AAAA-AAAA-AAAA');
        expect(mails().filter((text) => text.includes('A code for your account'))).toHaveLength(1);
        // The outbox lets go of mails by the time of this machine, years before that of the relay.
        relay.clock.advance(61 * MINUTE);
      }
      await ask('of a stranger');
      const code = codeMailed();
      // One address asks ten times a day; the owner's is another one, whose ask has no second mail sent.
      const spent = await ask();
      expect([spent.status, spent.detail]).toEqual([429, expect.stringContaining('limit of 10 requests')]);
      const own = await call(relay.origin, {
        method: 'POST',
        path: '/recover',
        body: { email: EMAIL, name: 'new laptop' },
        headers: { 'X-Forwarded-For': '203.0.113.7' },
      });
      expect([own.status, mails().length]).toEqual([201, 1]);
      relay.clock.advance(59 * MINUTE);
      const { status, body } = await claim(String(own.body['secret']), code);
      expect([status, body['account']]).toEqual([201, first.account]);
      const { body: devices } = await call(other.origin, { path: '/devices', key: String(body['key']) });
      expect(devices['devices']).toMatchObject([{ name: 'new laptop' }]);
    });

    test('nobody learns whether an address has an account, and no mail says a sentence or a link of a stranger', async () => {
      const before = mails().length;
      // Nobody has confirmed the first, and the second has no account.
      for (const email of [EMAIL, 'nobody@example.org']) {
        const { status, body } = await post('/recover', { email, name: 'x' });
        expect([status, Object.keys(body).toSorted(), mails().length]).toEqual([
          201,
          ['expires_at', 'secret'],
          before,
        ]);
        expect((await claim(String(body['secret']), 'AAAA-AAAA-AAAA')).status).toBe(410);
      }
      await confirm();
      expect((await ask('Win! https://evil.example <b>click here now please</b>')).status).toBe(201);
      const text = mails().join();
      expect(text).not.toContain('evil.example');
      expect(text).not.toContain('click here now');
      const [first, again] = await Promise.all([
        ask(),
        post('/recover', { email: 'nobody@example.org', name: 'x' }),
      ]);
      expect([first.status, again.status, mails().length]).toEqual([201, 201, before + 1]);
    });

    test('who runs the relay makes a code for any device, which nobody undoes by asking for another', async () => {
      await confirm();
      const { code } = await makeRecoveryCode(
        { records: relay.records, now: relay.clock.now() },
        { email: EMAIL, by: { operator: 'command' } },
      );
      // Nor does who has not seen it use up its tries.
      for (let tries = 0; tries < 6; tries += 1)
        expect(
          (await claim('of a stranger', code.startsWith('AAAA') ? 'BBBB-AAAA-AAAA' : 'AAAA-AAAA-AAAA'))
            .status,
        ).toBe(410);
      const before = mails().length;
      const { status, secret } = await ask();
      expect([status, mails().length]).toEqual([201, before]);
      const { status: entered, body } = await claim(secret, code);
      expect([entered, body['account']]).toEqual([201, first.account]);
      await expect(
        makeRecoveryCode(
          { records: relay.records, now: relay.clock.now() },
          { email: 'nobody@example.org', by: { operator: 'command' } },
        ),
      ).rejects.toMatchObject({ code: 'account_not_found' });
    });

    test('a code of who runs the relay that was used up is in nobody’s way', async () => {
      await confirm();
      const { code } = await makeRecoveryCode(
        { records: relay.records, now: relay.clock.now() },
        { email: EMAIL, by: { operator: 'command' } },
      );
      const wrong = `${code.slice(0, 10)}${code.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
      for (let tries = 0; tries < 5; tries += 1) expect((await claim('any', wrong)).status).toBe(410);
      expect((await claim('any', code)).status).toBe(410);
      const { secret } = await ask();
      expect((await claim(secret, codeMailed())).status).toBe(201);
    });
  },
);
