import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { AgentAdapter } from './adapter.ts';
import { agentEnvironment } from './environment.ts';

/** Where installers put commands below a home, and beside it: a daemon that the system started has a short PATH. */
const BELOW_HOME = [
  ...['.local/bin', 'bin', '.claude/local', '.opencode/bin', '.bun/bin', '.volta/bin'],
  ...['.npm-global/bin', '.local/share/pnpm', 'Library/pnpm'],
];
const BESIDE_HOME = ['/opt/homebrew/bin', '/usr/local/bin'];

/** How long a command may take to tell its version, in ms: some are started by Node, on a machine that may be busy. */
const VERSION_MS = 8000;

/** The folders in which commands are looked for: those of the PATH, then the usual ones. */
export function commandFolders(environment: NodeJS.ProcessEnv): string[] {
  const named = (environment['PATH'] ?? '').split(path.delimiter);
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  const usual =
    home === undefined ? [] : [...BELOW_HOME.map((folder) => path.join(home, folder)), ...BESIDE_HOME];
  // A relative folder would be another one for each working folder.
  return [...new Set([...named, ...usual])].filter((folder) => path.isAbsolute(folder));
}

/** The file of an agent's command; undefined where it is not installed. On Windows a program alone: a script would need a shell. */
export function findCommand(
  { command }: Pick<AgentAdapter, 'command'>,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const name = process.platform === 'win32' ? `${command}.exe` : command;
  return commandFolders(environment)
    .map((folder) => path.join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    // What is not there, or may not be run, is no command.
    return false;
  }
}

/** The version that a command tells; undefined where it tells none in time, or another program has its name. */
export function versionOf(
  { version }: Pick<AgentAdapter, 'version'>,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = execFile(
      file,
      ['--version'],
      {
        env: agentEnvironment(environment, file),
        timeout: VERSION_MS,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024,
        windowsHide: true,
      },
      (failure, stdout) => resolve(failure ? undefined : version.exec(stdout.trim())?.[1]),
    );
    asked.stdin?.end();
  });
}
