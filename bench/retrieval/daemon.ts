import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

import { type Client, createClient } from '@reverie/shared/client';

/** A daemon that runs as a child process on a home of its own. */
export interface Daemon {
  client: Client;
  origin: string;
  /** The owner's. */
  key: string;
  /** Milliseconds that the server says the last request took (`Server-Timing`), NaN where it does not. */
  lastServerMs(): number;
  /** Ends it and removes its home. */
  stop(): Promise<void>;
}

const BIN = join(import.meta.dirname, '../../daemon/bin/reverie.cjs');

/** Starts the daemon of this checkout, or of another one by its `bin`, in a fresh temporary home, on a free port of loopback; `env` may configure it further. */
export async function startDaemon(
  env: Readonly<Record<string, string>> = {},
  bin: string = BIN,
): Promise<Daemon> {
  const home = fs.mkdtempSync(join(os.tmpdir(), 'reverie-retrieval-'));
  const child = spawn(process.execPath, [bin, 'start'], {
    env: { ...process.env, REVERIE_HOME: home, REVERIE_PORT: '0', REVERIE_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const remove = () => fs.rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  // Where this process ends early, the daemon must not go on without it.
  const abandon = () => {
    child.kill('SIGKILL');
    remove();
  };
  process.once('exit', abandon);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ready = new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const origin = /^Reverie is ready at (\S+)$/m.exec(out)?.[1];
      if (origin !== undefined) resolve(origin);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The daemon ended with ${code}: ${log}`)));
  });
  try {
    const origin = await ready;
    const key = fs.readFileSync(join(home, 'owner-key'), 'utf8').trim();
    let serverMs = Number.NaN;
    const timedFetch: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      serverMs = Number(/total;dur=([\d.]+)/.exec(response.headers.get('server-timing') ?? '')?.[1]);
      return response;
    };
    return {
      origin,
      key,
      client: createClient({ origin, key: () => key, fetch: timedFetch }),
      lastServerMs: () => serverMs,
      async stop() {
        child.kill('SIGTERM');
        await exited;
        process.removeListener('exit', abandon);
        remove();
      },
    };
  } catch (error) {
    process.removeListener('exit', abandon);
    abandon();
    throw error;
  }
}
