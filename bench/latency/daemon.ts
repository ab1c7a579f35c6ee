import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { z } from 'zod';

/** A daemon that runs as a child process. */
export interface Daemon {
  pid: number;
  /** Where it listens, without `/v1`. */
  origin: string;
  call: Call;
  /** Waits until nothing is left to be done in the background: vectors, facts. */
  settled(): Promise<void>;
  /** Milliseconds from its `main()` to listening, by its own clock (`ms` of its log line `ready`). */
  listeningMs: number;
  /** Milliseconds from spawning the process to its ready line. */
  readyMs: number;
  /** Milliseconds that its main thread ran until then. */
  readyCpuMs: number;
  /** How long one turn of its main thread's loop took at most while something was done. Needs `countsTurns`. */
  heldBy(run: () => Promise<unknown>): Promise<Held>;
  /** Ends it by SIGTERM; answers how long that took. */
  stop(): Promise<number>;
}

/**
 * One request: its reply, the milliseconds until its last byte, and those that the server says it took
 * (`Server-Timing`); and how long the daemon's main thread ran meanwhile, and waited for a core.
 */
export interface Answer {
  reply: unknown;
  clientMs: number;
  serverMs: number;
  cpuMs: number;
  waitMs: number;
}

export type Call = (path: string, body: object) => Promise<Answer>;

/** How long a thread was held at most, ms on the clock and of the processor. */
const Held = z.object({ wallMs: z.number(), cpuMs: z.number() });
export type Held = z.infer<typeof Held>;

const BIN = join(import.meta.dirname, '../../daemon/bin/reverie.cjs');

const TURNS = ['--import', new URL('./turns.ts', import.meta.url).href];

/** Starts the daemon on a home, on a free port; with `countsTurns` so that `heldBy` can be asked, which makes its start longer. */
export async function startDaemon(home: string, { countsTurns = false } = {}): Promise<Daemon> {
  const from = performance.now();
  const child = spawn(process.execPath, [...(countsTurns ? TURNS : []), BIN, 'start'], {
    env: { ...process.env, REVERIE_HOME: home, REVERIE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe', ...(countsTurns ? (['ipc'] as const) : [])],
  });
  const [stdout, stderr] = [child.stdout as Readable, child.stderr as Readable];
  // Where this process ends early, the daemon must not go on without it.
  const abandon = () => void child.kill('SIGKILL');
  process.once('exit', abandon);
  let out = '';
  let log = '';
  const ready = await new Promise<{ origin: string; readyMs: number; readyCpuMs: number }>(
    (resolve, reject) => {
      stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        const origin = /^Reverie is ready at (\S+)$/m.exec(out)?.[1];
        if (origin === undefined) return;
        const readyMs = performance.now() - from;
        resolve({ origin, readyMs, readyCpuMs: threadTimes(child.pid ?? 0).cpuMs });
      });
      stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
      child.once('exit', (code) => reject(new Error(`The daemon ended with ${code}: ${log}`)));
    },
  );
  const listeningMs = Number(/"ms":(\d+),"msg":"ready"/.exec(log)?.[1] ?? Number.NaN);
  let isStopped = false;
  const exited = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      process.removeListener('exit', abandon);
      // What waits for it is told of a broken connection at best.
      if (!isStopped || code !== 0)
        process.stderr.write(`The daemon was ended by ${signal ?? code}: ${log.slice(-2000)}\n`);
      resolve();
    }),
  );
  const key = readFileSync(join(home, 'api-key'), 'utf8').trim();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  return {
    pid: child.pid ?? 0,
    call: watched(caller(ready.origin, key, agent), child.pid ?? 0),
    async settled() {
      for (;;) {
        const reply = await fetch(`${ready.origin}/v1/healthz`);
        const { indexing } = (await reply.json()) as {
          indexing: { pending: number; facts_pending: number };
        };
        if (indexing.pending + indexing.facts_pending === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async heldBy(run) {
      if (!countsTurns) throw new Error('Start the daemon with `countsTurns`: it counts no turns');
      const told = () => new Promise<unknown>((resolve) => child.once('message', resolve));
      const begun = told();
      child.send('begin');
      await begun;
      await run();
      const ended = told();
      child.send('end');
      return Held.parse(await ended);
    },
    listeningMs,
    origin: ready.origin,
    readyMs: ready.readyMs,
    readyCpuMs: ready.readyCpuMs,
    async stop() {
      agent.destroy();
      isStopped = true;
      const stopped = performance.now();
      child.kill('SIGTERM');
      await exited;
      return performance.now() - stopped;
    },
  };
}

/** How long a process's main thread ran, and waited for a core, in all (Linux; else NaN). */
function threadTimes(pid: number): { cpuMs: number; waitMs: number } {
  try {
    const [cpu, wait] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return { cpuMs: (cpu ?? Number.NaN) / 1e6, waitMs: (wait ?? Number.NaN) / 1e6 };
  } catch {
    return { cpuMs: Number.NaN, waitMs: Number.NaN };
  }
}

type Timing = Pick<Answer, 'reply' | 'clientMs' | 'serverMs'>;

/** Right for one request at a time only: with more at once each is told what all of them took. */
function watched(call: (path: string, body: object) => Promise<Timing>, pid: number): Call {
  return async (path, body) => {
    const before = threadTimes(pid);
    const timing = await call(path, body);
    const after = threadTimes(pid);
    return { ...timing, cpuMs: after.cpuMs - before.cpuMs, waitMs: after.waitMs - before.waitMs };
  };
}

function caller(origin: string, key: string, agent: http.Agent) {
  return (path: string, body: object): Promise<Timing> =>
    new Promise((resolve, reject) => {
      const sent = JSON.stringify(body);
      const from = performance.now();
      const request = http.request(
        `${origin}/v1${path}`,
        {
          method: 'POST',
          agent,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(sent),
          },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const clientMs = performance.now() - from;
            const text = Buffer.concat(pieces).toString('utf8');
            if (response.statusCode !== 200)
              return reject(new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 500)}`));
            const timing = String(response.headers['server-timing'] ?? '');
            const serverMs = Number(/total;dur=([\d.]+)/.exec(timing)?.[1] ?? Number.NaN);
            resolve({ reply: JSON.parse(text), clientMs, serverMs });
          });
        },
      );
      request.on('error', reject);
      request.end(sent);
    });
}

/** Memory of a process in MB (10^6 bytes): resident now, and the most that it was. Linux only; else NaN. */
export function residentMb(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
    return { now: (kib('VmRSS') * 1024) / 1e6, peak: (kib('VmHWM') * 1024) / 1e6 };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}

/** Begins the most that a process was resident anew (Linux; elsewhere nothing). */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // No such file, or it may not: the peak is that of the whole run.
  }
}

/** Keeps all threads of a process on one core; false where `taskset` is missing or refuses. */
export function keepOnOneCore(pid: number): boolean {
  return spawnSync('taskset', ['-acp', '0', String(pid)], { stdio: 'ignore' }).status === 0;
}
