import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { LineEnded, oneConnection } from './line.ts';

/** A connection over which the daemon proved that it knows the owner key. */
export interface ProvenLine {
  agent: http.Agent;
  origin: URL;
  /** The nonce of the daemon that proved itself: a line whose nonce is not that of the daemon now is dropped. */
  nonce: string;
}

/**
 * Proves a daemon over the given fetch, which must use one connection; resolves to its origin and nonce. Rejects with a message for people.
 */
export type Prove = (fetch: typeof globalThis.fetch) => Promise<{ origin: string; nonce: string }>;

export interface LinesDeps {
  prove: Prove;
  /** The nonce of the daemon that runs now by its `daemon.json`, or undefined. */
  nonceNow: () => string | undefined;
  /** Milliseconds, always growing. */
  now: () => number;
}

export interface LineRequest {
  method: string;
  /** With the query, such as `/v1/status`. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
}

/** Proven connections to the daemon. */
export interface Lines {
  /** Sends a request over one of them. */
  send(asked: LineRequest): Promise<Response>;
  /** A line for one that keeps it: a WebSocket, say. */
  take(): Promise<ProvenLine>;
  close(): void;
}

/** A server closes what is idle; this is shorter than any server's patience, so that a request seldom meets a closed line. */
const IDLE_MS = 3_000;
const MOST_IDLE = 6;

/** Keeps proven connections and makes them; each request has one to itself. */
export function createLines({ prove, nonceNow, now }: LinesDeps): Lines {
  let idle: { line: ProvenLine; since: number }[] = [];
  let isClosed = false;

  async function open(): Promise<ProvenLine> {
    let agent: http.Agent | undefined;
    const { origin, nonce } = await prove(async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      agent ??= oneConnection(url);
      return answerOf(
        await ask(agent, url, {
          method: init?.method ?? 'GET',
          path: url.pathname + url.search,
          headers: Object.fromEntries(new Headers(init?.headers)),
          signal: init?.signal ?? undefined,
        }),
      );
    });
    if (!agent) throw new Error('a daemon was proved without being asked');
    return { agent, origin: new URL(origin), nonce };
  }

  function fromIdle(): ProvenLine | undefined {
    const current = nonceNow();
    for (;;) {
      const kept = idle.pop();
      if (!kept) return undefined;
      if (kept.line.nonce === current && now() - kept.since < IDLE_MS) return kept.line;
      kept.line.agent.destroy();
    }
  }

  function putBack(line: ProvenLine): void {
    if (isClosed || idle.length >= MOST_IDLE) line.agent.destroy();
    else idle.push({ line, since: now() });
  }

  async function over(line: ProvenLine, asked: LineRequest): Promise<Response> {
    const message = await ask(line.agent, line.origin, asked).catch((cause: unknown) => {
      line.agent.destroy();
      throw cause;
    });
    message.once('close', () => (message.complete ? putBack(line) : line.agent.destroy()));
    return answerOf(message);
  }

  return {
    async send(asked) {
      const kept = fromIdle();
      if (!kept) return over(await open(), asked);
      return over(kept, asked).catch(async (cause: unknown) => {
        // Nothing of it was sent where the line had ended; what only reads may be asked twice.
        if (asked.signal?.aborted || !(cause instanceof LineEnded || asked.method === 'GET')) throw cause;
        return over(await open(), asked);
      });
    },
    take: open,
    close() {
      isClosed = true;
      for (const { line } of idle) line.agent.destroy();
      idle = [];
    },
  };
}

function ask(agent: http.Agent, origin: URL, asked: LineRequest): Promise<IncomingMessage> {
  const { method, path, headers, body, signal } = asked;
  const { request } = origin.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      host: origin.hostname.replace(/^\[|\]$/g, ''),
      port: origin.port,
      method,
      path,
      headers: { ...headers, host: origin.host, ...(body && { 'content-length': body.byteLength }) },
      ...(signal && { signal }),
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(body);
  });
}

/** No redirect is followed: it would lead a key elsewhere. */
function answerOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined && !HOP_BY_HOP.has(name))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  if (status >= 300 && status < 400 && status !== 304)
    throw new TypeError('Reverie answered with a redirect, which it never does');
  const isEmpty = status === 204 || status === 304;
  if (isEmpty) message.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>), {
    status,
    headers,
  });
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);
