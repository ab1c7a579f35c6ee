import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { runCommand } from './main.ts';
import type { Terminal } from './terminal.ts';

/** How a command of a test is run. */
export interface Given {
  home: string;
  /** Further variables. */
  env?: Record<string, string>;
  /** What is piped in. */
  stdin?: string | Buffer;
  /** A person sits there, and types this. */
  typed?: string;
}

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs one command of the command line within the test's own process. */
export async function run({ home, env, stdin, typed }: Given, ...args: string[]): Promise<Ended> {
  const isTTY = typed !== undefined;
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed ?? stdin ?? '');
  const output = () => Object.assign(new PassThrough(), { isTTY, columns: 100 });
  const [stdout, stderr] = [output(), output()];
  const terminal: Terminal = {
    env: { REVERIE_HOME: home, NO_COLOR: '1', ...env },
    stdin: input,
    stdout,
    stderr,
    exitCode: 0,
  };
  // Read all the while: what is larger than the buffer would wait for ever.
  const [out, err] = [collect(stdout), collect(stderr)];
  const code = await runCommand(terminal, args);
  stdout.end();
  stderr.end();
  return { code, out: await out, err: await err };
}

async function collect(stream: PassThrough): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Any text with this in it. */
export const has = (part: string): unknown => expect.stringContaining(part);

/** Any text of this form. */
export const like = (form: RegExp): unknown => expect.stringMatching(form);
