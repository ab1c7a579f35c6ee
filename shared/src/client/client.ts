import { z } from 'zod';
import type { FieldError, ProblemCode } from '../contract/problems.ts';
import type { Received, Route, Sent } from '../contract/route.ts';

/** A reply that says no, or says nothing that can be understood; `message` is for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ProblemCode | 'unreachable' | 'bad_reply';
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;

  constructor(reply: {
    status: number;
    code: ApiError['code'];
    message: string;
    errors?: readonly FieldError[] | undefined;
    requestId?: string | undefined;
    cause?: unknown;
  }) {
    super(reply.message, { cause: reply.cause });
    this.name = 'ApiError';
    this.status = reply.status;
    this.code = reply.code;
    this.errors = reply.errors ?? [];
    this.requestId = reply.requestId;
  }
}

export interface ClientOptions {
  /** Where the server is, without `/v1`: `http://127.0.0.1:7337`; empty for the page's own origin. */
  origin: string;
  /** The bearer key of each request; asked each time, so that it may change. */
  key?: () => string | undefined;
  /** Another account to look after; only an owner key may. */
  account?: string;
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** Calls a route of the contract with what it takes, and answers its parsed reply. Throws `ApiError`. */
export type Client = <R extends Route>(
  route: R,
  sent: Sent<R>,
  options?: CallOptions,
) => Promise<Received<R>>;

const ProblemReply = z.object({
  status: z.int(),
  code: z.string(),
  title: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** The typed client of everything that talks to a daemon or a relay: page, CLI, tests, MCP. */
export function createClient(options: ClientOptions): Client {
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return async (route, sent, call = {}) => {
    const { url, init } = requestOf(route, sent, { ...options, ...call });
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (cause) {
      if (call.signal?.aborted) throw cause;
      throw new ApiError({
        status: 0,
        code: 'unreachable',
        message: `Reverie does not answer at ${options.origin || 'this address'}`,
        cause,
      });
    }
    return (await readReply(route, response, call.signal)) as never;
  };
}

function requestOf(route: Route, sent: unknown, options: ClientOptions & CallOptions) {
  const parts = sent as {
    params?: Record<string, string>;
    query?: Record<string, string | number | boolean | string[] | undefined>;
    body?: unknown;
  };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parts.params?.[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (Array.isArray(value)) for (const one of value) query.append(name, one);
    else if (value !== undefined) query.set(name, String(value));
  }
  const key = options.key?.();
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (route.body) headers['Content-Type'] = 'application/json';
  if (key !== undefined) headers['Authorization'] = `Bearer ${key}`;
  if (options.account !== undefined) headers['X-Reverie-Account'] = options.account;
  if (options.idempotencyKey !== undefined) headers['Idempotency-Key'] = options.idempotencyKey;
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return {
    url: `${options.origin}/v1${path}${search}`,
    init: {
      method: route.method,
      headers,
      ...(route.body && { body: JSON.stringify(parts.body) }),
      ...(options.signal && { signal: options.signal }),
    } satisfies RequestInit,
  };
}

async function readReply(
  route: Route,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const isFile = response.ok && route.answers === 'file';
  const text = await (isFile ? response.blob() : response.text()).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      message: `The answer to ${route.method} ${route.path} broke off before its end`,
      requestId,
      cause,
    });
  });
  if (text instanceof Blob) return text;
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
  const bad = (message: string, cause?: unknown) =>
    new ApiError({ status: response.status, code: 'bad_reply', message, requestId, cause });
  let body: unknown = text;
  if (isJson) {
    try {
      body = JSON.parse(text);
    } catch (cause) {
      throw bad(`The answer to ${route.method} ${route.path} is not valid JSON`, cause);
    }
  }
  if (!response.ok) {
    const problem = ProblemReply.safeParse(body);
    if (!problem.success) throw bad(`${route.method} ${route.path} failed with status ${response.status}`);
    throw new ApiError({
      status: response.status,
      code: problem.data.code as ProblemCode,
      message: problem.data.detail ?? problem.data.title,
      errors: problem.data.errors,
      requestId,
    });
  }
  const parsed = route.response.safeParse(body);
  if (!parsed.success)
    throw bad(
      `The answer to ${route.method} ${route.path} is not of the expected shape; client and daemon may differ in version`,
      parsed.error,
    );
  return parsed.data;
}
