import { listMemories } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { homeAt } from '../platform/home/home.ts';
import { readDaemonFile } from '../platform/home/daemon-file.ts';
import { temporaryFolder } from '../testing.ts';
import { dial } from './dial.ts';

let folder: string;
let remove: () => void;
const pid = () => readDaemonFile(homeAt(folder))?.pid;

function ended(of: number, signal: NodeJS.Signals) {
  process.kill(of, signal);
  return expect
    .poll(() => {
      try {
        return process.kill(of, 0);
      } catch {
        return false;
      }
    })
    .toBe(false);
}

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
});
afterEach(async () => {
  vi.useRealTimers();
  const running = pid();
  if (running !== undefined) await ended(running, 'SIGTERM');
  remove();
});

test('a daemon that died in the background is started again without waiting for anybody else to do so', async () => {
  const home = homeAt(folder);
  const client = dial({
    home,
    env: { ...process.env, REVERIE_HOME: folder, REVERIE_PORT: '0' },
    keyFile: home.ownerKey,
    tell: () => undefined,
  });
  await client(listMemories, { body: {} });
  const first = pid() ?? 0;
  await ended(first, 'SIGKILL');
  // No time passes: what waits for it waits for ever.
  vi.useFakeTimers({ toFake: ['performance'] });
  expect((await client(listMemories, { body: {} })).total).toBe(0);
  expect(pid()).not.toBe(first);
});
