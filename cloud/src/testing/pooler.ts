import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { steadyPort } from '@reverie/shared/testing/steady-port';

/** Where Debian has PgBouncer. */
const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Whether this machine has PgBouncer: `apt-get install pgbouncer`. */
export const hasPooler = fs.existsSync(PGBOUNCER);

/** Whom it runs as: it refuses to be run by root. */
const NOBODY = 65_534;
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A PgBouncer in transaction mode with its default settings, in front of a Postgres. */
export interface Pooler {
  /** The address of the same database through it. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer with two connections for all clients, so that a transaction seldom gets the connection of the one before it. */
export async function startPooler(postgres: { port: number }): Promise<Pooler> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-pooler-'));
  fs.chmodSync(folder, 0o755);
  const port = await steadyPort();
  const file = path.join(folder, 'pgbouncer.ini');
  fs.writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${postgres.port} user=postgres password=test
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  const child = spawn(PGBOUNCER, [file], { ...owner, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (said += piece.toString()));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
    await delay(20);
  }
  return {
    through(url) {
      const address = new URL(url);
      address.port = String(port);
      return address.href;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
