import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { inPlainWords } from '../contract/plain-words.ts';
import { Problem } from '../contract/problems.ts';
import type { Parsed, Reply, Route } from '../contract/route.ts';
import { turnOfOnesOwn } from '../time/turns.ts';
import { cutIfUntaken } from './heavy.ts';
import { namesOnlyIn } from './names-only.ts';
import { fieldErrors, invalidRequest } from './problem-reply.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's route that is served here. */
    route?: Route;
  }
}

/** A reply that is written piece by piece: pieces of one document, which is JSON where no other type is said. */
export class Streamed {
  readonly pieces: AsyncIterable<string>;
  readonly type: string;
  constructor(pieces: AsyncIterable<string>, type = 'application/json; charset=utf-8') {
    this.pieces = pieces;
    this.type = type;
  }
}

/** A reply that is text, not JSON, such as metrics. */
export class PlainText {
  readonly text: string;
  readonly type: string;
  constructor(text: string, type: string) {
    this.text = text;
    this.type = type;
  }
}

/** A reply that is a file, read while it is sent; who has it by its `etag` is told so and gets nothing. */
export class FileReply {
  readonly open: () => Readable;
  readonly about: {
    type: string;
    /** Bytes. */
    size: number;
    etag: string;
    headers: Readonly<Record<string, string>>;
  };
  constructor(open: () => Readable, about: FileReply['about']) {
    this.open = open;
    this.about = about;
  }
}

/** What of an idempotent request decides whether it was made before. */
export interface Once {
  route: string;
  key: string;
  bodyHash: Buffer;
}

export interface MountOptions<Caller> {
  /** Who calls, as the authentication before it found out. Of a public route it is asked by handlers that take a caller only. */
  callerOf: (request: FastifyRequest) => Caller;
  /** Runs a storing handler once for an `Idempotency-Key`, inside one transaction with its record. */
  once: <T>(caller: Caller, request: Once, run: () => T) => T;
  /** Waits until a heavy request of a caller may be begun, or throws that too many wait; it holds its place until the response is closed. */
  heavy?: (caller: Caller, response: ServerResponse, route: Route) => Promise<void>;
  /** Whether a caller is told names of people only, not their e-mail addresses. */
  namesOnly?: (caller: Caller) => boolean;
  /** Holds a parsed request against what its caller's key has; answers both as the handler gets them, or throws what refuses them. */
  admit?: (
    caller: Caller,
    route: Route,
    parsed: Readonly<Record<string, unknown>>,
  ) => { caller: Caller; parsed: Readonly<Record<string, unknown>> };
}

type Answer<R extends Route> = Reply<R> | Streamed | PlainText | FileReply;

type Given<R extends Route, Caller> = Parsed<R> & {
  caller: Caller;
  /** Aborted when the client goes away before it has its reply; watched where a handler takes it. */
  gone: AbortSignal;
};

/**
 * Mounts contract routes: parsing, refusals and replies follow from the route. `complete` adds to a reply what needs no transaction, and so
 * stands outside of the one that an `Idempotency-Key` has; also to one that is answered again.
 */
export type Mount<Caller> = <R extends Route>(
  route: R,
  handle: (request: Given<R, Caller>) => Answer<R> | Promise<Answer<R>>,
  complete?: (reply: Reply<R>, request: Given<R, Caller>) => Promise<Reply<R>>,
) => void;

const DEFAULT_BODY_LIMIT = 8 * 1024 * 1024;
/** Bytes of a body that take long to read: others have their turn before it is looked at, and before anything is done with it. */
const LARGE_BODY = 2 * 1024 * 1024;

