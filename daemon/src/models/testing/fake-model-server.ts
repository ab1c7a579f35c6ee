import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

/** What the server does with a request: it replies, never answers, breaks off before or within a reply, or sends blanks without end. */
export type Behaviour = (asked: ModelRequest) => ModelReply | 'never' | 'cut' | 'torn' | 'drip';

export interface ModelReply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is when it is text, else as JSON. */
  body: unknown;
  /** Sends three characters, waits so many milliseconds, sends the next three … */
  dripMs?: number;
}

export interface FakeModelServer {
  /** With /v1. */
  baseUrl: string;
  asked: ModelRequest[];
  /** Resolves when so many requests have been given up by who asked. */
  givenUp(requests: number): Promise<void>;
  /** A reply may be promised, too: something happens meanwhile. */
  behave(behaviour: Behaviour | ((asked: ModelRequest) => Promise<ModelReply>)): void;
  /** Stops listening and cuts every connection; `start` takes the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** An OpenAI-compatible server on the loopback that does what a test tells it. */
export async function startFakeModelServer(first: Behaviour): Promise<FakeModelServer> {
  let behaviour: Parameters<FakeModelServer['behave']>[0] = first;
  const asked: ModelRequest[] = [];
  const givenUp = new EventEmitter<{ one: [] }>();
  let gone = 0;
  let server: http.Server;
  let port = 0;
  const start = () => {
    server = http.createServer((request, response) => {
      let text = '';
      response.on('close', () => {
        if (response.writableEnded) return;
        gone += 1;
        givenUp.emit('one');
      });
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
        const one = { path: request.url ?? '', authorization: request.headers.authorization, body };
        asked.push(one);
        void Promise.resolve(behaviour(one)).then((reply) => {
          if (reply === 'never') return;
          if (reply === 'cut') return void request.socket.destroy();
          if (reply === 'torn') {
            response.writeHead(200, { 'content-type': 'application/json' });
            return void response.write('{"choices": [', () => request.socket.destroy());
          }
          if (reply === 'drip') {
            response.writeHead(200, { 'content-type': 'application/json' });
            const drip = setInterval(() => response.write(' '), 10);
            return void response.on('close', () => clearInterval(drip));
          }
          const content = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
          response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
          if (reply.dripMs === undefined) return void response.end(content);
          let sent = 0;
          const drip = setInterval(() => {
            response.write(content.slice(sent, (sent += 3)));
            if (sent >= content.length) response.end();
          }, reply.dripMs);
          response.on('close', () => clearInterval(drip));
        });
      });
    });
    return new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  };
  await start();
  return {
    get baseUrl() {
      return `http://127.0.0.1:${port}/v1`;
    },
    asked,
    async givenUp(requests) {
      while (gone < requests) await once(givenUp, 'one');
    },
    behave(next) {
      behaviour = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start,
  };
}

/** A reply of a chat. */
export function said(content: string, tokens = 12): ModelReply {
  return {
    body: {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: tokens - 7, completion_tokens: 7, total_tokens: tokens },
    },
  };
}

/** Vectors that say which letters a text has: alike texts are near each other. */
export function letterVector(text: string, dimensions = 26): number[] {
  const vector = new Array<number>(dimensions).fill(0.01);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) vector[at % dimensions] = (vector[at % dimensions] ?? 0) + 1;
  }
  return vector;
}

/** A server that embeds. */
export function embeds(dimensions = 26): Behaviour {
  return ({ body }) => {
    const input = body['input'] as string[];
    return {
      body: {
        object: 'list',
        model: body['model'],
        data: input.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: letterVector(text, dimensions),
        })),
        usage: { prompt_tokens: 1, total_tokens: 1 },
      },
    };
  };
}
