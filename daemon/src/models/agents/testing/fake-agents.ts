import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { agentKinds } from '@reverie/shared/contract/system/models';
import { adapters } from '../adapters.ts';

/** What the commands do: they answer a text, or fail in one of the ways of commands. */
export type FakeMode =
  | { kind: 'answer' | 'slow'; text: string }
  | { kind: 'hang' | 'logged-out' | 'killed' | 'broken' | 'huge' | 'garbage' };

/** A call of a command, as it saw it. */
export interface FakeCall {
  name: string;
  args: string[];
  stdin: string;
  cwd: string;
  /** What lay in its folder. */
  files: string[];
  /** `REVERIE_INSIDE_MODEL`, and the names of all variables that begin with `REVERIE_`. */
  inside?: string;
  env: string[];
}

/** A note, and what a model answers by it to the question how much the rent is. */
export const LEASE = 'The rent of the flat in Harbour Street is 940 euro a month.';
export const RENT = {
  kind: 'answer',
  text: JSON.stringify({
    answered: true,
    sentences: [{ text: LEASE, quotes: [{ note: 1, words: '940 euro a month' }] }],
    search: [],
  }),
} as const satisfies FakeMode;

/** A folder for the PATH with a command under each agent's name. */
export interface FakeAgents {
  folder: string;
  be(mode: FakeMode): void;
  calls(): FakeCall[];
  /** The processes of the last command that hangs: itself, and what it started. */
  pids(): number[];
  /** Whether a command that hangs has started what it starts. */
  hasStarted(): boolean;
  /** Takes a command away. */
  uninstall(command: string): void;
  remove(): void;
}

export function installFakeAgents(mode: FakeMode): FakeAgents {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-test-'));
  const script = fs.readFileSync(path.join(import.meta.dirname, 'fake-agent.cjs'), 'utf8');
  for (const kind of agentKinds)
    fs.writeFileSync(path.join(folder, adapters[kind].command), `#!${process.execPath}\n${script}`, {
      mode: 0o700,
    });
  const be = (next: FakeMode) => fs.writeFileSync(path.join(folder, 'mode.json'), JSON.stringify(next));
  be(mode);
  return {
    folder,
    be,
    calls() {
      const file = path.join(folder, 'calls.jsonl');
      if (!fs.existsSync(file)) return [];
      const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as FakeCall);
    },
    pids: () => JSON.parse(fs.readFileSync(path.join(folder, 'pids.json'), 'utf8')) as number[],
    hasStarted: () => fs.existsSync(path.join(folder, 'pids.json')),
    uninstall: (command) => fs.rmSync(path.join(folder, command)),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // No such process: that is the answer.
    return false;
  }
}
