import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import tls from 'node:tls';
import { ApiError, createClient, type Client } from '@reverie/shared/client';
import { identity } from '@reverie/shared/contract/system/system';
import { resolveConfig } from '../config/config.ts';
import { type Home, readPrivateFile, Refusal } from '../platform/home/home.ts';
import { type DaemonFile, readDaemonFile } from '../platform/home/daemon-file.ts';
import { homeOf, type Terminal } from './terminal.ts';

export const NOT_RUNNING =
  'Reverie is not running. Start it with `reverie start`, or `reverie start --background`.';

/** How long a daemon may take to prove itself; the answer needs no database. */
const PROOF_TIMEOUT = 10_000;

/** A daemon that has proved that it is the one of this home, and a client with its owner key. */
export interface DaemonConnection {
  client: Client;
  daemon: DaemonFile;
  /** Where to reach it from this machine. */
  origin: string;
  ownerKey: string;
}

/** No daemon of this home answers. */
export class NotRunning extends Refusal {}

/**
 * Connects to the daemon of a home. No key is sent before the daemon proved that it can read the same
 * owner key: after a crash another program may listen on its port. Throws `Refusal` with what to do.
 */
export async function connect(
  home: Home,
  env: NodeJS.ProcessEnv = process.env,
  /** What the proof is asked with, and then the client: of one connection, say, so that nobody can come between. */
  fetch: typeof globalThis.fetch = straight,
): Promise<DaemonConnection> {
  const daemon = readDaemonFile(home);
  if (!daemon) throw new NotRunning(NOT_RUNNING);
  const origin = reachable(daemon.origin);
  const ownerKey = readPrivateFile(home.ownerKey);
  if (!ownerKey)
    throw new Refusal(`There is no owner key in ${home.ownerKey}. Start Reverie again: it makes a new one.`);
  if (origin.startsWith('https:')) trustOwnCertificate(home, env);
  await prove({ daemon, origin, ownerKey, fetch });
  return { client: createClient({ origin, key: () => ownerKey, fetch }), daemon, origin, ownerKey };
}

/** A client of the daemon of a terminal's home. */
export async function clientOf(terminal: Terminal): Promise<Client> {
  return (await connect(homeOf(terminal), terminal.env)).client;
}

/** The origin to call: who listens on all addresses is called on loopback. */
function reachable(origin: string): string {
  if (!URL.canParse(origin) || !/^https?:$/.test(new URL(origin).protocol))
    throw new Refusal(`The address ${origin} in daemon.json is not one. Start Reverie again.`);
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Never follows a redirect, which could lead a key elsewhere. */
const straight: typeof globalThis.fetch = (input, init) =>
  globalThis.fetch(input, { ...init, redirect: 'error' });

/** The daemon may serve a certificate that its owner made; it is trusted for this process. */
function trustOwnCertificate(home: Home, env: NodeJS.ProcessEnv): void {
  const { tls: own } = resolveConfig({ file: home.config, env, flags: {} });
  if (!own) return;
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), fs.readFileSync(own.cert, 'utf8')]);
}

interface Proof {
  daemon: DaemonFile;
  origin: string;
  ownerKey: string;
  fetch: typeof globalThis.fetch;
}

async function prove({ daemon, origin, ownerKey, fetch }: Proof): Promise<void> {
  const challenge = randomBytes(32).toString('hex');
  const expected = createHmac('sha256', ownerKey).update(`${daemon.nonce}.${challenge}`).digest();
  const { proof } = await createClient({ origin, fetch })(
    identity,
    { query: { challenge } },
    { signal: AbortSignal.timeout(PROOF_TIMEOUT) },
  ).catch((cause: unknown) => {
    throw explain(cause, daemon);
  });
  const given = Buffer.from(proof, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw stranger(daemon);
}

function stranger(daemon: DaemonFile, cause?: unknown): Refusal {
  return new Refusal(
    `Another program answers at ${daemon.origin}, where Reverie ran last; no key was sent to it. Start Reverie with another port (\`reverie start --port 0\`), or stop that program.`,
    cause,
  );
}

function explain(cause: unknown, daemon: DaemonFile): unknown {
  if (!(cause instanceof ApiError))
    return new Refusal(
      `Reverie (process ${daemon.pid}) does not answer at ${daemon.origin}. Wait a little, or end that process and start it again.`,
      cause,
    );
  if (cause.code === 'unreachable') {
    const reason = reasonOf(cause);
    if (/certificate|altname|self.signed/i.test(reason))
      return new Refusal(
        `The certificate of ${daemon.origin} is not trusted (${reason}). Name it in config.json (tls.cert), so that commands know it too, and make sure that it names this address.`,
        cause,
      );
    if (/redirect/i.test(reason)) return stranger(daemon, cause);
    return new NotRunning(NOT_RUNNING, cause);
  }
  // These are Reverie's own words; anything else at this address is not Reverie.
  if (cause.code === 'unavailable' || cause.code === 'rate_limited') return cause;
  return stranger(daemon, cause);
}

/** What lies below a failed fetch. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return [cause.message, reasonOf(cause.cause)].filter((part) => part !== '').join(': ');
}
