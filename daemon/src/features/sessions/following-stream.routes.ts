import { Readable } from 'node:stream';
import type { Caller } from '@reverie/shared/accounts/caller';
import { route } from '@reverie/shared/contract/route';
import { SESSION_STREAM_PATH } from '@reverie/shared/contract/sessions/sessions';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Stop } from '../../platform/clock.ts';
import type { OpenConnections, Permit } from '../../platform/open-connections.ts';
import { type OpenStreams, tooManyStreams } from '../../platform/open-streams.ts';
import type { SessionsDeps } from './deps.ts';
import { pageOfEntries } from './entries.service.ts';
import { reachesSession, sessionOf } from './sessions.service.ts';

export interface SessionStreamDeps extends SessionsDeps {
  callerOf: (request: FastifyRequest) => Caller;
  connections: Pick<OpenConnections, 'add'>;
  streams: OpenStreams;
  /** Calls back after each commit that wrote into a session, until it is stopped. */
  onWritten: (session: string, run: () => void) => Stop;
}

/** For the scope check; what streams is no JSON, and not in the OpenAPI document's paths. */
const streamRoute = route({
  id: 'session_stream',
  method: 'GET',
  path: SESSION_STREAM_PATH,
  scope: 'read',
  reach: { can: ['read'], filtered: true },
  tag: 'sessions',
  summary: 'The entries of a session as they come, as server-sent events',
  params: z.strictObject({ id: z.string().min(1).max(64) }),
  status: 200,
  response: z.never(),
  problems: ['session_not_found'],
});

/** A sign of life so often, ms: what stands between may close what is silent. */
const QUIET = 15_000;
const PAGE = 100;

/**
 * Serves a session's entries as they come, as server-sent events: `id` is the `seq` of each, and who comes again says the last one in
 * `Last-Event-ID`. Without it the stream begins with what comes next.
 */
export function sessionStreamRoutes(app: FastifyInstance, deps: SessionStreamDeps): void {
  const open = new Set<AbortController>();
  // They would hold up a stop otherwise.
  app.addHook('preClose', async () => {
    for (const one of open) one.abort();
  });
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: `/v1${SESSION_STREAM_PATH.replace('{id}', ':id')}`,
    config: { route: streamRoute },
    handler: async (request, reply) => {
      const caller = deps.callerOf(request);
      const { id } = request.params;
      const session = deps.store.read((db) => sessionOf(db, caller, id));
      const last = Number(request.headers['last-event-id'] ?? NaN);
      const since = Number.isSafeInteger(last) && last >= 0 ? last : session.seq;
      const close = deps.streams.open(caller.key.account);
      if (!close) throw tooManyStreams();
      const gone = new AbortController();
      open.add(gone);
      const permit = deps.connections.add({
        caller,
        reaches: () => reachesSession(deps, caller, id),
        end: () => gone.abort(),
      });
      reply.raw.once('close', () => {
        open.delete(gone);
        permit.release();
        close();
        gone.abort();
      });
      return reply
        .type('text/event-stream; charset=utf-8')
        .send(Readable.from(events(deps, { caller, id, since, permit, gone: gone.signal })));
    },
  });
}

async function* events(
  deps: SessionStreamDeps,
  {
    caller,
    id,
    since,
    permit,
    gone,
  }: { caller: Caller; id: string; since: number; permit: Permit; gone: AbortSignal },
): AsyncGenerator<string> {
  let from = since;
  let wake: (() => void) | undefined;
  let isOwed = true;
  const stop = deps.onWritten(id, () => {
    permit.mayGoOn();
    isOwed = true;
    wake?.();
  });
  const end = () => wake?.();
  gone.addEventListener('abort', end);
  try {
    yield ': here\n\n';
    while (!gone.aborted && permit.mayGoOn()) {
      while (isOwed && permit.mayGoOn()) {
        isOwed = false;
        await turnOfOnesOwn();
        if (gone.aborted) return;
        const page = pageOfEntries(deps, caller, { id, since: from, text: 'start', limit: PAGE });
        for (const entry of page.entries) {
          if (gone.aborted) return;
          yield `id: ${entry.seq}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`;
          from = entry.seq;
        }
        if (page.entries.length > 0 && from < page.seq) isOwed = true;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, QUIET).unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (!isOwed && !gone.aborted) yield ': quiet\n\n';
    }
  } finally {
    stop();
    gone.removeEventListener('abort', end);
  }
}
