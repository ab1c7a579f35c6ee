import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A relay in a process of its own. */
export interface RelayProcess {
  child: ChildProcess;
  /** Where it listens; rejects with what it said where it does not start. */
  ready: Promise<string>;
  ended: Promise<number | null>;
  /** What it wrote to its log. */
  logged(): string;
}

/**
 * Starts a relay in a process of its own, within the network `namespace` if one is given. With `REVERIE_TEST_POSTGRES`, a server's address,
 * it is two nodes behind a balancer, and each home has a database there.
 */
export function spawnRelay(home: string, env: Record<string, string> = {}, namespace?: string): RelayProcess {
  const server = process.env['REVERIE_TEST_POSTGRES'];
  const main = path.join(import.meta.dirname, server === undefined ? '../main.ts' : 'two-nodes.ts');
  const inside = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
  const [command, ...args] = [...inside, process.execPath, main];
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      RELAY_HOME: home,
      RELAY_PORT: '0',
      ...env,
      ...(server !== undefined && { REVERIE_TEST_POSTGRES: server }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let logged = '';
  child.stderr.on('data', (data) => (logged += String(data)));
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      said += String(data);
      const origin = /^Reverie relay is ready at (http:\S+)\n/.exec(said)?.[1];
      if (origin !== undefined) resolve(origin);
    });
    void ended.then((code) => reject(new Error(`The relay ended with ${String(code)}: ${logged}`)));
  });
  ready.catch(() => undefined);
  return { child, ready, ended, logged: () => logged };
}

export function temporaryHome(): { home: string; remove: () => void } {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-relay-'));
  return { home, remove: () => fs.rmSync(home, { recursive: true, force: true }) };
}
