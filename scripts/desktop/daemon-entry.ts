import type { StartOptions } from '../../daemon/src/main.ts';

// What `bin/reverie.cjs` asks for, in one bundle; each part is evaluated when it is wanted.

/** Runs the daemon in this process. */
export async function runDaemon(options: StartOptions): Promise<void> {
  const { runDaemon: run } = await import('../../daemon/src/run.ts');
  return run(options);
}

/** Runs a command of the command line. */
export async function main(args: readonly string[]): Promise<void> {
  const { main: run } = await import('../../daemon/src/cli/main.ts');
  return run(args as string[]);
}
