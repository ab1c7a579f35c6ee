import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Problem } from '../contract/problems.ts';
import { PROBLEM_TYPE, problemBody } from './problem-reply.ts';
import { headersOf } from './server.ts';

/** Says why a request is refused before anything is done for it, and with which further headers; undefined lets it through. */
export type Shed = (
  request: IncomingMessage,
) => { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> } | undefined;

/**
 * Puts a short way to "no" before the server's routes and hooks, so that a flood of requests costs those who may ask
 * as little as can be. Call it once the server is made; requests of further servers have to be emitted on this one.
 */
export function shedFirst(app: FastifyInstance, shed: Shed): void {
  const { server } = app;
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = shed(request);
    if (!refusal) return app.routing(request, response);
    const { problem, headers } = refusal;
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
  });
}
