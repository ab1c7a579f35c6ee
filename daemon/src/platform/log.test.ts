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
