import { STREAM_PROTOCOL } from '@reverie/shared/contract/stream';
import { WebSocket } from 'ws';
import type { Line, Lines } from './lines.ts';
import { problemAnswer, unreachable } from './problem.ts';

/** What an open stream of events reports: each message as text, and once that the stream has closed. */
export interface StreamEvents {
  received: (text: string) => void;
  closed: () => void;
}

/**
 * Opens the stream of events over a proven line; resolves to what pauses, resumes and closes it. Rejects where it does not open, with
 * `StreamRefused` where the daemon refuses it.
 */
export async function openStream(
  lines: Pick<Lines, 'take'>,
  asked: { search: string; authorization: string },
  events: StreamEvents,
): Promise<{ pause: () => void; resume: () => void; close: () => void }> {
  const line = await lines.take();
  const socket = new WebSocket(addressOf(line, asked.search), [STREAM_PROTOCOL], {
    agent: line.agent,
    headers: { Authorization: asked.authorization },
    followRedirects: false,
    perMessageDeflate: false,
  });
  socket.on('close', () => line.agent.destroy());
  socket.on('message', (data: Buffer) => events.received(data.toString('utf8')));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, { statusCode = 502 }) => {
      socket.terminate();
      reject(new StreamRefused(statusCode));
    });
    // A socket that breaks later closes, too.
    socket.on('error', reject);
  });
  socket.once('close', events.closed);
  return { pause: () => socket.pause(), resume: () => socket.resume(), close: () => socket.terminate() };
}

/** The daemon answered, and did not let the stream be opened. */
export class StreamRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`Reverie refused the stream with status ${status}`);
    this.status = status;
  }
}

function addressOf({ origin }: Line, search: string): string {
  return `${origin.protocol === 'https:' ? 'wss' : 'ws'}://${origin.host}/v1/stream${search}`;
}

/** Lines that may wait for a page to read them, before the daemon has to wait. */
const MOST_WAITING = 1_000;

/**
 * Answers the stream of events as lines of JSON: a page of `app:` cannot open a WebSocket to another origin, and should not be allowed to.
 */
export async function streamAnswer(lines: Pick<Lines, 'take'>, request: Request): Promise<Response> {
  const authorization = request.headers.get('authorization');
  if (authorization === null) return problemAnswer('unauthorized', 'The stream needs a session');
  const encoder = new TextEncoder();
  let stream: Awaited<ReturnType<typeof openStream>> | undefined;
  let isOver = false;
  const made = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const body = new ReadableStream<Uint8Array>(
    {
      start: made.resolve,
      pull: () => stream?.resume(),
      cancel: () => end(),
    },
    { highWaterMark: MOST_WAITING },
  );
  const controller = await made.promise;
  function end(): void {
    isOver = true;
    stream?.close();
  }
  const close = () => {
    if (!isOver) controller.close();
    end();
  };
  try {
    stream = await openStream(
      lines,
      { search: new URL(request.url).search, authorization },
      {
        received(text) {
          if (isOver) return;
          controller.enqueue(encoder.encode(`${text}\n`));
          if ((controller.desiredSize ?? 0) <= 0) stream?.pause();
        },
        closed: close,
      },
    );
  } catch (cause) {
    if (cause instanceof StreamRefused)
      return problemAnswer(cause.status === 401 ? 'unauthorized' : 'unavailable', cause.message);
    return unreachable(cause);
  }
  request.signal.addEventListener('abort', close);
  return new Response(body, {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
