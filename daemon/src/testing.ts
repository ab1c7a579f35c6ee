import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { type Client, createClient } from '@reverie/shared/client';
import type { Scope } from '@reverie/shared/contract/route';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { loadMigrations } from './db/migrations.ts';
import { openStore, type Store } from './db/open-store.ts';
import { insertAccount } from './features/accounts/accounts.store.ts';
import { createKey } from './features/accounts/keys.service.ts';
import { createTextIndex } from './features/search/index/index.store.ts';
import { type Running, startDaemon } from './main.ts';
import { type Home, homeAt } from './platform/home/home.ts';
import { forgetUlids } from './platform/ids.ts';

/** A request below the typed client: any path, header and body. */
export interface RawRequest {
  method?: string;
  /** Sent as it is. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as it is when it is text or bytes, else as JSON with its content type. */
  body?: unknown;
  /** The owner key of the home, unless another one or none (null) is given. */
  key?: string | null;
}

export interface RawResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The parsed body; empty where it is not JSON. */
  json: ReplyJson;
}

/** A JSON reply: of a problem, or of anything else. */
export interface ReplyJson {
  code?: string;
  detail?: string;
  errors?: { path: string; message: string }[];
  [name: string]: unknown;
}

/** A real daemon on a home of its own, on a free port of the loopback, with a clock that stands still. */
export interface TestDaemon {
  origin: string;
  /** `127.0.0.1:<port>`. */
  host: string;
  home: Home;
  clock: FakeClock;
  ownerKey: string;
  apiKey: string;
  /** The typed client with the owner key; it checks every reply against the contract. */
  call: Client;
  as(key: string | undefined, account?: string): Client;
  ask(asked: RawRequest): Promise<RawResponse>;
  /** Lends a second connection to the same database. */
  withStore<T>(run: (store: Store) => T): T;
  /** Makes an account beside the machine's, with one key. */
  addAccount(scope: Scope): { account: AccountId; publicId: string; key: string };
  restart(meanwhile?: () => void): Promise<void>;
  stop(): Promise<void>;
}

export interface TestOptions {
  /** Settings as variables, such as `REVERIE_HISTORY_MAX_VERSIONS`. */
  env?: Record<string, string>;
  /** What `/mcp` serves in place of memory. */
  mcpFixture?: () => McpServer;
}

/** Makes an empty folder that is deleted by the function that comes with it. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-test-'));
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

let fresh: Buffer | undefined;

/** Returns a new database, all migrations done: those would take longer than most tests. Spawned daemons make their own. */
export function freshDatabase(): Buffer {
  if (fresh) return fresh;
  const { folder, remove } = temporaryFolder();
  try {
    const file = path.join(folder, 'fresh.db');
    openStore({ file, migrations: loadMigrations() }).close();
    fresh = fs.readFileSync(file);
  } finally {
    remove();
  }
  return fresh;
}

/** Daemons of this process that run. */
let alive = 0;

export async function startTestDaemon({ env = {}, mcpFixture }: TestOptions = {}): Promise<TestDaemon> {
  // Tests before this one had clocks of their own.
  if (alive === 0) forgetUlids();
  alive += 1;
  const { folder, remove } = temporaryFolder();
  const home = homeAt(path.join(folder, 'home'));
  fs.mkdirSync(home.folder, { mode: 0o700 });
  fs.writeFileSync(home.database, freshDatabase(), { mode: 0o600 });
  const clock = createFakeClock();
  const start = () =>
    startDaemon({
      env: {
        REVERIE_HOME: home.folder,
        REVERIE_PORT: '0',
        REVERIE_LOG_LEVEL: process.env['REVERIE_TEST_LOG'] ?? 'silent',
        ...env,
      },
      flags: {},
      clock,
      mcpFixture,
    });
  let running: Running = await start();
  let others = 0;
  const ownerKey = fs.readFileSync(home.ownerKey, 'utf8').trim();
  const client = (key: string | undefined, account?: string): Client =>
    createClient({ origin: running.origin, key: () => key, ...(account !== undefined && { account }) });

  const daemon: TestDaemon = {
    get origin() {
      return running.origin;
    },
    get host() {
      return new URL(running.origin).host;
    },
    home,
    clock,
    ownerKey,
    get apiKey() {
      return fs.readFileSync(home.apiKey, 'utf8').trim();
    },
    call: (route, sent, options) => client(ownerKey)(route, sent, options),
    as: client,
    ask: (asked) => ask(running.origin, { key: ownerKey, ...asked }),
    withStore(run) {
      const store = openStore({ file: home.database, migrations: loadMigrations() });
      try {
        return run(store);
      } finally {
        store.close();
      }
    },
    addAccount(scope) {
      others += 1;
      const publicId = `acc_other_${others}`;
      return daemon.withStore((store) => {
        const account = store.write((db) => {
          const id = insertAccount(db, {
            public_id: publicId,
            kind: 'bot',
            tier: 'pro',
            created_at: clock.now(),
          });
          createTextIndex(db, id);
          return id;
        });
        const wanted = { name: 'other', scope, purpose: 'made', expires_at: null } as const;
        return { account, publicId, key: createKey({ store, clock }, account, wanted).key };
      });
    },
    async restart(meanwhile) {
      await running.stop();
      meanwhile?.();
      running = await start();
    },
    async stop() {
      await running.stop();
      alive -= 1;
      remove();
    },
  };
  return daemon;
}

/** One request over a connection of its own. */
export function ask(origin: string, asked: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  const isJson = asked.body !== undefined && typeof asked.body !== 'string' && !Buffer.isBuffer(asked.body);
  const body = isJson ? JSON.stringify(asked.body) : (asked.body as string | Buffer | undefined);
  const headers: Record<string, string> = {
    ...(asked.key && { Authorization: `Bearer ${asked.key}` }),
    ...(asked.body !== undefined && { 'Content-Type': 'application/json' }),
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...asked.headers,
  };
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: asked.method ?? (asked.body === undefined ? 'GET' : 'POST'),
        path: asked.path,
        headers,
        agent: false,
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          const isJsonReply = /json/.test(response.headers['content-type'] ?? '');
          const json = isJsonReply && text !== '' ? (JSON.parse(text) as ReplyJson) : {};
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** A daemon in a process of its own, as `npm start` runs it. */
export interface DaemonProcess {
  pid: number;
  /** The ready line's address; throws with what stood on stderr when the process ended instead. */
  ready: Promise<string>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  kill(signal: NodeJS.Signals): void;
}

/** Another build may be under test: the bundle of the desktop app. */
const BIN = process.env['REVERIE_COMMAND'] ?? path.join(import.meta.dirname, '../bin/reverie.cjs');

export function spawnDaemon(folder: string, env: Record<string, string> = {}): DaemonProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('REVERIE_'));
  const child = spawn(process.execPath, [BIN, 'start'], {
    env: {
      ...Object.fromEntries(inherited),
      REVERIE_HOME: folder,
      REVERIE_PORT: '0',
      REVERIE_LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece: Buffer) => {
      stdout += piece.toString();
      const origin = /^Reverie is ready at (\S+)$/m.exec(stdout)?.[1];
      if (origin !== undefined) resolve(origin);
    });
    void ended.then(({ code }) => reject(new Error(`the daemon ended with ${code}: ${stderr}`)));
  });
  // Who waits for the end only must not hear of a start that failed.
  ready.catch(() => undefined);
  return { pid: child.pid ?? 0, ready, ended, kill: (signal) => void child.kill(signal) };
}
