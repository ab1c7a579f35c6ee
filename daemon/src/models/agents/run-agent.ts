import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Stop } from '../../platform/clock.ts';
import { ModelFailure } from '../language-model.ts';
import type { AgentAdapter, AgentCall, AgentPlaces, AgentRun } from './adapter.ts';
import { agentEnvironment } from './environment.ts';
import { MODEL_FOLDER } from './folder.ts';

/** Bytes that a command may print; and those of what it says beside its answer, of which the end is cut. */
const MOST_OUTPUT = 2 ** 20;
const MOST_WARNINGS = 64 * 1024;
/** How long a command that is told to end may take, in ms. */
const END_MS = 1500;
/** Commands that run at once: each takes some 300 MB. */
const AT_ONCE = 2;

export interface AgentRunning {
  readonly adapter: AgentAdapter;
  /** The command's file. */
  readonly file: string;
  readonly call: (places: AgentPlaces) => AgentCall;
  readonly timeoutMs: number;
  /** When the question was asked (`performance.now()`): it may have been asked before. */
  readonly askedAt: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs agents' commands, and ends all that still run. */
export interface AgentRunner {
  readonly environment: NodeJS.ProcessEnv;
  /** Rejects with a `ModelFailure` where it is too slow, prints too much, is not wanted any more or cannot be started. */
  run(running: AgentRunning): Promise<AgentRun>;
  /** Ends every command at once, with all that it started; none is started any more. */
  end: Stop;
}

/** Runs commands with the environment of the daemon. */
export function createAgentRunner(environment: NodeJS.ProcessEnv): AgentRunner {
  const running = new Set<() => void>();
  const waiting: (() => void)[] = [];
  let taken = 0;
  let isEnded = false;

  const endAll = () => {
    for (const end of running) end();
  };

  /** Waits until fewer than `AT_ONCE` run, or it is not wanted any more; takes a place. */
  async function turn(signal: AbortSignal): Promise<void> {
    while (taken >= AT_ONCE && !signal.aborted && !isEnded) {
      const free = Promise.withResolvers<void>();
      waiting.push(free.resolve);
      signal.addEventListener('abort', () => free.resolve(), { once: true });
      await free.promise;
    }
    taken += 1;
  }

  function leave(): void {
    taken -= 1;
    for (const next of waiting.splice(0)) next();
  }

  return {
    environment,
    async run(asked) {
      const { adapter, timeoutMs, askedAt } = asked;
      const signal = AbortSignal.any([
        AbortSignal.timeout(timeoutMs),
        ...(asked.signal ? [asked.signal] : []),
      ]);
      const late = Promise.withResolvers<never>();
      await turn(signal);
      let start: Started;
      try {
        if (signal.aborted || isEnded) throw stopped(adapter, signal, askedAt);
        start = started(asked, environment);
      } catch (cause) {
        leave();
        throw cause instanceof ModelFailure ? cause : notStarted(adapter, cause as Error);
      }
      if (running.size === 0) process.on('exit', endAll);
      const kill = () => {
        start.end('SIGKILL');
        start.tidy();
      };
      running.add(kill);
      const over = () => {
        running.delete(kill);
        if (running.size === 0) process.off('exit', endAll);
        start.tidy();
        leave();
      };
      const stop = () => {
        start.end('SIGTERM');
        late.reject(stopped(adapter, signal, askedAt));
      };
      signal.addEventListener('abort', stop, { once: true });
      // Its place and its folder are given back when it has ended, which who asked does not wait for.
      void start.ended.then(over);
      try {
        return await Promise.race([start.done, late.promise]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    end() {
      isEnded = true;
      endAll();
      for (const next of waiting.splice(0)) next();
    },
  };
}

/** Why a command was ended; who asked may have a time limit, too. */
function stopped({ title }: AgentAdapter, signal: AbortSignal, askedAt: number): ModelFailure {
  return (signal.reason as Error | undefined)?.name === 'TimeoutError'
    ? new ModelFailure(
        'timeout',
        `${title} did not answer within ${Math.round((performance.now() - askedAt) / 100) / 10} s`,
      )
    : new ModelFailure('cancelled', 'nobody waits for the answer any more');
}

interface Started {
  /** What it answered; rejects with a `ModelFailure`. */
  readonly done: Promise<AgentRun>;
  /** Resolves once it is gone, however it ended. */
  readonly ended: Promise<void>;
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => void;
  /** Removes its folder. */
  readonly tidy: () => void;
}

/** Starts a command in an empty folder of its own. */
function started({ adapter, file, call }: AgentRunning, environment: NodeJS.ProcessEnv): Started {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), MODEL_FOLDER)));
  const tidy = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    // Agents keep what they know of a folder by its name.
    const empty = path.join(folder, path.basename(folder));
    fs.mkdirSync(empty, { mode: 0o700 });
    const placeOf = (name: string) => path.join(folder, name);
    const { args, stdin, env, files = {}, writes } = call({ file: placeOf, environment });
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(placeOf(name), text, { mode: 0o600 });
    const child = spawn(file, args, {
      cwd: empty,
      env: agentEnvironment(environment, file, env),
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: 'pipe',
    });
    // One that ends before it has read everything says why by its own means.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    const written = () => (writes === undefined ? undefined : textOf(placeOf(writes)));
    return { ...followed(adapter, child, written), tidy };
  } catch (cause) {
    tidy();
    throw cause;
  }
}

