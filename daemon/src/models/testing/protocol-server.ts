import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface ProtocolRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  /** Parsed where it is JSON, else empty. */
  body: Record<string, unknown>;
}

export type Handler = (asked: ProtocolRequest, response: http.ServerResponse) => void | Promise<void>;

/** A server on the loopback whose replies are those of a protocol. */
export interface ProtocolServer {
  /** Without a path, such as http://127.0.0.1:41234. */
  readonly url: string;
  readonly port: number;
  /** Every request, in order. */
  readonly asked: ProtocolRequest[];
  /** Stops listening and cuts every connection; `start` takes the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface ProtocolOptions {
  /** By method and path, such as `GET /api/tags`; `*` answers what no other does. */
  routes: Readonly<Record<string, Handler>>;
  /** Runs before every route, and may answer in its place. */
  guard?: (asked: ProtocolRequest, response: http.ServerResponse) => void;
  /** A free one where omitted. */
  port?: number;
}

/** Starts a server that answers by method and path, and remembers what it was asked. */
export async function startProtocolServer({
  routes,
  guard,
  port: wanted = 0,
}: ProtocolOptions): Promise<ProtocolServer> {
  const asked: ProtocolRequest[] = [];
  let server: http.Server;
  let port = wanted;
  const start = () => {
    server = http.createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const { method = '', headers } = request;
        const [path = '', query = ''] = (request.url ?? '').split('?');
        const one = { method, path, query: new URLSearchParams(query), headers, body: bodyOf(text) };
        asked.push(one);
        guard?.(one, response);
        if (response.writableEnded) return;
        const handler = routes[`${method} ${path}`] ?? routes['*'];
        if (handler) void handler(one, response);
        else sendText(response, 404, '404 page not found');
      });
    });
    return new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  };
  await start();
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start,
  };
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    // A request without a body, or with one that is not JSON: nothing is known of it.
    return {};
  }
}

/** Answers with JSON. */
export function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Answers with plain text. */
export function sendText(response: http.ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(text);
}
