import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface BodyPace {
  /** What a body may take however small it is, ms. */
  graceMs?: number;
  /** Bytes a second that it has to come with beyond that. */
  bytesPerSecond?: number;
  /** How often is looked, ms. */
  everyMs?: number;
}

interface Awaited {
  readonly socket: Socket;
  readonly since: number;
  /** What the socket had read when its body began. */
  readonly read: number;
}

/**
 * Cuts requests whose body comes too slowly, or never ends, with a 408. Node's own `requestTimeout` would cut what goes on for long,
 * too: here who sends 16 MiB over a slow line has the time that it takes. What is open without a body, as a stream is, is left alone.
 */
export function cutSlowBodies(
  app: FastifyInstance,
  { graceMs = 60_000, bytesPerSecond = 1024, everyMs = 5000 }: BodyPace = {},
): void {
  const { server } = app;
  const awaited = new Map<IncomingMessage, Awaited>();

  function look(): void {
    for (const [request, { socket, since, read }] of awaited) {
      if (request.complete || socket.destroyed) {
        awaited.delete(request);
        continue;
      }
      const allowed = graceMs + ((socket.bytesRead - read) / bytesPerSecond) * 1000;
      if (performance.now() - since <= allowed) continue;
      awaited.delete(request);
      server.emit(
        'clientError',
        Object.assign(new Error('The body of a request came too slowly'), {
          code: 'ERR_HTTP_REQUEST_TIMEOUT',
        }),
        socket,
      );
      socket.destroySoon();
    }
  }

  // Once all is joined: `shedFirst` takes the server's listeners away, and what it refuses has a body, too.
  app.addHook('onReady', async () => {
    server.on('request', (request: IncomingMessage) => {
      if (request.complete || !hasBody(request)) return;
      const { socket } = request;
      awaited.set(request, { socket, since: performance.now(), read: socket.bytesRead });
    });
    const timer = setInterval(look, everyMs);
    timer.unref();
    app.server.once('close', () => clearInterval(timer));
  });
}

/** Whether a request brings a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
