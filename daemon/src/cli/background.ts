import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { health } from '@reverie/shared/contract/system/system';
import { z } from 'zod';
import { resolveConfig, settings, variableOf } from '../config/config.ts';
import { writeBackgroundFile } from '../platform/home/background-file.ts';
import { type Home, prepareHome, Refusal } from '../platform/home/home.ts';
import { type DaemonFile, readDaemonFile } from '../platform/home/daemon-file.ts';
import { connect } from './connection.ts';
import { waitFor } from './wait-for.ts';

/** The program that this command line runs as, for starting it again. */
export const PROGRAM = path.resolve(import.meta.dirname, '../../bin/reverie.cjs');

/** A start may have to bring a large database to a new version. */
const LONGEST_START = 120_000;
const LARGEST_LOG = 5 * 1024 * 1024;
const KEPT_LOGS = 4;

/** The log of a daemon in the background. */
export function logFile(home: Home): string {
  return path.join(home.logs, 'reverie.log');
}

export interface BackgroundStart {
  home: Home;
  env: NodeJS.ProcessEnv;
  /** Settings of the command line, by dotted name. */
  flags: Readonly<Record<string, string>>;
}

/**
 * Starts a daemon in a process of its own and waits until it is ready. Throws `Refusal` with the reason
 * from its log where it does not start.
 */
export async function startInBackground({ home, env, flags }: BackgroundStart): Promise<DaemonFile> {
  const all = { ...settingsIn(env), ...flags };
  resolveConfig({ file: home.config, env, flags: all });
  prepareHome(home);
  fs.mkdirSync(home.logs, { recursive: true, mode: 0o700 });
  const file = logFile(home);
  rotate(file);
  const log = fs.openSync(file, 'a', 0o600);
  const from = fs.fstatSync(log).size;
  const args = Object.entries(all).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const child = spawn(process.execPath, [PROGRAM, 'start', '--home', home.folder, ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', log],
    windowsHide: true,
    env,
  });
  fs.closeSync(log);
  // At once: whatever goes wrong from here on, this command must end without it.
  child.unref();
  let ended = false;
  child.once('exit', () => (ended = true));
  child.once('error', () => (ended = true));
  const found = await waitFor(
    async () => (ended ? ('ended' as const) : isReady(home, child.pid)),
    LONGEST_START,
  );
  if (found === 'ended') throw new Refusal(reasonIn(file, from));
  if (!found)
    throw new Refusal(
      `Reverie (process ${child.pid}) is not ready after ${LONGEST_START / 1000} s. Its log is ${file}; \`reverie status\` says when it answers.`,
    );
  writeBackgroundFile(home, { nonce: found.nonce, flags: all });
  return found;
}

/** Settings that variables give now, so that a later start elsewhere gets them too. */
function settingsIn(env: NodeJS.ProcessEnv): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name } of settings()) {
    const value = env[variableOf(name)];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

async function isReady(home: Home, pid: number | undefined): Promise<DaemonFile | undefined> {
  const daemon = readDaemonFile(home);
  if (daemon?.pid !== pid || daemon === undefined) return undefined;
  const { client } = await connect(home);
  return (await client(health, {})).status === 'ready' ? daemon : undefined;
}

/** Moves a large log aside: `reverie.log.1` is the newest of the old ones. */
export function rotate(file: string, largest = LARGEST_LOG): void {
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes < largest) return;
  for (let number = KEPT_LOGS; number > 0; number -= 1) {
    const older = number === 1 ? file : `${file}.${number - 1}`;
    if (fs.existsSync(older)) fs.renameSync(older, `${file}.${number}`);
  }
}

/** Why a start failed: the plain lines of a refusal, else the last failure that was logged. */
export function reasonIn(file: string, from: number): string {
  const lines = fs.readFileSync(file).subarray(from).toString('utf8').split('\n').filter(Boolean);
  const plain: string[] = [];
  let logged: string | undefined;
  for (const line of lines) {
    const entry = parseLine(line);
    if (!entry) plain.push(line);
    else if (entry.level >= 50) logged = entry.msg;
  }
  if (plain.length > 0 && !plain.some((line) => /^\s+at /.test(line))) return plain.join('\n');
  const what = logged ?? plain.find((line) => /^\w*Error\b/.test(line)) ?? 'it said nothing';
  return `Reverie did not start: ${what.replace(/\.$/, '')}. Its log is ${file}; \`reverie doctor\` may say more.`;
}

const LogLine = z.object({ level: z.number(), msg: z.string().default('') });

function parseLine(line: string): z.infer<typeof LogLine> | undefined {
  try {
    return LogLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
