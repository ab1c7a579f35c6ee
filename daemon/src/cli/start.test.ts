import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homeAt } from '../platform/home/home.ts';
import { readDaemonFile } from '../platform/home/daemon-file.ts';
import { isHeld } from '../platform/home/lock.ts';
import { PROGRAM } from './background.ts';
import { run } from './fake-terminal.ts';

/** Of `nowhere.invalid`, for these tests only, until 2126: nobody trusts it. */
const CERTIFICATE = `
-----BEGIN CERTIFICATE-----
MIIBiTCCATGgAwIBAgIUMYNSAMpVqjoGCQfxN+kJ1wiskHIwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPbm93aGVyZS5pbnZhbGlkMCAXDTI2MTEyMjE5MjIzMVoYDzIx
MjYxMDI5MTkyMjMxWjAaMRgwFgYDVQQDDA9ub3doZXJlLmludmFsaWQwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARwW/HLHT79t3SDogb8x5xzijhjrQ5nlJAtLlAy
32vja9R9QJI8XmUbMAIAvR9L/Mn5YJth+jUeHiM/GhpWuv44o1MwUTAdBgNVHQ4E
FgQUlSyv/2+J+K/I2wMUytckKfphSi8wHwYDVR0jBBgwFoAUlSyv/2+J+K/I2wMU
ytckKfphSi8wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNGADBDAiBf+7KC
K27lor3uWz7cboAcBF3smMSEiG9pYxYKx5ryegIfLoX3VpuGjZp5Z4esyx204x4z
RgCua4x5mMAQ9vyG+Q==
-----END CERTIFICATE-----
`;
const PRIVATE_KEY = `
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLVaHjbozo4XmiRYU
+yHdIWIAiG++FI7v2MyyAtirYqehRANCAARwW/HLHT79t3SDogb8x5xzijhjrQ5n
lJAtLlAy32vja9R9QJI8XmUbMAIAvR9L/Mn5YJth+jUeHiM/GhpWuv44
-----END PRIVATE KEY-----
`;

let folder: string;
const home = () => homeAt(path.join(folder, 'home'));

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-start-'));
});
afterEach(async () => {
  const left = readDaemonFile(home());
  if (left && isHeld(home())) process.kill(left.pid, 'SIGKILL');
  await expect.poll(() => isHeld(home())).toBe(false);
  fs.rmSync(folder, { recursive: true });
});

test('a start in the background ends also where what it started cannot be reached, and says why', async () => {
  const file = (name: string, text: string) => {
    const at = path.join(folder, name);
    fs.writeFileSync(at, text.trimStart());
    return at;
  };
  const tls = [
    `tls.cert=${file('cert.pem', CERTIFICATE)}`,
    `tls.key=${file('key.pem', PRIVATE_KEY)}`,
  ].flatMap((setting) => ['--set', setting]);
  const args = [PROGRAM, '--home', home().folder, 'start', '--background', '--port', '0', ...tls];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  // It did not end by itself once: it waited for what it had started, for ever.
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toMatch(/certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted.*config\.json/s);
});

test.skipIf(!fs.existsSync('/dev/full'))('a log that cannot be written ends nothing', async () => {
  const full = fs.openSync('/dev/full', 'w');
  const args = [PROGRAM, '--home', home().folder, 'start', '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', full] });
  fs.closeSync(full);
  const ended = once(child, 'close');
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (said += part));
  await expect.poll(() => child.exitCode !== null || said !== '').toBe(true);
  expect(said).toMatch(/^Reverie is ready at /);
  expect(await run({ home: home().folder }, 'set', 'k', 'v')).toMatchObject({ code: 0, err: '' });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
