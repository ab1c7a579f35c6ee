import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ASKED, connectionOptions, isPooled } from './pool.ts';

/** Whether the session hears what is said: `well`, or `not`; `pooled` where a pooler gives each transaction another connection. */
export type Hearing = 'well' | 'pooled' | 'not';

export interface SessionDeps {
  url: string;
  heard(payload: string): void;
  /** The session is there, anew: what was said before may have been missed. */
  begun(hearing: Hearing): void;
  failed(cause: unknown): void;
}

/** A connection of its own for `LISTEN` and `NOTIFY`, which a pool cannot give; it comes again by itself. */
export interface NotifySession {
  /** Says payloads, of less than 8,000 bytes each, to all sessions. Rejects where it is not there. */
  say(payloads: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** What nodes listen to. */
export const CHANNEL = 'reverie';
/** Before a payload with which a session hears itself. */
const ECHO = 'echo:';
/** How long its own word may take, and how often it is said, ms. */
const ECHO_MS = 2000;
const LISTENS_EVERY = 5000;
const PAUSES = [50, 100, 200, 400, 800, 1600] as const;

export function openSession({ url, heard, begun, failed }: SessionDeps): NotifySession {
  const stopped = new AbortController();
  let current: Ask | undefined;
  const running = run();

  async function run(): Promise<void> {
    for (let tries = 0; !stopped.signal.aborted; tries += 1) {
      try {
        await live(() => (tries = 0));
      } catch (cause) {
        if (!stopped.signal.aborted) failed(cause);
      }
      const pause = PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 1000;
      await delay(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  /** One connection, until it ends or is not heard any more. */
  async function live(lives: () => void): Promise<void> {
    const own = new pg.Client(connectionOptions(url));
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => undefined);
    const end = () => ended.reject(new Error('The session was stopped'));
    stopped.signal.addEventListener('abort', end);
    own.on('error', ended.reject);
    own.on('end', () => ended.reject(new Error('The session ended')));
    const echoes = new Map<string, () => void>();
    own.on('notification', ({ payload = '' }) => {
      if (payload.startsWith(ECHO)) echoes.get(payload)?.();
      else heard(payload);
    });
    try {
      await own.connect();
      // A hint need not be on a disk.
      await own.query(`${ASKED}; SET synchronous_commit = off`);
      await own.query(`LISTEN ${CHANNEL}`);
      const isBehind = await isPooled(own);
      const ask = inTurn(own);
      // Behind a pooler it may hear itself once, by chance.
      const hearing = isBehind ? 'pooled' : (await hearsItself(ask, echoes)) ? 'well' : 'not';
      current = ask;
      lives();
      begun(hearing);
      for (;;) {
        await Promise.race([ended.promise, delay(LISTENS_EVERY, undefined, { ref: false })]);
        // A line that died silently is not heard on, and neither is a connection that is another one by now.
        const hears = await Promise.race([ended.promise, hearsItself(ask, echoes)]);
        if (hearing === 'well' && !hears) throw new Error('The session does not hear itself any more');
      }
    } finally {
      current = undefined;
      stopped.signal.removeEventListener('abort', end);
      await own.end().catch(() => undefined);
    }
  }

  return {
    async say(payloads) {
      if (!current) throw new Error('There is no session');
      await current('SELECT pg_notify($1, said) FROM unnest($2::text[]) AS said', [CHANNEL, payloads]);
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

type Ask = (text: string, values: unknown[]) => Promise<pg.QueryResult>;

/** One statement after the other. */
function inTurn(client: pg.Client): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (text, values) => {
    const answer = last.then(() => client.query(text, values));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function hearsItself(ask: Ask, echoes: Map<string, () => void>): Promise<boolean> {
  const payload = ECHO + randomUUID();
  const came = new Promise<boolean>((resolve) => echoes.set(payload, () => resolve(true)));
  await ask('SELECT pg_notify($1, $2)', [CHANNEL, payload]);
  const hears = await Promise.race([came, delay(ECHO_MS, false, { ref: false })]);
  echoes.delete(payload);
  return hears;
}
