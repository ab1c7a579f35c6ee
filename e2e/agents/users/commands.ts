import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';

export interface Where {
  folder: string;
  env: NodeJS.ProcessEnv;
}

export interface Ended {
  /** 124 where it took longer than it may. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end, under a limit in seconds that it cannot outlive. */
export async function runCommand(
  command: readonly string[],
  { folder, env, seconds }: Where & { seconds: number },
): Promise<Ended> {
  const child = spawn('timeout', ['-k', '5', String(seconds), ...command], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (status) => resolve(status ?? 1));
    }),
  ]);
  return { code, stdout, stderr };
}
