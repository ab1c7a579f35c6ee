import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { Problem } from '../contract/problems.ts';
import { tooLargeToParse } from './json-size.ts';
import { invalidRequest, PROBLEM_TYPE, problemBody, problemOf, sendProblem } from './problem-reply.ts';
import { type BodyPace, cutSlowBodies } from './slow-bodies.ts';

export interface ServerOptions {
  log: FastifyBaseLogger;
  https?: { cert: string; key: string } | undefined;
  /** Behind a proxy: the caller's address is the last one of `X-Forwarded-For`, which the proxy itself wrote. */
  trustProxy?: boolean;
  /** Further headers of what is refused before any hook runs, by the caller's address. */
  earlyHeaders: (address: string) => Record<string, string>;
  /** How slowly bodies may come. */
  bodies?: BodyPace;
}

/** The guard answers a missing `Host` like anything else that is refused. */
export const nodeOptions = { requireHostHeader: false } as const;

/** What every response carries. */
export function headersOf(requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  };
}

/** Answers what is hardly HTTP, on the bare socket, in the form of all other refusals. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, early: Record<string, string>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request'];
  const id = randomUUID();
  const body = problemBody(new Problem('invalid_request', `This is not a request: ${reason}`), id, status);
  const headers = {
    ...headersOf(id),
    ...early,
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** A fastify server with our replies: problems, request ids, JSON that has to be UTF-8. */
export function createServer({
  log,
  https,
  trustProxy = false,
  earlyHeaders,
  bodies,
}: ServerOptions): FastifyInstance {
  const options: FastifyServerOptions = {
    loggerInstance: log,
    // Our own request log leaves out query strings, which may hold what is searched for.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // One hop: what stands further left in the header was written by the caller, who may say anything.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    routerOptions: { maxParamLength: 2048 },
    // Routes are parsed by their contract and answer JSON text: fastify's own compilers (ajv and the like) would only be loaded.
    schemaController: {
      compilersFactory: {
        buildValidator: (() => () => () => true) as never,
        buildSerializer: () => () => JSON.stringify,
      },
    },
    frameworkErrors(error, request, reply) {
      reply.headers({ ...headersOf(request.id), ...earlyHeaders(request.ip) });
      sendProblem(reply, problemOf(error, request));
    },
    clientErrorHandler: (error, socket) =>
      refuseBytes(error, socket, earlyHeaders(socket.remoteAddress ?? '')),
  };
  const app = (
    https
      ? fastify({ ...options, https: { ...nodeOptions, ...https } } as never)
      : fastify({ ...options, http: nodeOptions })
  ) as FastifyInstance;

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.id));
  });
  app.addHook('onSend', async (request, reply) => {
    // How long the answer of a contract route took to make: what a slow client waits for is not in it.
    if (request.routeOptions.config.route)
      reply.header('Server-Timing', `total;dur=${reply.elapsedTime.toFixed(2)}`);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { id, method, routeOptions } = request;
    const ms = reply.elapsedTime;
    request.log.debug({ id, method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered');
  });
  app.setErrorHandler((error, request, reply) => sendProblem(reply, problemOf(error, request)));
  parseJson(app);
  passFiles(app);
  cutSlowBodies(app, bodies);
  return app;
}

function parseJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'ignore');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(new Problem('invalid_json', 'The body is not UTF-8; send JSON in UTF-8'));
    const tooLarge = tooLargeToParse(body);
    if (tooLarge !== undefined) return done(invalidRequest([{ path: '', message: tooLarge }]));
    const text = body.toString('utf8');
    return parse(request, text, (cause, parsed) =>
      cause ? done(new Problem('invalid_json', whyNotJson(text), { cause })) : done(null, parsed),
    );
  });
}

/** Hands the bytes of a file to the routes that take one, unread: to any other they are no body. */
function passFiles(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', (request, body, done) => {
    if (request.routeOptions.config.route?.takes === 'file') done(null, body);
    else
      done(
        new Problem(
          'unsupported_media_type',
          'Send the body as JSON with the header Content-Type: application/json',
        ),
      );
  });
}

/** What is wrong with a body, and where: fastify's parser only says that something is. */
function whyNotJson(text: string): string {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const said = (cause as SyntaxError).message
      .replace(/, (.*) is not valid JSON$/s, ' in $1')
      .replace(/ is not valid JSON$/, '')
      .replace(/ in JSON at /, ' at ')
      .replace(/of JSON input$/, 'of the body');
    return `The body is not valid JSON: ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  }
  return 'The body has a field named `__proto__`, or a `constructor` with a `prototype`; such names are refused';
}

/** The methods that are served at each path, gathered while routes are mounted: make it before them. */
export function servedMethods(app: FastifyInstance): (path: string) => string[] {
  const paths = new Map<string, { form: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const known = paths.get(url);
    const form = known?.form ?? new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    paths.set(url, { form, methods: new Set([...(known?.methods ?? []), ...[method].flat()]) });
  });
  return (path) =>
    [...paths.values()].filter(({ form }) => form.test(path)).flatMap(({ methods }) => [...methods]);
}

/** Answers 405 with `Allow` for a known path; what is not known goes to `otherwise`, which may serve a page. */
export function answerUnknown(
  app: FastifyInstance,
  served: (path: string) => string[],
  otherwise: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const allowed = served(path);
    if (allowed.length > 0) {
      const list = allowed.join(', ');
      throw new Problem(
        'method_not_allowed',
        `${request.method} is not served at ${path}; allowed: ${list}`,
        {
          headers: { Allow: list },
        },
      );
    }
    return otherwise(request, reply);
  });
}
