import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** The processes that have a variable (`NAME=value`), which all that they started inherit. */
function processesWith(variable: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable);
      } catch {
        // It ended while it was looked at, or is another user's.
        return false;
      }
    })
    .map(Number);
}

const INSIDE_MODEL = 'REVERIE_INSIDE_MODEL=1';

/** The processes that a daemon started as models, and what they started. */
export function insideModel(): number[] {
  return processesWith(INSIDE_MODEL);
}

/** Kills all of them. */
export function killInsideModel(): void {
  killOf(INSIDE_MODEL);
}

/** Kills the processes that have a variable, one by one. */
export function killOf(variable: string): void {
  for (const pid of processesWith(variable))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with the one before.
    }
}

/** The folders that models ran in and that are still there. */
export function foldersLeft(): string[] {
  return fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('reverie-model-'));
}

/** What is left after so many ms: processes and folders, which both should be gone. */
export async function leftAfter(ms: number): Promise<string[]> {
  const until = performance.now() + ms;
  for (;;) {
    const left = [
      ...insideModel().map((pid) => `process ${pid} (${commandOf(pid)})`),
      ...foldersLeft().map((name) => `folder ${name}`),
    ];
    if (left.length === 0 || performance.now() > until) return left;
    await pause(100);
  }
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 120);
  } catch {
    // It ended.
    return 'gone';
  }
}
