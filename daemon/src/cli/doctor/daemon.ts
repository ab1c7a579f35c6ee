import net from 'node:net';
import { ApiError } from '@reverie/shared/client';
import { health } from '@reverie/shared/contract/system/system';
import type { z } from 'zod';
import { type Config, resolveConfig } from '../../config/config.ts';
import { Refusal } from '../../platform/home/home.ts';
import { readDaemonFile } from '../../platform/home/daemon-file.ts';
import { isHeld } from '../../platform/home/lock.ts';
import { connect } from '../connection.ts';
import { isFull } from './machine.ts';
import { type DoctorFinding, fine, type Patient, problem, reasonOf, warning } from './finding.ts';

/** Whether the settings are such as a start takes. */
export function checkConfig({ home, env }: Patient): { finding: DoctorFinding; config?: Config } {
  try {
    const config = resolveConfig({ file: home.config, env, flags: {} });
    return { finding: fine('Settings', `${home.config} and variables are valid`), config };
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return {
      finding: problem('Settings', cause.message, 'Mend what is named; Reverie does not start before.'),
    };
  }
}

/** Whether a daemon runs on the home, and answers. */
export async function checkDaemon({ home, env, now }: Patient): Promise<DoctorFinding> {
  let held: boolean;
  try {
    held = isHeld(home);
  } catch (cause) {
    return problem(
      'Daemon',
      `${home.lock} cannot be read (${reasonOf(cause)})`,
      'Check the permissions of the home.',
    );
  }
  const daemon = readDaemonFile(home);
  if (!held)
    return fine(
      'Daemon',
      daemon
        ? 'it does not run; the last one ended without saying so, and nothing of it is lost'
        : 'it does not run',
    );
  if (!daemon && isFull(home))
    return problem(
      'Daemon',
      'it runs, and the full disk has no room for daemon.json, by which commands find it',
      'Free some space; it goes on by itself within some seconds.',
    );
  try {
    const { client, origin } = await connect(home, env);
    const { indexing, status, storage } = await client(health, {});
    const skew = await clockSkew(origin, now);
    if (Math.abs(skew) > 5000)
      return warning(
        'Daemon',
        `its clock is ${Math.round(skew / 1000)} s apart from ours`,
        'Start it again.',
      );
    const troubled = storageTrouble(storage, now);
    if (troubled) return troubled;
    const lag = indexing.pending > 0 ? `; ${indexing.pending} chunks wait for their vector` : '';
    return fine('Daemon', `process ${daemon?.pid} answers at ${origin} (${status})${lag}`);
  } catch (cause) {
    if (!(cause instanceof Refusal) && !(cause instanceof ApiError)) throw cause;
    return problem(
      'Daemon',
      `one holds the lock of the home, and does not answer as it should: ${cause.message}`,
      'If it is not just starting or stopping, end its process and start it again; what it answered is on disk.',
    );
  }
}

/** How long deleted text may wait in the write-ahead log before it is worth a word, ms. */
const LOG_WAITS = 10_000;

/** What is wrong with the disk or the write-ahead log, as a running daemon tells; undefined where nothing is. */
export function storageTrouble(
  { state, since, log_waits_since: waits }: z.infer<typeof health.response>['storage'],
  now: number,
): DoctorFinding | undefined {
  if (state === 'full')
    return problem(
      'Daemon',
      `the disk is full since ${since}: what is stored is served, and what is new is refused`,
      'Free some space; it goes on by itself within some seconds.',
    );
  if (waits === null || now - Date.parse(waits) < LOG_WAITS) return undefined;
  return warning(
    'Daemon',
    `another program reads the database since ${waits}: what was deleted stands in the write-ahead log until it ends`,
    'End the program that has reverie.db open.',
  );
}

async function clockSkew(origin: string, now: number): Promise<number> {
  const started = performance.now();
  const reply = await fetch(`${origin}/healthz`);
  await reply.body?.cancel();
  const date = Date.parse(reply.headers.get('date') ?? '');
  return Number.isNaN(date) ? 0 : date - (now + (performance.now() - started));
}

/** Whether the port of the settings is ours, or free. */
export async function checkPort({ home }: Patient, { host, port }: Config): Promise<DoctorFinding> {
  if (port === 0) return fine('Port', 'a free one is chosen at each start');
  const running = isHeld(home) ? readDaemonFile(home) : undefined;
  if (running && portOf(running.origin) === String(port)) return fine('Port', `${port} is used by Reverie`);
  const refused = await whyNotBound(host, port);
  if (refused === undefined) return fine('Port', `${port} is free`);
  // It was started with another port, by a flag or a variable: nothing is wrong before the next start without.
  if (refused === 'EADDRINUSE' && running)
    return warning(
      'Port',
      `Reverie listens at ${running.origin}; ${port}, that of the settings, is used by another program`,
      `Put the port that you want into config.json (\`"port"\`), or go on naming it at each start.`,
    );
  if (refused === 'EADDRINUSE')
    return problem(
      'Port',
      `${port} is used by another program`,
      'Stop that one, or start Reverie with another port: `reverie start --port 7338`, or `"port"` in config.json.',
    );
  return problem(
    'Port',
    `nothing can listen on ${host}:${port} (${refused})`,
    'Choose another host or port in config.json.',
  );
}

function portOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).port : undefined;
}

function whyNotBound(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code ?? cause.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
