import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@reverie/shared/client';
import { StreamMessage, type StreamQuery } from '@reverie/shared/contract/events/stream';
import { WebSocket } from 'ws';
import { type DaemonConnection, connect, NotRunning } from './connection.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** Between two looks whether Reverie runs again. */
const LOOK_AGAIN = 500;

/** Where to go on: after this event of this log. */
interface Cursor {
  since: number;
  log_id: string;
}

export interface FollowOptions {
  from: Cursor;
  topics?: StreamQuery['topics'];
  namespace?: string | undefined;
  onMessage: (message: StreamMessage) => void;
  /** Reverie ended, and is waited for. */
  onLost: () => void;
}

/**
 * Follows the stream until nobody reads the output any more, across restarts of Reverie: each event is told once. A
 * stream that cannot be opened for another reason than that ends it.
 */
export async function followStream(terminal: Terminal, followed: FollowOptions): Promise<void> {
  const cursor = { ...followed.from };
  const gone = new AbortController();
  terminal.stdout.once('close', () => gone.abort());
  // It may have gone while what is to be told first was printed.
  if (terminal.stdout.destroyed) return;
  let isLost = false;
  while (!gone.signal.aborted) {
    const connection = await connectAgain(terminal);
    if (connection) {
      isLost = false;
      await listen(connection, { ...followed, from: cursor, signal: gone.signal, onMessage: take });
    }
    if (gone.signal.aborted) return;
    if (!isLost && !connection) {
      isLost = true;
      followed.onLost();
    }
    await pause(LOOK_AGAIN, undefined, { signal: gone.signal }).catch(() => undefined);
  }
  function take(message: StreamMessage): void {
    if (message.type === 'reset') {
      cursor.log_id = message.log_id;
      cursor.since = message.oldest_seq - 1;
    } else if ('seq' in message) cursor.since = message.seq;
    followed.onMessage(message);
  }
}

/** Undefined while it does not run, or just starts or stops. */
async function connectAgain(terminal: Terminal): Promise<DaemonConnection | undefined> {
  try {
    return await connect(homeOf(terminal), terminal.env);
  } catch (cause) {
    const isPassing = cause instanceof ApiError && cause.code === 'unavailable';
    if (cause instanceof NotRunning || isPassing) return undefined;
    throw cause;
  }
}

interface Listened extends Omit<FollowOptions, 'onLost'> {
  signal: AbortSignal;
}

/** Listens until the stream ends. Throws what refuses it for good. */
function listen(
  { origin, ownerKey }: DaemonConnection,
  { from, topics, namespace, ...rest }: Listened,
): Promise<void> {
  if (rest.signal.aborted) return Promise.resolve();
  const query = new URLSearchParams({ since: String(from.since), log_id: from.log_id });
  if (topics) query.set('topics', topics.join(','));
  if (namespace !== undefined) query.set('namespace', namespace);
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/v1/stream?${query.toString()}`, {
    headers: { Authorization: `Bearer ${ownerKey}` },
  });
  const end = () => socket.terminate();
  rest.signal.addEventListener('abort', end);
  return new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      try {
        rest.onMessage(StreamMessage.parse(JSON.parse(data.toString('utf8'))));
      } catch (cause) {
        socket.terminate();
        reject(cause instanceof Error ? cause : new Error(String(cause)));
      }
    });
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      const status = response.statusCode ?? 0;
      // Starting, stopping, or too many at once: all of that passes.
      if (status === 503 || status === 429) return resolve();
      const message = `The stream of events was refused with status ${status}`;
      reject(new ApiError({ status, code: 'bad_reply', message }));
    });
    // What failed is followed by `close`, and tried again.
    socket.on('error', () => undefined);
    // Where the owner key was replaced, the next connection reads the new one.
    socket.on('close', () => resolve());
  }).finally(() => rest.signal.removeEventListener('abort', end));
}
