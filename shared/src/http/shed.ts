import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Problem } from '../contract/problems.ts';
import { PROBLEM_TYPE, problemBody } from './problem-reply.ts';
import { headersOf } from './server.ts';
import { hasBody } from './slow-bodies.ts';

/** A refusal that is answered before anything is done for a request, and further headers of it. */
export interface ShedRefusal {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/** Says why a request is refused before anything is done for it; undefined lets it through. */
export type Shed = (request: IncomingMessage) => ShedRefusal | undefined;

export interface ShedPace {
  /** How long a refusal is held back, ms, while nothing more is read of its connection. */
  holdMs?: number;
  /** Refusals that are held back at a time; the connections of all others are cut without an answer. */
  mostHeld?: number;
  /**
   * Which requests that ask for another protocol get it (Node 24.9 on); none unless given. All others are answered like
   * any request, with the body that came with them: Java's client offers `h2c` with everything that it sends.
   */
  upgrades?: (request: IncomingMessage) => boolean;
}

interface Held {
  timer: NodeJS.Timeout;
  /** Whether more came behind it, which is never answered. */
  hasMore: boolean;
  answer(): void;
}

/**
 * Puts a short way to "no" before the server's routes and hooks, so that a flood of requests costs those who may ask
 * as little as can be. The "no" comes late, for who floods sends the next request when it has the answer of the last; who
 * does not wait for it is heard no more, and cut off. Call it once the server is made; requests of further servers have to be emitted on this one.
 */
export function shedFirst(
  app: FastifyInstance,
  shed: Shed,
  { holdMs = 1000, mostHeld = 500, upgrades = () => false }: ShedPace = {},
): void {
  const { server } = app;
  const held = new Map<Socket, Held>();
  let stopping = false;

  function hold(socket: Socket, answer: (hasMore: boolean) => void): void {
    const release = () => {
      const hasMore = held.get(socket)?.hasMore === true;
      held.delete(socket);
      socket.off('close', gone);
      answer(hasMore);
    };
    const timer = setTimeout(release, holdMs);
    const gone = () => {
      clearTimeout(timer);
      held.delete(socket);
    };
    socket.once('close', gone);
    // Not at once: Node reads on by itself when it has come to the end of this request.
    process.nextTick(() => held.has(socket) && socket.pause());
    held.set(socket, { timer, hasMore: false, answer: release });
  }

  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Sent behind a refused request, before the connection was not read any more. To cut it now would only bring the next one.
    const before = held.get(socket);
    if (before) {
      before.hasMore = true;
      return;
    }
    const refusal = shed(request);
    if (!refusal) return app.routing(request, response);
    if (stopping || holdMs === 0) return refuse(request, response, refusal);
    if (held.size >= mostHeld) return void socket.destroy();
    hold(socket, (hasMore) => {
      // What was sent behind it meanwhile is never read: hundreds of requests may have piled up.
      if (hasBody(request)) socket.resume();
      if (hasMore || !hasBody(request)) response.shouldKeepAlive = false;
      refuse(request, response, refusal);
    });
  });
  // To an expectation that it does not know, Node would answer 417 by itself, with none of our headers.
  server.on('checkExpectation', (...asked: unknown[]) => void server.emit('request', ...asked));
  Object.assign(server, {
    // Who is refused anyway is refused as a request, for an upgrade goes past all of the above.
    shouldUpgradeCallback: (request: IncomingMessage) =>
      server.listenerCount('upgrade') > 0 && upgrades(request) && !held.has(request.socket) && !shed(request),
  });
  app.addHook('preClose', async () => {
    stopping = true;
    for (const { timer, answer } of [...held.values()]) {
      clearTimeout(timer);
      answer();
    }
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, { problem, headers }: ShedRefusal): void {
  const id = randomUUID();
  const body = problemBody(problem, id);
  // The body of the request, if there is one, is not waited for.
  request.resume();
  response.writeHead(problem.status, {
    ...headersOf(id),
    ...problem.headers,
    ...headers,
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
