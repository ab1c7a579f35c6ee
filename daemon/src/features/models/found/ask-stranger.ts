import type { IncomingMessage } from 'node:http';

// Importing it would read every name that it exports, `WebSocket` among them, and load all of undici for it.
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** What a program that may be anything answered: nothing within the time, or a status with what was JSON of its reply. */
export type Heard = { kind: 'nothing' } | { kind: 'said'; status: number; json: unknown };

/** Asks one program by paths, such as `/api/version`; a body is sent as JSON. */
export type AskStranger = (path: string, body?: object) => Promise<Heard>;

/** How long a stranger may take for an answer, in ms, and how many bytes of it are read. */
export interface Patience {
  ms: number;
  bytes: number;
}

export const PATIENCE: Patience = { ms: 1000, bytes: 2 ** 20 };

const NOTHING: Heard = { kind: 'nothing' };

/**
 * Asks a program on this machine of which nothing is known: without a key, a cookie or a proxy, following no redirect, reading no
 * more than is allowed. Never rejects: what hangs, breaks off or sends too much has just not said anything of use.
 */
export function askStranger(origin: string, patience: Patience = PATIENCE): AskStranger {
  return (path, body) =>
    new Promise((resolve) => {
      const { request } = origin.startsWith('https:') ? https : http;
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const asking = request(`${origin}${path}`, {
        // A connection of its own; the common agent may go through a proxy.
        agent: false,
        method: sent === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(sent !== undefined && { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(patience.ms),
      });
      asking.on('error', () => resolve(NOTHING));
      asking.on('response', (response) => {
        void readJson(response, patience.bytes).then(
          (json) => {
            resolve({ kind: 'said', status: response.statusCode ?? 0, json });
            asking.destroy();
          },
          () => resolve(NOTHING),
        );
      });
      asking.end(sent);
    });
}

/** The JSON of a reply; undefined where it is none, or too long. */
async function readJson(response: IncomingMessage, most: number): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    if (bytes > most) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    // A page, a text, half a reply: what is no JSON says nothing.
    return undefined;
  }
}
