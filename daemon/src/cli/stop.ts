import fs from 'node:fs';
import type { Command } from 'commander';
import { type Home, Refusal } from '../platform/home/home.ts';
import { readDaemonFile } from '../platform/home/daemon-file.ts';
import { isHeld } from '../platform/home/lock.ts';
import { connect, NotRunning } from './connection.ts';
import { waitFor } from './wait-for.ts';
import { say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** A daemon gives itself 5 s to finish what is in flight. */
const LONGEST_STOP = 15_000;

/** `reverie stop` */
export function addStop(program: Command, terminal: Terminal): void {
  program
    .command('stop')
    .description('end the running Reverie')
    .action(async () => {
      const home = homeOf(terminal);
      const pid = await stopDaemon(home, terminal.env);
      say(terminal, pid === undefined ? 'Reverie is not running.' : `Reverie (process ${pid}) has stopped.`);
    });
}

/** Refuses where something runs on the home already. */
export function refuseIfHeld(home: Home): void {
  if (!isHeld(home)) return;
  const daemon = readDaemonFile(home);
  const who = daemon ? ` (process ${daemon.pid}, ${daemon.origin})` : '';
  throw new Refusal(
    `Reverie is already running on ${home.folder}${who}. Use that one, or stop it with \`reverie stop\`.`,
  );
}

/**
 * Ends the daemon of a home and waits until its lock is free; answers its process id, or undefined when
 * none ran. A process is only ended after it proved that it is the daemon of this home.
 */
export async function stopDaemon(home: Home, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  if (!isHeld(home)) return undefined;
  const { daemon } = await connect(home, env).catch((cause: unknown) => {
    if (!(cause instanceof NotRunning)) throw cause;
    throw new Refusal(
      `Something holds the lock of ${home.folder} and does not answer: Reverie is starting or stopping, or a restore is under way. Try again in a moment.`,
      cause,
    );
  });
  // On Windows this ends the process at once; what it answered is on disk.
  process.kill(daemon.pid, 'SIGTERM');
  const free = await waitFor(() => (isHeld(home) ? undefined : true), LONGEST_STOP);
  if (!free)
    throw new Refusal(
      `Reverie (process ${daemon.pid}) was told to stop and has not after ${LONGEST_STOP / 1000} s. Look into its log, or end that process.`,
    );
  if (readDaemonFile(home)?.nonce === daemon.nonce) fs.rmSync(home.daemon, { force: true });
  return daemon.pid;
}
