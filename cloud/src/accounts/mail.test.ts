import fs from 'node:fs';
import path from 'node:path';
import { systemClock } from '@reverie/shared/time/clock';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { call } from '../testing/device.ts';
import { temporaryHome } from '../testing/process.ts';
import { startRelay } from '../testing/relay.ts';
import { createOutbox } from './mail.ts';

let home: string;
let remove: () => void;
beforeEach(() => ({ home, remove } = temporaryHome()));
afterEach(() => remove());

const read = (folder: string) =>
  fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));

test('a mail that waits can be read as it is: its link is whole, on a line of its own', async () => {
  const relay = await startRelay({
    RELAY_PUBLIC_URL: `https://${'a-long-name.'.repeat(6)}example.org/reverie`,
  });
  const body = { email: 'a@example.org', name: 'Your prize: http://evil.example' };
  expect((await call(relay.origin, { method: 'POST', path: '/link', body })).status).toBe(201);
  const [mail = ''] = read(path.join(relay.home, 'outbox'));
  expect(mail).toMatch(/^Content-Transfer-Encoding: 7bit\r$/m);
  expect(mail).toMatch(
    /^https:\/\/(a-long-name\.){6}example\.org\/reverie\/v1\/auth\/confirm\?token=[\w-]{43}\r$/m,
  );
  // What a stranger calls a device stands in no mail.
  expect(mail).not.toContain('prize');
  expect(mail).not.toContain('evil');
  await relay.stop();
});

test('a text that is not ASCII stays as it is, too', async () => {
  const config = readConfig({ RELAY_HOME: home });
  const log = pino({ level: 'silent' });
  const outbox = createOutbox(path.join(home, 'outbox'), { config, clock: systemClock, log });
  await outbox.add({ to: 'a@example.org', subject: 'Grüße', text: `Grüße\n\n${'ü'.repeat(200)}\n` });
  const [mail = ''] = read(path.join(home, 'outbox'));
  expect(mail).toMatch(/^Content-Transfer-Encoding: 8bit\r$/m);
  expect(mail).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
  expect(mail.endsWith(`\r\n\r\nGrüße\r\n\r\n${'ü'.repeat(200)}\r\n`)).toBe(true);
});
