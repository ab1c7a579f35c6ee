import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../testing.ts';
import { createLog } from './log.ts';

afterEach(() => vi.restoreAllMocks());

test('a full disk under the log ends nothing, and its lines are written once there is room', () => {
  const { folder, remove } = temporaryFolder();
  const at = path.join(folder, 'reverie.log');
  const file = fs.openSync(at, 'a');
  const log = createLog('info', file);
  log.info('before');
  const write = fs.writeSync;
  let isFull = true;
  vi.spyOn(fs, 'writeSync').mockImplementation((...args: Parameters<typeof fs.writeSync>) => {
    if (args[0] === file && isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return write(...args);
  });
  for (let n = 0; n < 100; n += 1) log.info({ n, filler: 'x'.repeat(10_000) }, 'meanwhile');
  isFull = false;
  log.info('after');
  vi.restoreAllMocks();
  fs.closeSync(file);
  const messages = fs
    .readFileSync(at, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect([messages.at(0), messages.at(-1)]).toEqual(['before', 'after']);
  // Some are kept, and not without end.
  const kept = messages.filter((one) => one === 'meanwhile').length;
  expect(kept).toBeGreaterThan(5);
  expect(kept).toBeLessThan(100);
  remove();
});

test('a full disk under the log does not hold up the end of Reverie after a bug', () => {
  const { folder, remove } = temporaryFolder();
  const at = path.join(folder, 'reverie.log');
  const file = fs.openSync(at, 'a');
  const log = createLog('info', file);
  const write = fs.writeSync;
  let tries = 0;
  vi.spyOn(fs, 'writeSync').mockImplementation((...args: Parameters<typeof fs.writeSync>) => {
    // There is room at last, for what tries without end would never come back.
    if (args[0] === file && (tries += 1) < 20) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return write(...args);
  });
  log.fatal('a bug');
  expect(tries).toBe(1);
  for (let n = 0; n < 20; n += 1) log.info('meanwhile');
  log.fatal('another bug');
  vi.restoreAllMocks();
  fs.closeSync(file);
  const lines = fs.readFileSync(at, 'utf8').trim().split('\n');
  expect(lines.at(0)).toContain('"a bug"');
  expect(lines.at(-1)).toContain('"another bug"');
  remove();
});
