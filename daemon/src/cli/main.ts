import path from 'node:path';
import { ApiError } from '@reverie/shared/client';
import { CommanderError } from 'commander';
import { messageOf } from './failure.ts';
import { fallBackOnNamespace } from './options.ts';
import { visible } from './print.ts';
import { buildProgram, loadCommands } from './program.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** Runs one command of the command line; the exit code says how it went. */
export async function main(argv: string[]): Promise<void> {
  const terminal: Terminal = {
    env: { ...process.env },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    exitCode: 0,
  };
  if (argv[2] !== 'start') endWithReader();
  process.exitCode = await runCommand(terminal, argv.slice(2));
}

/** Runs one command on a terminal; answers the exit code. Only bugs are thrown. */
export async function runCommand(terminal: Terminal, args: readonly string[]): Promise<number> {
  const program = buildProgram(terminal, await loadCommands(args));
  program.hook('preAction', (_, action) => {
    const { home } = program.opts<{ home?: string }>();
    if (home === '') throw new UsageError('--home needs a folder.');
    if (home !== undefined) terminal.env['REVERIE_HOME'] = path.resolve(home);
    fallBackOnNamespace(action, terminal.env);
  });
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
    return terminal.exitCode;
  } catch (cause) {
    // Commander has said already what is wrong.
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2;
    const lines = messageOf(cause);
    if (lines === undefined) throw cause;
    terminal.stderr.write(`${visible(lines)}\n`);
    return cause instanceof UsageError || (cause instanceof ApiError && cause.status === 400) ? 2 : 1;
  }
}

/** Ends quietly when whoever reads our output has read enough, as `head` does. */
function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EPIPE') process.exit(0);
      throw cause;
    });
}
