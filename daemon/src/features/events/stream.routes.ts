import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { Caller } from '@reverie/shared/accounts/caller';
import { hasNamesOnly, refuseOutside, refuseWithout } from '@reverie/shared/accounts/narrower-keys';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { inPlainWords } from '@reverie/shared/contract/plain-words';
import { Problem } from '@reverie/shared/contract/problems';
import { route } from '@reverie/shared/contract/route';
import { NOTES_PATH } from '@reverie/shared/contract/sessions/session-sharing';
import {
  STREAM_PROTOCOL,
  streamCloseCodes,
  StreamCommand,
  type StreamMessage,
  StreamQuery,
} from '@reverie/shared/contract/events/stream';
import { fieldErrors, invalidRequest, problemOf } from '@reverie/shared/http/problem-reply';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { OpenConnections } from '../../platform/open-connections.ts';
import { tooManyStreams } from '../../platform/open-streams.ts';
import type { StreamHub } from './stream-hub.ts';

/** For the scope check of the handshake; a WebSocket is not in the OpenAPI document's paths. */
const streamRoute = route({
  id: 'stream',
  method: 'GET',
  path: '/stream',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag: 'events',
  summary: 'The live stream of events, by WebSocket',
  query: StreamQuery,
  status: 200,
  response: z.never(),
  problems: [],
});

const STREAM_PATH = `/v1${streamRoute.path}`;
/** Routes that are WebSockets. */
const UPGRADED = [STREAM_PATH, `${NOTES_PATH}/:id`];
const PING = 30_000;
/** How long a client that is told to go may take what it was sent. */
const CLOSING = 5000;
const MAX_MESSAGE = 128 * 1024;

export interface ChannelEvent {
  type: 'channel.publish' | 'channel.subscribe';
  namespace: string;
  after: JsonObject;
}

export interface StreamDeps {
  hub: StreamHub;
  clock: Clock;
  callerOf: (request: FastifyRequest) => Caller;
  connections: Pick<OpenConnections, 'add'>;
  /** Counts a message of a client as a request; throws what refuses it. */
  count: (request: FastifyRequest) => void;
  /** Writes a `channel` event of the caller's. */
  emit: (caller: Caller, event: ChannelEvent) => void;
}

/**
 * Lets a server take WebSockets. Call it before any hook that may refuse a request: the plugin closes the
 * socket of a refused handshake only when its own hook came first, and one left open would hold up a stop.
 */
export async function acceptWebSockets(app: FastifyInstance): Promise<void> {
  // On another path the library would log the address with its query, which may hold a token. From Node 24.9 on
  // such a request does not come here as an upgrade.
  app.addHook('preHandler', async (request) => {
    if (request.ws && !request.is404 && !UPGRADED.includes(request.routeOptions.url ?? ''))
      throw invalidRequest([
        { path: 'Upgrade', message: `is not for this path; the stream is ${STREAM_PATH}` },
      ]);
  });
  await app.register(websocket, {
    options: {
      maxPayload: MAX_MESSAGE,
      // A message a turn: megabytes of small ones that come together would be obeyed in one.
      allowSynchronousEvents: false,
      handleProtocols: (offered) => (offered.has(STREAM_PROTOCOL) ? STREAM_PROTOCOL : false),
    },
  });
}

