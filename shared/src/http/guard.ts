import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';

export interface GuardOptions {
  /** Names with port that a request may ask for, in lower case, such as `127.0.0.1:7337`. */
  hosts: () => readonly string[];
  /** Origins of the server's own pages. */
  ownOrigins: () => readonly string[];
  /** Foreign origins whose pages may call, from the configuration; matched exactly. */
  corsOrigins: readonly string[];
  /** Told of each request that is refused: it costs its address as much as one that was let in. */
  refused?: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** What a response to a page of another origin carries, so that the page may read it. */
export function corsHeaders(
  origin: string | undefined,
  corsOrigins: readonly string[],
): Record<string, string> {
  if (origin === undefined || !corsOrigins.includes(origin)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers':
      'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After',
  };
}

/**
 * Whether a browser says that a page of another site caused a request, by an image, a frame or a link. No page can make it say otherwise;
 * programs say nothing of it.
 */
export function isOfForeignPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** The parts of a request that say for which host it is. */
export interface NamedTarget extends Partial<Pick<IncomingMessage, 'url' | 'rawHeaders'>> {
  headers: Pick<IncomingHttpHeaders, 'host'>;
}

/** The host that a request names, in lower case, or the refusal of one that names none, or two (RFC 9112, 3.2): whoever stands between may have read the other one. */
export function hostOf({ headers, rawHeaders = [], url = '/' }: NamedTarget): string | Problem {
  const host = headers.host?.toLowerCase();
  if (host === undefined) return new Problem('invalid_request', 'The request has no header `Host`');
  const names = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (names.length > 1) return new Problem('invalid_request', 'The request has more than one header `Host`');
  const isAbsolute = !url.startsWith('/') && url !== '*';
  if (isAbsolute && !isAt(url, host))
    return new Problem(
      'invalid_request',
      'The address of the request names another host than its header `Host`',
    );
  return host;
}

function isAt(address: string, host: string): boolean {
  const scheme = /^https?:\/\//i.exec(address)?.[0];
  if (scheme === undefined || !URL.canParse(address) || !URL.canParse(scheme + host)) return false;
  return new URL(address).host === new URL(scheme + host).host;
}

/** A refusal of a request that a stranger's page may have caused, or undefined. */
export function refusalOf(request: FastifyRequest, options: GuardOptions): Problem | undefined {
  const host = hostOf(request.raw);
  if (host instanceof Problem) return host;
  if (!options.hosts().includes(host))
    return new Problem(
      'invalid_host',
      `This server does not answer to the name ${JSON.stringify(host)}; use ${options.hosts()[0] ?? 'its address'}, or add the name to allowed_hosts`,
    );
  const origin = request.headers.origin;
  if (origin !== undefined && !isAllowed(origin, options))
    return new Problem(
      'foreign_origin',
      `Pages of ${JSON.stringify(origin)} may not call this server; add the origin to cors.origins to allow it`,
    );
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (origin === undefined && changes && request.headers['sec-fetch-site'] === 'cross-site')
    return new Problem('foreign_origin', 'Pages of other sites may not call this server');
  return undefined;
}

function isAllowed(origin: string, options: GuardOptions): boolean {
  return options.ownOrigins().includes(origin) || options.corsOrigins.includes(origin);
}

/**
 * Refuses, on every path and before anything else, requests for another `Host` (DNS rebinding) and from
 * a foreign `Origin`; answers CORS for configured origins only. The checklist is research/conventions F.7.
 */
export function guard(app: FastifyInstance, options: GuardOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    const refusal = refusalOf(request, options);
    if (refusal) {
      options.refused?.(request, reply);
      throw refusal;
    }
    const origin = request.headers.origin;
    reply.headers(corsHeaders(origin, options.corsOrigins));
    if (origin === undefined || !options.corsOrigins.includes(origin)) return;
    if (request.method !== 'OPTIONS') return;
    reply.header('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
    reply.header(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, Idempotency-Key, X-Reverie-Account',
    );
    reply.header('Access-Control-Max-Age', '600');
    return reply.status(204).send();
  });
}

/**
 * Refuses what a page of another site would change: browsers send forms anywhere, and say whose page it was. Programs say nothing of it.
 * For a server that has many names; `publicUrls` are those that it knows of itself, for a proxy may have changed `Host`.
 */
export function refuseForeignForms(app: FastifyInstance, publicUrls: () => readonly string[]): void {
  const isOwn = (origin: string, host: string | undefined) => {
    if (!URL.canParse(origin)) return false;
    const { host: named, origin: own } = new URL(origin);
    return (
      named === host || publicUrls().some((known) => URL.canParse(known) && own === new URL(known).origin)
    );
  };
  app.addHook('onRequest', async ({ method, headers }) => {
    if (method === 'GET' || method === 'HEAD') return;
    const { origin, host, 'sec-fetch-site': site } = headers;
    const isForeign =
      site === undefined
        ? origin !== undefined && !isOwn(origin, host)
        : site !== 'same-origin' && site !== 'none';
    if (isForeign) throw new Problem('foreign_origin', 'Pages of other sites may not call this server');
  });
}
