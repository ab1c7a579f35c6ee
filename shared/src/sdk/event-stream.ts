import { ApiError, type Client } from '../client/client.ts';
import { type Event, listEvents } from '../contract/events/events.ts';
import { STREAM_PROTOCOL, StreamMessage, type StreamQuery } from '../contract/events/stream.ts';
import { type RetryPolicy, reasonOf, type Surroundings, waitBefore } from './retries.ts';

/** Which events are followed, and from where. */
export interface Follow {
  /** Families or exact kinds; all where omitted. */
  topics?: StreamQuery['topics'];
  namespace?: string;
  /** Begin after this `seq`, which is of the log `logId`; with what comes from now on where omitted. */
  since?: number;
  logId?: string;
  signal?: AbortSignal;
}

/** What is followed: an event, or that some were missed, for the log no longer has them or is another one. */
export type Followed =
  | { kind: 'event'; event: Event; logId: string }
  | { kind: 'reset'; reason: 'cursor_expired' | 'other_log'; logId: string };

export interface StreamDeps {
  client: Client;
  origin: string;
  key: () => string | undefined;
  retry: RetryPolicy;
  surroundings: Surroundings;
  webSocket: typeof WebSocket;
}

/** Messages that wait for a slow reader at most; then the stream is left, and resumed when they are read. */
const MOST_WAITING = 1000;
const UNAUTHORIZED = 1008;

/**
 * Follows events for as long as it is iterated: what breaks is connected to again, after the last event that was read, so that none is
 * lost or comes twice. Throws `ApiError` where the key may not, and the reason of the signal.
 */
export async function* followEvents(
  deps: StreamDeps,
  follow: Follow,
): AsyncGenerator<Followed, void, undefined> {
  const { signal } = follow;
  let place = follow.since === undefined ? undefined : { since: follow.since, logId: follow.logId };
  for (let failures = 0; ;) {
    if (signal?.aborted) throw reasonOf(signal);
    // Where the stream begins, and whether the key may: a handshake does not say why it was refused.
    const log = await reached(deps, signal);
    place ??= { since: log.newest_seq, logId: log.log_id };
    place.logId ??= log.log_id;
    const socket = openSocket(deps, { ...follow, ...place });
    try {
      for await (const message of messagesOf(socket, signal)) {
        failures = 0;
        if (message.type === 'reset') {
          const { reason, log_id: logId, oldest_seq } = message;
          place = { since: oldest_seq - 1, logId };
          yield { kind: 'reset', reason, logId };
        } else if (message.type === 'error') {
          throw new ApiError({ status: 0, code: 'bad_reply', message: `${message.code}: ${message.detail}` });
        } else if (message.seq > place.since) {
          place.since = message.seq;
          yield { kind: 'event', event: message, logId: place.logId ?? log.log_id };
        }
      }
    } finally {
      socket.close();
    }
    failures += 1;
    await deps.surroundings.pause(
      waitBefore(Math.min(failures, 8), deps.retry, deps.surroundings.random),
      signal,
    );
  }
}

/** Asks until the daemon answers: one that is started again is waited for, however long that takes. */
async function reached({ client, retry, surroundings }: StreamDeps, signal: AbortSignal | undefined) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client(listEvents, { query: { limit: 1 } }, signal && { signal });
    } catch (cause) {
      const isPassing =
        cause instanceof ApiError && (cause.status === 0 || cause.status >= 500 || cause.status === 429);
      if (!isPassing) throw cause;
    }
    await surroundings.pause(waitBefore(Math.min(attempt, 8), retry, surroundings.random), signal);
  }
}

function openSocket(
  { origin, key, webSocket }: StreamDeps,
  { topics, namespace, since, logId }: Omit<Follow, 'logId'> & { logId: string | undefined },
): WebSocket {
  const query = new URLSearchParams({ since: String(since) });
  if (logId !== undefined) query.set('log_id', logId);
  if (topics !== undefined) query.set('topics', topics.join(','));
  if (namespace !== undefined) query.set('namespace', namespace);
  const bearer = key();
  // Browsers send no header with a handshake; the key goes beside the protocol.
  const protocols = [STREAM_PROTOCOL, ...(bearer === undefined ? [] : [`bearer.${bearer}`])];
  return new webSocket(`${origin.replace(/^http/, 'ws')}/v1/stream?${query.toString()}`, protocols);
}

/** The messages of a socket until it closes. Throws where the key ended, and the reason of the signal. */
async function* messagesOf(
  socket: WebSocket,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamMessage, void, undefined> {
  const waiting: string[] = [];
  let closed: number | undefined;
  let wake = (): void => undefined;
  const abort = (): void => {
    socket.close();
    wake();
  };
  socket.addEventListener('message', ({ data }: { data: unknown }) => {
    if (closed !== undefined || typeof data !== 'string') return;
    waiting.push(data);
    if (waiting.length >= MOST_WAITING) {
      closed = 0;
      socket.close();
    }
    wake();
  });
  socket.addEventListener('close', ({ code }) => {
    closed ??= code;
    wake();
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      if (signal?.aborted) throw reasonOf(signal);
      const text = waiting.shift();
      if (text !== undefined) yield StreamMessage.parse(JSON.parse(text));
      else if (closed === UNAUTHORIZED)
        throw new ApiError({ status: 401, code: 'unauthorized', message: 'The key was revoked or ran out' });
      else if (closed !== undefined) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
