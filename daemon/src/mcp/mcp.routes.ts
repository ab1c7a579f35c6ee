import { Readable } from 'node:stream';
import { createMcpHandler, isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';
import type { Caller } from '@reverie/shared/accounts/caller';
import { createClient } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import { route } from '@reverie/shared/contract/route';
import { problemOf, sendProblem } from '@reverie/shared/http/problem-reply';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Log } from '../platform/log.ts';
import type { OpenConnections, Permit } from '../platform/open-connections.ts';
import { within } from '../platform/within.ts';
import {
  isSessionThatShowsApps,
  newSessionThatShowsApps,
  saysItShowsApps,
  SESSION_HEADER,
} from './tools/apps.ts';
import { type McpRefusal, readMessage, refuseText } from './door.ts';
import { PROJECT_HEADER, scopeOf } from './scope.ts';
import { createMcpServer, toolSetsOf } from './server.ts';

export const MCP_PATH = '/mcp';
/** Names another account, which only the machine's owner may. */
const ACCOUNT_HEADER = 'x-reverie-account';
/** A memory has a mebibyte at most, and JSON may escape each byte of it. */
const BODY_LIMIT = 8 * 1024 * 1024;

/** What a key needs to be let in; what its tools need is asked by the routes that they call. */
const endpoint = route({
  id: 'mcp',
  method: 'POST',
  path: MCP_PATH,
  scope: 'read',
  reach: 'nothing',
  tag: 'agents',
  summary: 'Model Context Protocol, streamable HTTP: revisions 2026-07-28 and 2025',
  status: 200,
  response: z.unknown(),
  problems: [],
});

export interface McpDeps {
  callerOf: (request: FastifyRequest) => Caller;
  connections: Pick<OpenConnections, 'add'>;
  log: Log;
  /** Of this program. */
  version: string;
  /** In tests, what stands in place of the server: the fixtures of the conformance suite. */
  fixture?: (() => McpServer) | undefined;
}

/**
 * Serves MCP at `/mcp`. Its tools call the daemon's own routes with the key of who asks, so that scopes, narrower keys, quotas and
 * validation are those of every other request. Answers how to end what is open.
 */
export function serveMcp(
  http: FastifyInstance,
  { callerOf, connections, log, version, fixture }: McpDeps,
): () => Promise<void> {
  const handler = createMcpHandler(
    ({ requestInfo, authInfo }) => {
      if (fixture) return fixture();
      if (!requestInfo || !authInfo) throw new Error('MCP was served without its request');
      const url = new URL(requestInfo.url);
      return createMcpServer(
        {
          client: createClient({
            origin: '',
            key: () => authInfo.token,
            ...accountOf(requestInfo.headers.get(ACCOUNT_HEADER)),
            fetch: within(http, { host: requestInfo.headers.get('host') ?? '', ip: authInfo.clientId }),
          }),
          scope: scopeOf(url, requestInfo.headers.get(PROJECT_HEADER)),
          agent: agentOf(authInfo.scopes),
          // A request stands for itself: what a client calls its session is not sent in the newer revision.
          session: null,
          showsApps: authInfo.extra?.['showsApps'] === true,
        },
        { tools: toolsOf(url), version },
      );
    },
    { onerror: (err) => log.warn({ err }, 'an MCP request was not served') },
  );
  http.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    ...(fixture === undefined && { config: { route: endpoint } }),
    bodyLimit: BODY_LIMIT,
    errorHandler(error, request, reply) {
      const problem = problemOf(error, request);
      // Neither was read, so that nobody knows of which request it is.
      const isUnread = problem.code === 'invalid_request' && request.body === undefined;
      if (problem.code === 'invalid_json' || isUnread) sendRefusal(reply, refuseText(problem.message));
      else sendProblem(reply, problem);
    },
    handler: async (request, reply) => {
      const read = request.method === 'POST' ? readBody(request.body) : { body: undefined };
      if ('refusal' in read) return sendRefusal(reply, read.refusal);
      const { body } = read;
      const asked = new Request(new URL(request.url, `http://${request.headers.host ?? 'localhost'}`), {
        method: request.method,
        headers: headersOf(request),
        ...(request.method === 'POST' && { body: JSON.stringify(body) }),
      });
      refuseWrongAddress(asked);
      const saysIt = saysItShowsApps(body);
      const response = await handler.fetch(asked, {
        parsedBody: body,
        ...(fixture === undefined && {
          authInfo: {
            token: request.headers.authorization?.slice('Bearer '.length) ?? '',
            // The SDK passes them on as they are: the address for limits, the name for messages, and what it shows.
            clientId: request.ip,
            scopes: [callerOf(request).key.name],
            extra: { showsApps: saysIt || isSessionThatShowsApps(request.headers[SESSION_HEADER]) },
          },
        }),
      });
      if (fixture === undefined && saysIt && isInitializeRequest(body) && response.ok)
        reply.header(SESSION_HEADER, newSessionThatShowsApps());
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (!isStream || fixture !== undefined) return send(reply, response);
      const permit = connections.add({ caller: callerOf(request), end: () => reply.raw.destroy() });
      reply.raw.once('close', () => permit.release());
      return send(reply, response, permit);
    },
  });
  return () => handler.close();
}

/** A body is one message, or several that are sent together by clients of before 2025-06-18. */
function readBody(body: unknown): { body: unknown } | { refusal: McpRefusal } {
  const isBatch = Array.isArray(body) && body.length > 0;
  const read = (isBatch ? body : [body]).map(readMessage);
  const refused = read.find((one) => 'refusal' in one);
  if (refused) return refused;
  const messages = read.flatMap((one) => ('message' in one ? [one.message] : []));
  return { body: isBatch ? messages : messages[0] };
}

/** Answers as the transport of the protocol does what is no message of it. */
function sendRefusal(reply: FastifyReply, refusal: McpRefusal): FastifyReply {
  return reply.status(400).type('application/json; charset=utf-8').send(JSON.stringify(refusal));
}

const toolsOf = (url: URL) => toolSetsOf(url.searchParams.get('tools') ?? 'core');

function refuseWrongAddress(asked: Request): void {
  try {
    const url = new URL(asked.url);
    scopeOf(url, asked.headers.get(PROJECT_HEADER));
    toolsOf(url);
  } catch (cause) {
    throw new Problem('invalid_request', cause instanceof Error ? cause.message : String(cause));
  }
}

function agentOf([name = 'agent']: readonly string[]): string {
  return name;
}

function headersOf({ headers }: FastifyRequest): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length')
      copied.set(name, Array.isArray(value) ? value.join(', ') : value);
  return copied;
}

/** The account that is asked about, as every route takes it. */
function accountOf(account: string | null): { account?: string } {
  return account === null ? {} : { account };
}

async function send(reply: FastifyReply, response: Response, permit?: Permit): Promise<FastifyReply> {
  reply.status(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (response.body === null) return reply.send('');
  const body = Readable.fromWeb(response.body);
  return reply.send(permit ? Readable.from(permitted(body, permit)) : body);
}

/** The pieces of a stream, as long as its connection may go on. */
async function* permitted(pieces: AsyncIterable<Uint8Array>, permit: Permit): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (!permit.mayGoOn()) return;
    yield piece;
  }
}
