import fs from 'node:fs';
import { type Client, createClient } from '@reverie/shared/client';
import { afterEach, beforeEach } from 'vitest';
import { homeAt } from '../platform/home/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from '../testing.ts';

/** A folder for each test of a file, and daemons that are started in it as processes, to be killed. */
export interface KilledDaemons {
  readonly folder: string;
  /** Starts a daemon on a home. */
  spawn(home: string, env?: Record<string, string>): DaemonProcess;
  /** Starts a daemon on a home, and answers once it does, with a client that has the owner's key. */
  start(home: string, env?: Record<string, string>): Promise<{ daemon: DaemonProcess; call: Client }>;
}

/** Prepares a folder before each test of the file; after it the daemon that was started last is killed, and the folder removed. */
export function killedDaemons(): KilledDaemons {
  let temporary: ReturnType<typeof temporaryFolder> | undefined;
  let child: DaemonProcess | undefined;
  beforeEach(() => {
    temporary = temporaryFolder();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await child?.ended;
    temporary?.remove();
  });
  const spawn = (home: string, env?: Record<string, string>): DaemonProcess =>
    (child = spawnDaemon(home, env));
  return {
    spawn,
    get folder() {
      if (!temporary) throw new Error('There is a folder only inside of tests');
      return temporary.folder;
    },
    async start(home, env) {
      const daemon = spawn(home, env);
      const origin = await daemon.ready;
      const key = fs.readFileSync(homeAt(home).ownerKey, 'utf8').trim();
      return { daemon, call: createClient({ origin, key: () => key }) };
    },
  };
}
