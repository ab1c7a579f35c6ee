import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Client, createClient } from '@reverie/shared/client';
import type { Route } from '@reverie/shared/contract/route';
import { type Home, Refusal } from '../platform/home/home.ts';
import { backgroundFlags } from '../platform/home/background-file.ts';
import { readDaemonFile } from '../platform/home/daemon-file.ts';
import { startInBackground } from './background.ts';
import { connect, NotRunning } from './connection.ts';

interface Dialling {
  home: Home;
  env: NodeJS.ProcessEnv;
  /** The file of the key that calls are made with; read for each connection. */
  keyFile: string;
  /** Told, in a sentence without any content, what a person may want to know. */
  tell: (sentence: string) => void;
}

/** How long a daemon that was there is waited for before another is started, and a call before it fails, ms. */
const GRACE_MS = 8_000;
const AGAIN_MS = 150;

/**
 * A client that outlives the daemon: it connects anew whenever another daemon runs, waits out a restart, and starts one where none runs, at
 * once where one that was put into the background is dead: nobody else starts that again. A
 * call is made again only where it cannot have been done, since no connection came about, or where it only reads.
 */
export function dial({ home, env, keyFile, tell }: Dialling): Client {
  let known: { nonce: string; client: Client } | undefined;
  let starting: Promise<unknown> | undefined;
  let wasThere = false;

  async function reached(): Promise<Client> {
    const nonce = readDaemonFile(home)?.nonce;
    if (known && known.nonce === nonce) return known.client;
    const { origin, daemon } = await connect(home, env);
    const key = keyIn(keyFile);
    known = { nonce: daemon.nonce, client: createClient({ origin, key: () => key }) };
    wasThere = true;
    return known.client;
  }

  /** Several calls that find no daemon start one of them. */
  async function start(): Promise<void> {
    starting ??= startInBackground({ home, env, flags: {} })
      .then(() => tell('Reverie did not run and was started in the background.'))
      .finally(() => (starting = undefined));
    await starting;
  }

  return async (route, sent, options) => {
    const until = performance.now() + GRACE_MS;
    const isLate = () => performance.now() > until;
    let wasTried = false;
    for (;;) {
      try {
        const client = await reached();
        return await client(route, sent, options);
      } catch (cause) {
        options?.signal?.throwIfAborted();
        known = undefined;
        const isAway = cause instanceof NotRunning;
        const isDead = isAway && !wasTried && backgroundFlags(home) !== undefined;
        if (isAway && (!wasThere || isLate() || isDead)) {
          wasThere = true;
          wasTried = true;
          try {
            await start();
            continue;
          } catch (failed) {
            // Another process may have been quicker, or it was still about to end.
            if (isLate() || !(isDead || readDaemonFile(home) !== undefined)) throw unreachable(failed);
          }
        } else if (isLate() || !(isAway || mayBeMadeAgain(route, cause))) throw unreachable(cause);
        await pause(AGAIN_MS);
      }
    }
  };
}

function keyIn(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Refusal(
      `The key file ${file} cannot be read: make another with \`reverie key create NAME\`.`,
      cause,
    );
  }
}

function mayBeMadeAgain({ method, scope }: Route, cause: unknown): boolean {
  if (!(cause instanceof ApiError)) return false;
  if (cause.code === 'unavailable') return true;
  return cause.code === 'unreachable' && (method === 'GET' || scope === 'read' || isRefused(cause));
}

function isRefused(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return ('code' in cause && cause.code === 'ECONNREFUSED') || isRefused(cause.cause);
}

/** What keeps a call from the daemon, as an answer of the API would say it. */
function unreachable(cause: unknown): unknown {
  if (!(cause instanceof Refusal)) return cause;
  return new ApiError({ status: 0, code: 'unreachable', message: cause.message, cause });
}
