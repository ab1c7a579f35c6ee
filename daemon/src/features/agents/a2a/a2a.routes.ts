import { randomUUID } from 'node:crypto';
import type { Caller } from '@reverie/shared/accounts/caller';
import { createClient } from '@reverie/shared/client';
import { route } from '@reverie/shared/contract/route';
import { problemOf, sendProblem } from '@reverie/shared/http/problem-reply';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Store } from '../../../db/open-store.ts';
import type { OpenConnections } from '../../../platform/open-connections.ts';
import { within } from '../../../platform/within.ts';
import { type OpenStreams, tooManyStreams } from '../../../platform/open-streams.ts';
import { A2A_PATH, agentCard, tagOf } from './card.ts';
import type { DreamWaiters } from './waiting.ts';

/** Questions and instructions are short; what is longer is refused before it is read. */
const BODY_LIMIT = 256 * 1024;
/** Seconds that a card may be kept: it changes with the program. */
const CARD_MAX_AGE = 3600;

/** What a key needs to be let in; what its calls need is asked by the routes that they go to. */
const endpoint = route({
  id: 'a2a',
  method: 'POST',
  path: '/a2a',
  scope: 'read',
  reach: 'nothing',
  tag: 'agents',
  summary: 'Agent2Agent 1.0, JSON-RPC; /.well-known/agent-card.json describes it',
  status: 200,
  response: z.unknown(),
  problems: [],
});

export interface A2aDeps {
  store: Store;
  callerOf: (request: FastifyRequest) => Caller;
  connections: Pick<OpenConnections, 'add'>;
  /** Whether a dream of the caller is over. */
  isOver: (caller: Caller, job: string) => boolean;
  /** Where calls wait for a dream. */
  waiting: DreamWaiters;
  /** Calls that are answered: each may wait for a dream. */
  calls: OpenStreams;
  card: { version: string; sandboxKey: string | undefined };
}

/** Serves the agent card and, behind it, A2A over JSON-RPC. */
export function serveA2a(
  http: FastifyInstance,
  { store, callerOf, connections, isOver, waiting, calls, card }: A2aDeps,
): void {
  for (const prefix of ['', '/v1'])
    http.get(`${prefix}/.well-known/agent-card.json`, (request, reply) => {
      const body = JSON.stringify(agentCard({ origin: `${request.protocol}://${request.host}`, ...card }));
      const tag = tagOf(body);
      reply
        .header('Cache-Control', `public, max-age=${CARD_MAX_AGE}`)
        .header('ETag', tag)
        .header('Vary', 'Host');
      if (request.headers['if-none-match'] === tag) return reply.status(304).send();
      return reply.type('application/json; charset=utf-8').send(body);
    });
  http.route({
    method: 'POST',
    url: A2A_PATH,
    config: { route: endpoint },
    bodyLimit: BODY_LIMIT,
    errorHandler(error, request, reply) {
      sendRefusal(error, request, reply);
    },
    handler: async (request, reply) => {
      const close = calls.open(callerOf(request).key.account);
      if (!close) throw tooManyStreams();
      reply.raw.once('close', close);
      // Loaded when it is asked for: most installations never are.
      const { answerCall } = await import('./rpc.ts');
      const account = request.headers['x-reverie-account'];
      const client = createClient({
        origin: '',
        key: () => request.headers.authorization?.slice('Bearer '.length),
        ...(typeof account === 'string' && { account }),
        fetch: within(http, { host: request.headers.host ?? '', ip: request.ip }),
      });
      const caller = callerOf(request);
      // A call may wait for a dream: it waits no longer than its key works.
      const gone = new AbortController();
      const permit = connections.add({ caller, end: () => gone.abort() });
      reply.raw.once('close', () => {
        permit.release();
        gone.abort();
      });
      const answer = await answerCall(
        { store, client, caller, waiting, isOver },
        { body: request.body, version: versionOf(request), gone: gone.signal, newId: randomUUID },
      );
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

function versionOf({ headers, query }: FastifyRequest): string {
  const header = headers['a2a-version'];
  if (typeof header === 'string') return header;
  const asked = z.looseObject({ 'A2A-Version': z.string() }).safeParse(query);
  return asked.success ? asked.data['A2A-Version'] : '';
}

/** A body that is no JSON is answered as JSON-RPC says; whoever is not let in, as everywhere. */
function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request);
  if (problem.code !== 'invalid_json') return sendProblem(reply, problem);
  return reply
    .status(200)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: problem.message } }));
}
