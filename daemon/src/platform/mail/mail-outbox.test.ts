import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMailer, type Mail } from './mail.ts';
import { createOutbox } from './mail-outbox.ts';

const MINUTE = 60_000;
const to = 'you@example.org';
const mail: Mail = { to, subject: 'Grüße', text: 'Hello.\n.\nBye.', html: '<p>Hello.</p>' };

interface Taken {
  from: string;
  to: string[];
  raw: string;
  user: string | undefined;
}

let folder: string;
let servers: SMTPServer[];
let lines: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-outbox-'));
  servers = [];
  lines = '';
});
afterEach(async () => {
  for (const server of servers) await new Promise<void>((resolve) => server.close(resolve));
  fs.rmSync(folder, { recursive: true });
});

/** A mail server on the loopback that keeps what it takes. */
async function startServer(options: SMTPServerOptions = {}): Promise<{ port: number; taken: Taken[] }> {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'secret' ? done(null, { user: username }) : done(new Error('Wrong password')),
    onData(stream, session, done) {
      let raw = '';
      stream.on('data', (piece: Buffer) => (raw += piece.toString('latin1')));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          user: session.user as string | undefined,
        });
        done();
      });
    },
    ...options,
  });
  servers.push(server);
  // A client that goes away is no failure of the test.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return { port: (server.server.address() as AddressInfo).port, taken };
}

function outboxTo(port: number | undefined, user?: string) {
  const clock = createFakeClock();
  const addresses = new Map([['acc_1', to]]);
  const log = pino(
    { level: 'info' },
    new Writable({
      write(piece: Buffer, _encoding, done) {
        lines += piece.toString();
        done();
      },
    }),
  );
  const mailer = createMailer({
    from: 'Reverie <reverie@example.com>',
    smtp: { host: port === undefined ? undefined : '127.0.0.1', port: port ?? 0, secure: false, user },
    password: async () => 'secret',
  });
  const outbox = createOutbox({ folder, mailer, clock, log, addressOf: (id) => addresses.get(id) });
  return { outbox, clock, addresses };
}

describe('a mail', () => {
  test('is taken by the server and leaves the outbox', async () => {
    const { port, taken } = await startServer();
    const { outbox } = outboxTo(port, 'reverie');
    await outbox.add('acc_1', mail);
    await outbox.run();
    expect(taken).toMatchObject([{ from: 'reverie@example.com', to: [to], user: 'reverie' }]);
    const parsed = await PostalMime.parse(taken[0]?.raw ?? '');
    expect(parsed).toMatchObject({ subject: 'Grüße', text: 'Hello.\n.\nBye.\n', to: [{ address: to }] });
    expect(parsed.html).toContain('<p>Hello.</p>');
    expect([outbox.list(), fs.readdirSync(folder)]).toEqual([[], []]);
  });

  test('stays as a private file where no server is set', async () => {
    const { outbox, clock } = outboxTo(undefined);
    await outbox.add('acc_1', mail);
    clock.advance(24 * 60 * MINUTE);
    await outbox.run();
    expect(outbox.list()).toMatchObject([{ id: 'acc_1', attempts: 0, lastError: null, nextAt: null }]);
    expect(fs.statSync(path.join(folder, 'acc_1.eml')).mode & 0o777).toBe(0o600);
    expect(outbox.read('acc_1')?.raw.toString()).toContain(`To: ${to}`);
    expect([outbox.read('acc_2'), outbox.read('../acc_1'), outbox.read('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('is tried again, later each time, until the server is back; the log names no address', async () => {
    let isDown = true;
    const { port, taken } = await startServer({
      onRcptTo: (_address, _session, done) =>
        isDown ? done(Object.assign(new Error(`Try ${to} later`), { responseCode: 451 })) : done(),
    });
    const { outbox, clock } = outboxTo(port);
    await outbox.add('acc_1', mail);
    await outbox.run();
    const [first] = outbox.list();
    expect(first).toMatchObject({ attempts: 1, nextAt: clock.now() + MINUTE });
    expect(first?.lastError).toContain('later');
    clock.advance(MINUTE - 1);
    await outbox.run();
    expect(outbox.list()[0]?.attempts).toBe(1);
    clock.advance(1);
    await outbox.run();
    expect(outbox.list()[0]).toMatchObject({ attempts: 2, nextAt: clock.now() + 2 * MINUTE });
    isDown = false;
    clock.advance(2 * MINUTE);
    await outbox.run();
    expect([taken.length, outbox.list()]).toEqual([1, []]);
    expect(lines).toContain('EENVELOPE 451');
    expect(lines).not.toContain('example.org');
  });

  test('that the server refuses for good stays, and is not tried again', async () => {
    const { port } = await startServer({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('No such user'), { responseCode: 550 })),
    });
    const { outbox, clock } = outboxTo(port);
    await outbox.add('acc_1', mail);
    await outbox.run();
    clock.advance(24 * 60 * MINUTE);
    await outbox.run();
    expect(outbox.list()).toMatchObject([{ attempts: 1, nextAt: null }]);
  });

  test('that a start finds is sent, and dropped where it is of no use any more', async () => {
    const { outbox: before } = outboxTo(undefined);
    await before.add('acc_1', mail);
    await before.add('acc_2', mail);
    const { port, taken } = await startServer();
    const { outbox } = outboxTo(port);
    await outbox.run();
    expect(taken).toHaveLength(1);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test('goes to one address, whatever stands in it', async () => {
    const { port, taken } = await startServer();
    const { outbox, addresses } = outboxTo(port);
    const hostile = 'a@example.org\r\nBcc: all@example.org';
    addresses.set('acc_1', to);
    await outbox.add('acc_1', { ...mail, to: hostile, subject: 'Hello\r\nX-Evil: yes' });
    await outbox.run();
    const { headers, bcc } = await PostalMime.parse(taken[0]?.raw ?? '');
    expect([taken[0]?.to, bcc]).toEqual([[to], undefined]);
    expect(headers.map(({ key }) => key)).not.toContain('x-evil');
    expect(headers.map(({ key }) => key)).not.toContain('bcc');
  });
});

test('a password does not travel to a server elsewhere that offers no encryption', async () => {
  const mailer = createMailer({
    from: 'reverie@example.com',
    smtp: { host: 'localhost.localdomain.invalid', port: 1, secure: false, user: 'me' },
    password: async () => 'secret',
  });
  await expect(mailer.send(Buffer.from('x'), to)).rejects.toMatchObject({ name: 'MailRefused' });
});