/** Reads what a command prints until it has ended. */
function followed(
  adapter: AgentAdapter,
  child: ChildProcessWithoutNullStreams,
  written: () => string | undefined,
): Omit<Started, 'tidy'> {
  const ended = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    killGroup(child, signal);
    if (signal === 'SIGTERM') timer ??= setTimeout(() => killGroup(child, 'SIGKILL'), END_MS);
  };
  const done = new Promise<AgentRun>((resolve, reject) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let printed = 0;
    let warned = 0;
    child.stdout.on('data', (piece: Buffer) => {
      printed += piece.byteLength;
      if (printed <= MOST_OUTPUT) return void stdout.push(piece);
      end('SIGKILL');
      reject(new ModelFailure('garbage', `${adapter.title} answers more than ${MOST_OUTPUT / 2 ** 20} MiB`));
    });
    child.stderr.on('data', (piece: Buffer) => {
      if (warned < MOST_WARNINGS) stderr.push(piece);
      warned += piece.byteLength;
    });
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(notStarted(adapter, cause));
      if (child.pid === undefined) ended.resolve();
    });
    child.on('exit', () => {
      clearTimeout(timer);
      killGroup(child, 'SIGKILL');
      // What left the group may hold the output open.
      timer = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, END_MS);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const texts = { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
      resolve({
        code,
        stdout: texts.stdout.toString('utf8'),
        stderr: texts.stderr.toString('utf8'),
        written: written(),
      });
      ended.resolve();
    });
  });
  // Who asked may have been told of a time limit by then.
  done.catch(() => undefined);
  return { done, ended: ended.promise, end };
}

function notStarted({ title }: AgentAdapter, cause: Error): ModelFailure {
  return new ModelFailure('unreachable', `${title} cannot be started (${codeOf(cause)})`, cause);
}

function codeOf(cause: Error): string {
  return (cause as NodeJS.ErrnoException).code ?? cause.message;
}

function textOf(file: string): string | undefined {
  try {
    return fs.statSync(file).size > MOST_OUTPUT ? undefined : fs.readFileSync(file, 'utf8');
  } catch {
    // A file that it did not write says nothing.
    return undefined;
  }
}

/** Signals a command and all that it started. */
function killGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (cause) {
    // All of the group have ended.
    if (!['ESRCH', 'EPERM'].includes(codeOf(cause as Error))) throw cause;
  }
}
