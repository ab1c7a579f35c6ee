import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDaemon } from './main.ts';
import type { Clock } from './platform/clock.ts';
import { homeAt } from './platform/home/home.ts';
import { isHeld } from './platform/home/lock.ts';
import { temporaryFolder } from './testing.ts';

let temporary: { folder: string; remove: () => void };
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(() => temporary.remove());

/** A clock that calls `stopped` whenever one of its timers is stopped. */
function tellingClock(stopped: () => void): Clock {
  const clock = createFakeClock();
  return {
    now: clock.now,
    every(ms, run) {
      const timer = clock.every(ms, run);
      return {
        stop() {
          stopped();
          timer.stop();
        },
      };
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

test('a start that fails once requests are served has ended all of it when it says so', async () => {
  const home = homeAt(path.join(temporary.folder, 'home'));
  const port = await freePort();
  const env = {
    REVERIE_HOME: home.folder,
    REVERIE_PORT: String(port),
    REVERIE_HOST: 'localhost',
    REVERIE_LOG_LEVEL: 'silent',
  };
  // No file can take its place.
  fs.mkdirSync(path.join(home.daemon, 'in the way'), { recursive: true, mode: 0o700 });
  fs.chmodSync(home.folder, 0o700);
  const stoppedWhileHeld: boolean[] = [];
  const clock = tellingClock(() => stoppedWhileHeld.push(isHeld(home)));
  await expect(startDaemon({ env, flags: {}, clock })).rejects.toThrow(/daemon\.json/);
  // What saves as it stops could do so: store and home were still its own.
  expect(new Set(stoppedWhileHeld)).toEqual(new Set([true]));
  expect(await Promise.all(['127.0.0.1', '::1'].map((host) => answers(host, port)))).toEqual([false, false]);
  expect(isHeld(home)).toBe(false);

  fs.rmSync(home.daemon, { recursive: true });
  const running = await startDaemon({ env, flags: {}, clock: createFakeClock() });
  await running.stop();
});
