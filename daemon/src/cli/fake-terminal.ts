import { once } from 'node:events';
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
export function run(given: Given, ...args: string[]): Promise<Ended> {
  return begin(given, ...args).ended;
}

/** A command that goes on until whoever reads its output is gone. */
export interface BegunCommand {
  /** What it printed so far. */
  out: () => string;
  err: () => string;
  /** Its reader goes away. */
  close: () => void;
  ended: Promise<Ended>;
}

/** Begins a command; the caller looks at its output meanwhile. */
export function begin({ home, env, stdin, typed }: Given, ...args: string[]): BegunCommand {
  const isTTY = typed !== undefined;
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed ?? stdin ?? '');
  const output = () => Object.assign(new PassThrough(), { isTTY, columns: 100 });
  const [stdout, stderr] = [output(), output()];
  // Read all the while: what is larger than the buffer would wait for ever.
  const [out, err] = [collect(stdout), collect(stderr)];
  const terminal: Terminal = {
    env: { REVERIE_HOME: home, NO_COLOR: '1', ...env },
    stdin: input,
    stdout,
    stderr,
    exitCode: 0,
  };
  const ended = runCommand(terminal, args).then(async (code) => {
    for (const stream of [stdout, stderr]) if (!stream.destroyed) await once(stream.end(), 'end');
    return { code, out: out(), err: err() };
  });
  return { out, err, close: () => void stdout.destroy(), ended };
}

function collect(stream: PassThrough): () => string {
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}

/** Any text with this in it. */
export const has = (part: string): unknown => expect.stringContaining(part);

/** Any text of this form. */
export const like = (form: RegExp): unknown => expect.stringMatching(form);
