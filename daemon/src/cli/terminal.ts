import type { Readable, Writable } from 'node:stream';
import { type Home, homeAt, homeFolder } from '../platform/home/home.ts';

export type Input = Readable & { isTTY?: boolean };
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** What every command needs: where it reads and writes, and how it ends. */
export interface Terminal {
  /** A copy of the environment; `--home` is put into it as `REVERIE_HOME`. */
  env: NodeJS.ProcessEnv;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** 0 went well, 1 failed, 2 was asked for in a wrong way, 4 is that nothing in memory answers. */
  exitCode: 0 | 1 | 2 | 4;
}

/** The command was asked for in a way that cannot be meant; exits 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The home that a command works on. */
export function homeOf({ env }: Pick<Terminal, 'env'>): Home {
  return homeAt(homeFolder(env));
}
