import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { makeCertificates, type TestCertificates } from '@reverie/shared/testing/certificates';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { createClient } from '@reverie/shared/client';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { type SyncStatus, syncStatus } from '@reverie/shared/contract/sync/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { admin } from '../../cloud/src/admin/admin.ts';
import { readConfig } from '../../cloud/src/config.ts';
import { databaseOf } from '../../cloud/src/testing/home-database.ts';
import { type RelayProcess, spawnRelay, temporaryHome } from '../../cloud/src/testing/process.ts';
import { has, run } from '../../daemon/src/cli/fake-terminal.ts';
import { startInProcess } from '../world.ts';

let certificates: TestCertificates;
beforeAll(() => {
  certificates = makeCertificates();
});
afterAll(() => certificates.remove());

const ends: (() => unknown)[] = [];
let home: string;
beforeEach(() => {
  const made = temporaryHome();
  home = made.home;
  ends.push(made.remove);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startRelay(env: Record<string, string>): Promise<string> {
  const relay: RelayProcess = spawnRelay(path.join(home, 'relay'), { RELAY_LOG_LEVEL: 'warn', ...env });
  ends.push(() => {
    relay.child.kill();
    return relay.ended;
  });
  return relay.ready;
}

/** The command of who runs the relay. */
async function operate(...args: string[]): Promise<string> {
  const RELAY_HOME = path.join(home, 'relay');
  const server = process.env['REVERIE_TEST_POSTGRES'];
  const url = server === undefined ? undefined : await databaseOf(server, RELAY_HOME);
  return admin(readConfig({ RELAY_HOME, ...(url !== undefined && { RELAY_DATABASE_URL: url }) }), args);
}

/** A device: a daemon, and its command. */
async function startDevice(name: string) {
  const folder = path.join(home, name);
  const daemon = await startInProcess(folder, { REVERIE_PORT: '0' });
  ends.push(() => daemon.stop());
  const key = () => fs.readFileSync(path.join(folder, 'owner-key'), 'utf8').trim();
  const call = createClient({ origin: daemon.origin, key });
  return {
    reverie: (...args: string[]) => run({ home: folder }, ...args),
    set: (value: string) => call(setMemory, { body: { key: 'plan', value } }),
    get: async () => (await call(getMemory, { body: { key: 'plan' } })).value,
    status: (): Promise<SyncStatus> => call(syncStatus, {}),
  };
}

/** A proxy that ends TLS, and passes what is below a path on: with the path, or without. */
async function startProxy(relay: () => string, prefix: string, strips: boolean): Promise<number> {
  const server = https.createServer(certificates.issue('localhost'));
  const onward = ({ url = '/' }: http.IncomingMessage) => (strips ? url.slice(prefix.length) || '/' : url);
  server.on('request', (request, response) => {
    if (!request.url?.startsWith(prefix)) return response.writeHead(404).end();
    const { method, headers } = request;
    const asked = http.request(`${relay()}${onward(request)}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    return request.pipe(asked);
  });
  server.on('upgrade', (request: http.IncomingMessage, near: net.Socket, head: Buffer) => {
    const far = net.connect(Number(new URL(relay()).port), '127.0.0.1', () => {
      const headers = request.rawHeaders.flatMap((name, at, all) =>
        at % 2 === 0 ? [`${name}: ${all[at + 1] ?? ''}`] : [],
      );
      far.write([`GET ${onward(request)} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      far.write(head);
      near.pipe(far);
      far.pipe(near);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
    ends.push(() => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe.each([
  { name: 'takes off', strips: true },
  { name: 'leaves', strips: false },
])('a relay below a path that its proxy $name, with an authority of its own', ({ strips }) => {
  test('is linked with --ca, confirmed by its mail, joined by its invite', async () => {
    let origin = '';
    const port = await startProxy(() => origin, '/reverie', strips);
    const relay = `https://localhost:${port}/reverie`;
    origin = await startRelay({ RELAY_PUBLIC_URL: relay, RELAY_PORT: String(await steadyPort()) });
    const anna = await startDevice('anna');
    const bob = await startDevice('bob');

    const refused = await anna.reverie('link', relay, '--email', 'anna@example.org');
    expect(refused).toMatchObject({ code: 1, err: has('--ca FILE') });
    expect(refused).toMatchObject({ err: has(`The certificate of ${relay}`) });
    const file = certificates.authority;
    const missing = await anna.reverie('link', relay, '--email', 'anna@example.org', '--ca', `${file}.not`);
    expect(missing).toMatchObject({ code: 2, err: has('could not be read') });
    const key = await anna.reverie(
      'link',
      relay,
      '--email',
      'anna@example.org',
      '--ca',
      import.meta.filename,
    );
    expect(key).toMatchObject({ err: has('must be certificates in PEM') });

    const alone = await anna.reverie('link', relay, '--ca', file);
    expect(alone).toMatchObject({ code: 1, err: has('not linked') });

    await anna.set('one');
    for (const [device, name] of [
      [anna, 'anna'],
      [bob, 'bob'],
    ] as const)
      expect(
        await device.reverie('link', relay, '--email', `${name}@example.org`, '--ca', file, '--all'),
      ).toMatchObject({
        code: 0,
      });
    await expect.poll(anna.status).toMatchObject({ state: 'live', pending: 0, waiting_for: 'confirmation' });
    // Another one, such as the next of its authority, is given alone.
    expect(await anna.reverie('link', relay, '--ca', file)).toMatchObject({ code: 0, out: has('is kept') });
    const link = await operate('outbox', 'link', '2');
    expect(link).toMatch(new RegExp(`^${relay}/v1/auth/confirm\\?token=`));
    const pressed = await pressButton(link);
    expect(pressed).toContain('Confirmed');

    const { out: invite } = await anna.reverie('share', 'default', '--role', 'editor');
    const [address = ''] = /https:\S+\/join\/\S+#[\w-]+/.exec(invite) ?? [];
    expect(address).toContain(`${relay}/join/`);
    expect(await bob.reverie('join', address, '--as', 'default-of-anna')).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await bob.reverie('get', '-n', 'default-of-anna', 'plan')).out)
      .toContain('one');
  });
});

/** What a browser does with the link of a mail: it opens the page, and sends its form. */
async function pressButton(link: string): Promise<string> {
  const agent = new https.Agent({ ca: fs.readFileSync(certificates.authority) });
  async function ask(address: URL, options: https.RequestOptions, body = ''): Promise<string> {
    const headers = Object.assign({ Accept: 'text/html' }, options.headers);
    const request = https.request(address, { method: options.method, headers, agent });
    request.end(body);
    const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
    return text(reply);
  }
  const page = await ask(new URL(link), {});
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? '';
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Origin: new URL(link).origin,
    'Sec-Fetch-Site': 'same-origin',
  };
  return ask(new URL(action, link), { method: 'POST', headers }, new URLSearchParams({ token }).toString());
}

test('a device of a disabled account says so and loses nothing; enabled, it goes on', async () => {
  const relay = await startRelay({});
  const device = await startDevice('anna');
  await device.reverie('link', relay, '--email', 'anna@example.org');
  await device.set('one');
  await expect.poll(device.status).toMatchObject({ state: 'live', pending: 0 });
  await operate('disable', 'anna@example.org');
  await expect.poll(device.status).toMatchObject({
    state: 'error',
    error: {
      code: 'forbidden',
      message: 'This account was disabled by who runs the relay',
      advice: has('Every memory is still here'),
    },
  });
  await device.set('two');
  expect(await device.reverie('sync')).toMatchObject({ out: has('disabled by who runs the relay') });
  expect(await device.status()).toMatchObject({ pending: 1 });
  await operate('enable', 'anna@example.org');
  await device.reverie('sync', 'now');
  await expect.poll(device.status).toMatchObject({ state: 'live', pending: 0 });
  expect(await device.get()).toBe('two');
});