/** Whether a request that asks for another protocol asks for the stream, or for the notes of a session. */
export function asksForStream({ method, url = '', headers }: IncomingMessage): boolean {
  const path = url.replace(/^https?:\/\/[^/]+/, '').split('?', 1)[0];
  const isOne = path === STREAM_PATH || path?.startsWith(`${NOTES_PATH}/`) === true;
  return method === 'GET' && isOne && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Serves the stream; host, origin, key and scope are checked before the upgrade, as for every request. */
export function streamRoutes(app: FastifyInstance, deps: StreamDeps): Stop {
  const { hub, clock, callerOf } = deps;
  /** What each was asked with the last ping, until it answers. */
  const sockets = new Map<WebSocket, string | undefined>();

  app.route({
    method: 'GET',
    url: STREAM_PATH,
    config: { route: streamRoute },
    preValidation: async (request) => {
      const query = StreamQuery.safeParse(request.query, { error: inPlainWords });
      if (!query.success) throw invalidRequest(fieldErrors(query.error));
      if (request.ws && !hub.hasRoom(callerOf(request).account)) throw tooManyStreams();
    },
    handler: async () => {
      throw invalidRequest([{ path: 'Upgrade', message: 'is missing: connect to the stream by WebSocket' }]);
    },
    wsHandler: (socket, request) => {
      const caller = callerOf(request);
      // A connection that breaks is closed by the library; the client resumes with `since`.
      socket.on('error', (err) => request.log.debug({ err }, 'a stream broke'));
      const end = (code: number, reason: string) => {
        socket.close(code, reason);
        // The library waits for half a minute, and holds what was not taken as long.
        const timer = clock.every(CLOSING, () => socket.terminate());
        socket.once('close', () => timer.stop());
      };
      // Many handshakes at once may have come past the check before the first of them was added.
      if (!hub.hasRoom(caller.account))
        return end(streamCloseCodes.behind, 'This account has too many streams open');
      sockets.set(socket, undefined);
      const query = StreamQuery.parse(request.query);
      const subscription = hub.add({
        account: caller.account,
        readable: caller.readable,
        within: caller.within,
        namesOnly: hasNamesOnly(caller),
        query,
        socket: {
          send: (bytes, taken) => socket.send(bytes, { binary: false }, taken),
          buffered: () => socket.bufferedAmount,
          close: (reason) => end(streamCloseCodes[reason], reason),
          drop: () => socket.terminate(),
        },
      });
      const permit = deps.connections.add({ caller, end: subscription.refuse });
      answering(socket, request, () => tellSubscribed(deps, caller, query));
      // Only what answers our question: who reads nothing can send answers, too.
      socket.on('pong', (said) => {
        if (sockets.get(socket) === said.toString()) sockets.set(socket, undefined);
      });
      socket.on('message', (data: Buffer) => {
        // What came before it was closed may be told behind that.
        if (socket.readyState !== socket.OPEN || !permit.mayGoOn()) return;
        answering(socket, request, () => {
          deps.count(request);
          obey(deps, caller, data.toString('utf8'));
        });
      });
      socket.on('close', () => {
        permit.release();
        subscription.remove();
        sockets.delete(socket);
      });
    },
  });

  const heartbeat = clock.every(PING, () => {
    for (const [socket, asked] of sockets) {
      if (asked !== undefined) socket.terminate();
      else {
        const question = randomUUID();
        sockets.set(socket, question);
        socket.ping(question);
      }
    }
  });
  return () => {
    heartbeat.stop();
    hub.closeAll();
    for (const socket of sockets.keys()) socket.terminate();
  };
}

/** What a client sent, or did by connecting; what fails is told to it, and the stream goes on. */
function answering(socket: WebSocket, request: FastifyRequest, run: () => void): void {
  try {
    run();
  } catch (cause) {
    const { code, message } = problemOf(cause, request);
    socket.send(JSON.stringify({ type: 'error', code, detail: message } satisfies StreamMessage));
  }
}

/** Obeys a message of a client. Throws a problem where it is wrong, or may not be. */
function obey(deps: StreamDeps, caller: Caller, text: string): void {
  const command = StreamCommand.safeParse(parseJson(text), { error: inPlainWords });
  if (!command.success) throw invalidRequest(fieldErrors(command.error));
  if (caller.key.scope === 'read')
    throw new Problem('forbidden_scope', 'Publishing needs a key of scope write');
  refuseWithout(caller.key, 'set');
  const { channel, namespace, payload } = command.data;
  refuseOutside(caller, namespace);
  deps.emit(caller, { type: 'channel.publish', namespace, after: { channel, payload } });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('invalid_json', 'A message has to be one JSON object', { cause });
  }
}

/** Who asks for channels by name is seen by the others there; who follows everything is not. */
function tellSubscribed(
  deps: StreamDeps,
  caller: Caller,
  { topics, namespace = 'default' }: StreamQuery,
): void {
  if (!topics?.some((topic) => topic === 'channel' || topic.startsWith('channel.'))) return;
  // In a namespace that it does not have, nobody hears of it.
  if (!caller.readable(namespace)) return;
  deps.emit(caller, { type: 'channel.subscribe', namespace, after: { topics, name: caller.key.name } });
}
