import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRegular, readRegular, SMALL_FILE, UnfitFile } from './regular-file.ts';

let folder: string;
const at = (name: string) => path.join(folder, name);

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-regular-'));
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

test('reads a file whole, and one behind a link', () => {
  fs.writeFileSync(at('a'), 'x'.repeat(SMALL_FILE));
  fs.symlinkSync('a', at('link'));
  expect(readRegular(at('a'))).toHaveLength(SMALL_FILE);
  expect(readRegular(at('link'))).toHaveLength(SMALL_FILE);
  expect(() => readRegular(at('link'), { refusesLinks: true })).toThrow(UnfitFile);
  fs.writeFileSync(at('empty'), '');
  expect(readRegular(at('empty'))).toHaveLength(0);
  expect(() => readRegular(at('gone'))).toThrow(/ENOENT/);
});

test('reads no more than it may', () => {
  fs.writeFileSync(at('a'), 'x'.repeat(101));
  expect(readRegular(at('a'), { most: 101 })).toHaveLength(101);
  expect(() => readRegular(at('a'), { most: 100 })).toThrow(/has 101 bytes; the most is 100/);
});

test.runIf(process.platform === 'linux')('reads no more than it may of one that says it is empty', () => {
  expect(readRegular('/proc/self/status').toString()).toContain('VmRSS');
  expect(() => readRegular('/proc/self/status', { most: 10 })).toThrow(UnfitFile);
});

test.runIf(process.platform !== 'win32')('opens no pipe, device, socket or folder', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  fs.symlinkSync('pipe', at('to-pipe'));
  fs.symlinkSync('/dev/zero', at('to-zero'));
  const server = net.createServer().listen(at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  for (const name of ['pipe', 'to-pipe', 'to-zero', 'socket', '.'])
    expect(() => openRegular(at(name)), name).toThrow(/is not a file/);
  await new Promise((resolve) => server.close(resolve));
});

test.runIf(process.platform !== 'win32')(
  'waits for no pipe that takes the place of a file once that was looked at',
  () => {
    execFileSync('mkfifo', [at('pipe')]);
    fs.writeFileSync(at('file'), 'x');
    // In a program of its own: who waits for a pipe can be ended only from outside.
    const program = `
    import fs from 'node:fs';
    import { openRegular } from ${JSON.stringify(path.join(import.meta.dirname, 'regular-file.ts'))};
    const file = fs.statSync(${JSON.stringify(at('file'))});
    fs.statSync = () => file;
    try { openRegular(${JSON.stringify(at('pipe'))}); } catch (cause) { console.log(cause.message); }`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: seconds(2),
    });
    expect(stdout).toContain('is not a file');
  },
);