/** Makes the `mount` of one server; `paths` are the prefixes below which each route is served. */
export function createMount<Caller>(
  app: FastifyInstance,
  options: MountOptions<Caller>,
  prefixes = ['/v1'],
): Mount<Caller> {
  return (route, handle, complete) => {
    const inNames = options.namesOnly && namesOnlyIn(route.response);
    for (const prefix of prefixes)
      app.route({
        method: route.method,
        url: prefix + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { route },
        bodyLimit: route.bodyLimit ?? DEFAULT_BODY_LIMIT,
        handler: async (request, reply) => {
          const isLarge = Number(request.headers['content-length'] ?? 0) > LARGE_BODY;
          if (isLarge) await turnOfOnesOwn();
          const parsed = parse(route, request);
          if (isLarge) await turnOfOnesOwn();
          const isPublic = route.scope === 'public';
          const admitted = isPublic ? undefined : options.admit?.(options.callerOf(request), route, parsed);
          const given = {
            ...(admitted?.parsed ?? parsed),
            // Asked for where a handler takes it only: what is public may have none.
            get caller() {
              return admitted ? admitted.caller : options.callerOf(request);
            },
            get gone() {
              return goneOf(reply);
            },
          };
          const isHeavy = route.weight === 'heavy' && options.heavy !== undefined;
          if (isHeavy) await options.heavy?.(given.caller, reply.raw, route);
          const run = () => handle(given as never);
          const key = idempotencyKey(route, request);
          const done =
            key === undefined
              ? await run()
              : options.once(given.caller, { route: route.id, key, bodyHash: hashOf(request) }, run);
          const answer = complete ? await complete(done as never, given as never) : done;
          reply.status(route.status);
          if (isHeavy) cutIfUntaken(reply.raw);
          if (answer instanceof Streamed) return reply.type(answer.type).send(Readable.from(answer.pieces));
          if (answer instanceof FileReply) return sendFile(answer, request, reply);
          if (answer instanceof PlainText) return reply.type(answer.type).send(answer.text);
          return reply
            .type('application/json; charset=utf-8')
            .send(
              JSON.stringify(
                inNames && admitted && options.namesOnly?.(admitted.caller) ? inNames(answer) : answer,
              ),
            );
        },
      });
  };
}

function sendFile({ open, about }: FileReply, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const etag = `"${about.etag}"`;
  reply.headers({ ...about.headers, ETag: etag });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  return reply.type(about.type).header('Content-Length', about.size).send(open());
}

function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const check = (): void => {
    if (!raw.writableEnded) gone.abort();
  };
  if (raw.destroyed) check();
  else raw.once('close', check);
  return gone.signal;
}

/** A body may be nested so deep that even naming what is wrong with it exhausts the stack. */
function parseWith(schema: z.ZodType, given: unknown) {
  try {
    const result = schema.safeParse(given, { error: inPlainWords });
    return { data: result.data, errors: result.success ? [] : fieldErrors(result.error) };
  } catch (cause) {
    if (cause instanceof RangeError) throw invalidRequest([{ path: '', message: 'is nested too deeply' }]);
    throw cause;
  }
}

/** Params, query and body by their schemas; throws one problem that names every wrong field. */
function parse(route: Route, request: FastifyRequest): Record<string, unknown> {
  const errors: ReturnType<typeof fieldErrors> = [];
  const parsed: Record<string, unknown> = {};
  if (route.takes === 'file') {
    if (!(request.body instanceof Readable))
      throw new Problem('unsupported_media_type', 'Send the bytes of the file as application/octet-stream');
    parsed['file'] = request.body;
  }
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = route[part];
    if (!schema) continue;
    const given = part === 'body' && request.body === undefined ? {} : request[part];
    const { data, errors: wrong } = parseWith(schema, given);
    parsed[part] = data;
    errors.push(...wrong);
  }
  if (!route.query) {
    for (const name of Object.keys(request.query as object))
      errors.push({ path: name, message: 'is not a parameter of this request' });
  }
  if (!route.body && route.takes === undefined && typeof request.body === 'object' && request.body !== null) {
    for (const name of Object.keys(request.body))
      errors.push({ path: name, message: 'is not a field of this request' });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return parsed;
}

function idempotencyKey(route: Route, request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (route.idempotent !== true || key === undefined) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > 255)
    throw invalidRequest([{ path: 'Idempotency-Key', message: 'must be 1 to 255 characters' }]);
  return key;
}

function hashOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([request.params, request.query, request.body]))
    .digest();
}
