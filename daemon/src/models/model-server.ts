import { retryAfter } from '@reverie/shared/contract/retry-after';
import type { Clock } from '../platform/clock.ts';
import { type Breaker, createBreaker, type ServerState } from './breaker.ts';
import { ModelFailure } from './language-model.ts';

export interface ServerDeps {
  /** Such as http://127.0.0.1:11434/v1; nothing else is ever asked. */
  baseUrl: string;
  /** Looked up before each request; it may be missing. */
  key: () => Promise<string | undefined>;
  clock: Pick<Clock, 'now'>;
  random?: () => number;
  /** Whether an answer of no use is a failure of the server: of one that embeds, not of one that talks. */
  garbageIsFailure?: boolean;
}

/** An OpenAI-compatible server: asked with time limits, left alone for a while when it fails. */
export interface ModelServer {
  /** Runs one request, unless the server is left alone at present; rejects with a `ModelFailure` only. */
  ask<T>(
    limits: { timeoutMs: number; signal?: AbortSignal | undefined },
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** `fetch` for addresses below the base, without redirects, with the key, and with replies of so many bytes at most (32 MiB). */
  fetch(address: string, init: RequestInit, longest?: number): Promise<Response>;
  /** Milliseconds until it may be asked again. */
  wait(): number;
  state(): ServerState;
}

const LONGEST_REPLY = 32 * 1024 * 1024;

export function createModelServer({
  baseUrl,
  key,
  clock,
  random = Math.random,
  garbageIsFailure = false,
}: ServerDeps): ModelServer {
  const base = baseUrl.replace(/\/+$/u, '');
  const breaker = createBreaker({ now: clock.now, random });
  return {
    async ask({ timeoutMs, signal }, run) {
      const wait = breaker.wait();
      if (wait > 0)
        throw new ModelFailure(
          'unreachable',
          `the model server is left alone for ${Math.ceil(wait / 1000)} s more: ${breaker.state().error ?? 'it failed'}`,
        );
      // A keychain may take a while; that is not the server's time.
      await key().catch((cause: unknown) => {
        const said = `the key of the model server cannot be read: ${(cause as Error).message}`;
        breaker.failed(said, WRONG_KEY);
        throw new ModelFailure('refused', said);
      });
      if (signal?.aborted) throw new ModelFailure('cancelled', 'nobody waits for the answer any more');
      const timeout = AbortSignal.timeout(timeoutMs);
      const from = performance.now();
      try {
        const result = await run(signal ? AbortSignal.any([signal, timeout]) : timeout);
        breaker.succeeded();
        return result;
      } catch (cause) {
        // Who asks may have a time limit, too. A server that had most of its own time until then hangs.
        const ranOut = isTimeUp(signal) && performance.now() - from >= timeoutMs / 2;
        const failure = asFailure(cause, {
          base,
          timeoutMs,
          isTimeout: timeout.aborted || ranOut,
          isCancelled: signal?.aborted === true && !ranOut,
        });
        if (garbageIsFailure && failure.kind === 'garbage') breaker.failed(failure.message);
        else note(breaker, failure, cause);
        throw failure;
      }
    },
    async fetch(address, init, longest = LONGEST_REPLY) {
      if (address !== base && !address.startsWith(`${base}/`))
        throw new ModelFailure('refused', 'only the address that is configured is asked');
      const headers = new Headers(init.headers);
      const secret = await key();
      if (secret !== undefined) headers.set('authorization', `Bearer ${secret}`);
      const response = await fetch(address, { ...init, headers, redirect: 'manual' });
      if (response.status >= 300 && response.status < 400)
        throw new ModelFailure(
          'refused',
          'the model server sends requests elsewhere, which is not followed; set the address that it names',
        );
      return bounded(response, longest);
    },
    wait: breaker.wait,
    state: breaker.state,
  };
}

function isTimeUp(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && (signal.reason as Error | undefined)?.name === 'TimeoutError';
}

/** A reply that breaks off where it gets too long. */
function bounded(response: Response, longest: number): Response {
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      bytes += part.byteLength;
      if (bytes > longest)
        controller.error(
          new ModelFailure('garbage', `the model server answers more than ${longest / 2 ** 20} MiB`),
        );
      else controller.enqueue(part);
    },
  });
  const { status, statusText, headers } = response;
  // What undici has decoded already is not to be decoded again.
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return new Response(response.body?.pipeThrough(limit) ?? null, { status, statusText, headers: plain });
}

