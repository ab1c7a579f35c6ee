import { spawn } from 'node:child_process';
import type { Home } from '../../../daemon/src/platform/home/home.ts';

/** The Node runtime and the command line that this app came with; both run without the app. */
export interface Program {
  node: string;
  script: string;
}

/** Where a command is run. */
interface Surroundings {
  home: Pick<Home, 'folder'>;
  env: NodeJS.ProcessEnv;
}

/** A command that ended with a refusal; the message is what it told a person. */
export class CommandFailed extends Error {}

/** Runs a command of `reverie` on a home and waits for its end. Throws `CommandFailed` with its words. */
export function runCommand(
  { node, script }: Program,
  { home, env }: Surroundings,
  args: readonly string[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [script, ...args, '--home', home.folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
      env: ofTheApp(env),
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
    child.once('error', (cause) =>
      reject(new CommandFailed(`Reverie cannot run ${node}: ${cause.message}`, { cause })),
    );
    // What it started in the background holds no pipe of ours, so that the end of the command is the end of what it says.
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const words = said.trim() || `\`reverie ${args.join(' ')}\` ended with ${signal ?? `code ${code}`}`;
      reject(new CommandFailed(words));
    });
  });
}

/** Without what Electron sets for its own processes, and without what would change how Node runs. */
function ofTheApp(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(ELECTRON_|CHROME_|NODE_OPTIONS$|NODE_CHANNEL)/.test(name)),
  );
}
