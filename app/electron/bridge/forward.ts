import type { LineRequest, Lines } from './lines.ts';
import { problemAnswer, unreachable } from './problem.ts';

/** What of a page's request reaches the daemon: never its origin, which is no page's of the daemon, and no cookie. */
const SENT = ['accept', 'authorization', 'content-type', 'idempotency-key', 'x-reverie-account'];

/** The largest body that the daemon takes is smaller. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Sends a page's request over a proven line, and answers what the daemon says, as it comes in. */
export async function forward(lines: Pick<Lines, 'send'>, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  if (body && body.byteLength > MOST_BYTES)
    return problemAnswer('too_large', 'The request is larger than 64 MiB');
  const asked: LineRequest = {
    method: request.method,
    path: url.pathname + url.search,
    headers: passedOn(request.headers),
    body,
    signal: request.signal,
  };
  try {
    return await lines.send(asked);
  } catch (cause) {
    return unreachable(cause);
  }
}

/** The headers of a page's request that the daemon gets. */
export function passedOn(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    SENT.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