/** A reply that says no, with how long it wants to be left alone. */
export class RefusedReply extends Error {
  readonly status: number;
  readonly retryAfterMs: number;

  constructor(status: number, headers: { get(name: string): string | null }, now: number) {
    super(`the model server answered ${status}`);
    this.name = 'RefusedReply';
    this.status = status;
    this.retryAfterMs = retryAfter(headers.get('retry-after'), now) ?? 0;
  }
}

interface Circumstances {
  base: string;
  timeoutMs: number;
  isTimeout: boolean;
  isCancelled: boolean;
}

/** Any failure in words for people; what a server or a library said is not repeated, for it may hold the key. */
function asFailure(cause: unknown, { base, timeoutMs, isTimeout, isCancelled }: Circumstances): ModelFailure {
  // The library wraps what stops a reply that is too long.
  const known = [...chainOf(cause)].find((one) => one instanceof ModelFailure);
  if (known) return known;
  if (isCancelled) return new ModelFailure('cancelled', 'nobody waits for the answer any more');
  if (isTimeout)
    return new ModelFailure(
      'timeout',
      `the model server at ${originOf(base)} did not answer within ${timeoutMs / 1000} s`,
      cause,
    );
  const status = statusOf(cause);
  if (status !== undefined) return new ModelFailure('refused', refusal(status), cause);
  if (!isOfNetwork(cause))
    return new ModelFailure(
      'garbage',
      'the model server answered something that is not what was asked for',
      cause,
    );
  if ([...chainOf(cause)].some(({ message }) => /terminated/u.test(message)))
    return new ModelFailure(
      'unreachable',
      `the model server at ${originOf(base)} broke off its answer${codeOf(cause)}`,
      cause,
    );
  return new ModelFailure(
    'unreachable',
    `no model server answers at ${originOf(base)}${codeOf(cause)}`,
    cause,
  );
}

function originOf(base: string): string {
  const { origin } = new URL(base);
  return origin;
}

function statusOf(cause: unknown): number | undefined {
  if (cause instanceof RefusedReply) return cause.status;
  // An `APICallError` of the library; without a status it did not get through.
  const { statusCode } = cause as { statusCode?: unknown };
  return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined;
}

function refusal(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return `the model server refuses the key (${status}); set it with \`reverie secret set\``;
    case 404:
      return 'the model server knows no such model or address (404)';
    case 429:
      return 'the model server has too much to do (429)';
    default:
      return `the model server answered ${status}`;
  }
}

/** An error with what caused it, and what caused that. */
function* chainOf(cause: unknown): Generator<Error> {
  for (let at: unknown = cause; at instanceof Error; at = at.cause) yield at;
}

function codeOf(cause: unknown): string {
  for (const { code } of chainOf(cause) as Iterable<Error & { code?: unknown }>)
    if (typeof code === 'string') return ` (${code})`;
  return '';
}

/** Whether no reply came, or only a part of one; of anything else, what came is to blame: no JSON, nested too deeply … */
function isOfNetwork(cause: unknown): boolean {
  return (
    codeOf(cause) !== '' ||
    [...chainOf(cause)].some(({ message }) => /fetch failed|terminated|Cannot connect/u.test(message))
  );
}

/** A wrong key does not become right by asking often. */
const WRONG_KEY = 60_000;

function note(breaker: Breaker, failure: ModelFailure, cause: unknown): void {
  const status = statusOf(cause);
  // The server is well: nobody waits any more, it has no words for this, or the request is not to its liking.
  if (failure.kind === 'cancelled' || failure.kind === 'garbage' || isAboutRequest(status)) return;
  const atLeast = cause instanceof RefusedReply ? cause.retryAfterMs : retryAfterOf(cause);
  breaker.failed(failure.message, status === 401 || status === 403 ? Math.max(atLeast, WRONG_KEY) : atLeast);
}

/** Whether a server only refused what one request said: too long for its model, say. */
export function isOfRequest({ cause }: ModelFailure): boolean {
  return isAboutRequest(statusOf(cause ?? {}));
}

/** Whether a status speaks of one request, not of the server. */
export function isAboutRequest(status: number | undefined): boolean {
  return status === 400 || status === 413 || status === 422;
}

function retryAfterOf(cause: unknown): number {
  const { responseHeaders } = cause as { responseHeaders?: Record<string, string> };
  return retryAfter(responseHeaders?.['retry-after'], Date.now()) ?? 0;
}
