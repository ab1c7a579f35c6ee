import { backgroundFlags } from '../../../daemon/src/platform/home/background-file.ts';
import type { Home } from '../../../daemon/src/platform/home/home.ts';
import { lastingProgram } from './lasting.ts';
import type { DaemonLink } from './link.ts';
import { isOlder } from './older.ts';
import { type Program, runCommand } from './program.ts';

interface KeepingDeps {
  program: Program;
  home: Home;
  env: NodeJS.ProcessEnv;
  /** Of this app, and of the daemon that came with it. */
  version: string;
  link: Pick<DaemonLink, 'look'>;
}

/** Finds, starts and stops the daemon of a home. */
export function createKeeping({ program, home, env, version, link }: KeepingDeps) {
  let port: readonly string[] = [];
  let hasReplaced = false;
  const command = async (...args: string[]) =>
    runCommand(await lastingProgram({ program, home, env, version }), { home, env }, args);

  return {
    /** The daemon that runs. One of an older version that was left in the background gives way, once; one that a person runs is theirs. */
    async look(): Promise<{ nonce: string } | undefined> {
      const found = await link.look();
      if (!found || hasReplaced || !isOlder(found.version, version) || !backgroundFlags(home)) return found;
      hasReplaced = true;
      await command('stop');
      return undefined;
    },
    start: () => command('start', '--background', ...port),
    stop: () => command('stop'),
    /** Starts are at a free port from now on. */
    useOtherPort() {
      port = ['--port', '0'];
    },
  };
}
