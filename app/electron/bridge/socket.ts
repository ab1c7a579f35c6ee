import { STREAM_PROTOCOL } from '@reverie/shared/contract/events/stream';
import { WebSocket } from 'ws';
import type { ProvenLine, Lines } from './lines.ts';
import { problemAnswer, unreachable } from './problem.ts';

/** Told of a WebSocket that opens. */
export interface SocketEvents {
  opened?: (socket: Socket) => void;
  received: (data: Buffer) => void;
  /** With the code of the close. */
  closed: (code: number) => void;
}

/** An open WebSocket to the daemon. */
export interface Socket {
  /** Resolves once the data left; rejects where the socket is closed. */
  send(data: Uint8Array): Promise<void>;
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens a WebSocket of the daemon over a proven line; rejects where it does not open, a refusal as `SocketRefused`. */
export async function openSocket(
  lines: Pick<Lines, 'take'>,
  asked: { path: string; authorization: string },
  events: SocketEvents,
): Promise<Socket> {
  const line = await lines.take();
  const socket = new WebSocket(addressOf(line, asked.path), [STREAM_PROTOCOL], {
    agent: line.agent,
    headers: { Authorization: asked.authorization },
    followRedirects: false,
    perMessageDeflate: false,
  });
  const opened: Socket = {
    send: (data) =>
      new Promise((resolve, reject) => socket.send(data, (error) => (error ? reject(error) : resolve()))),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  };
  socket.on('close', () => line.agent.destroy());
  socket.on('message', (data: Buffer) => events.received(data));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      // Here, for a message may come before who waits for this promise is back.
      events.opened?.(opened);
      resolve();
    });
    socket.once('unexpected-response', (_request, { statusCode = 502 }) => {
      socket.terminate();
      reject(new SocketRefused(statusCode));
    });
    // A socket that breaks later closes, too.
    socket.on('error', reject);
  });
  socket.once('close', (code) => events.closed(code));
  return opened;
}

/** The daemon answered, and did not let the socket be opened. */
export class SocketRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`Reverie refused the connection with status ${status}`);
    this.status = status;
  }
}

function addressOf({ origin }: ProvenLine, path: string): string {
  return `${origin.protocol === 'https:' ? 'wss' : 'ws'}://${origin.host}${path}`;
}

/** Lines that may wait for a page to read them, before the daemon has to wait. */
const MOST_WAITING = 1_000;

/** What of a socket a page reads, as lines. */
export interface AsLines {
  lineOf(data: Buffer): string;
  /** Answers the first line. */
  opened?(socket: Socket): string;
  /** Answers the last line, which nobody reads where the page left. */
  closed?(code: number): string;
}

/** A WebSocket of the daemon at the request's own path, read as lines: a page of `app:` can open none to another origin, and shall not be allowed to. */
export async function socketAnswer(
  lines: Pick<Lines, 'take'>,
  request: Request,
  { lineOf, opened, closed }: AsLines,
): Promise<Response> {
  const authorization = request.headers.get('authorization');
  if (authorization === null) return problemAnswer('unauthorized', 'The connection needs a session');
  const encoder = new TextEncoder();
  let socket: Socket | undefined;
  let isOver = false;
  const made = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const body = new ReadableStream<Uint8Array>(
    {
      start: made.resolve,
      pull: () => socket?.resume(),
      cancel: () => end(),
    },
    { highWaterMark: MOST_WAITING },
  );
  const controller = await made.promise;
  const write = (line: string) => controller.enqueue(encoder.encode(`${line}\n`));
  function end(): void {
    isOver = true;
    socket?.close();
  }
  const close = (last?: string) => {
    if (!isOver) {
      if (last !== undefined) write(last);
      controller.close();
    }
    end();
  };
  const { pathname, search } = new URL(request.url);
  try {
    socket = await openSocket(
      lines,
      { path: pathname + search, authorization },
      {
        opened(one) {
          if (opened) write(opened(one));
        },
        received(data) {
          if (isOver) return;
          write(lineOf(data));
          if ((controller.desiredSize ?? 0) <= 0) socket?.pause();
        },
        closed: (code) => close(closed?.(code)),
      },
    );
  } catch (cause) {
    if (cause instanceof SocketRefused)
      return problemAnswer(cause.status === 401 ? 'unauthorized' : 'unavailable', cause.message);
    return unreachable(cause);
  }
  // A page may have left while it was opened.
  if (request.signal.aborted) close();
  request.signal.addEventListener('abort', () => close());
  return new Response(body, {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
