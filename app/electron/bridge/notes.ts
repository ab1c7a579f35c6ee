import { randomUUID } from 'node:crypto';
import { NOTES_PATH, NOTES_SOCKET_HEADER } from '@reverie/shared/contract/sessions/session-sharing';
import type { Lines } from './lines.ts';
import { problemAnswer } from './problem.ts';
import { type Socket, socketAnswer } from './socket.ts';

/** Answers what a window asks of the shared notes of a session; undefined where it asks something else. */
export type NotesBridge = (request: Request) => Promise<Response> | undefined;

/**
 * The WebSocket of shared notes over `fetch`: a GET opens it, and reads `{"socket": id}`, then `{"data": base64}` for each message, and
 * `{"close": code}`; a POST to the same path sends one message.
 */
export function bridgeNotes(lines: Pick<Lines, 'take'>): NotesBridge {
  const open = new Map<string, { socket: Socket; authorization: string | null }>();

  function opened(request: Request): Promise<Response> {
    const id = randomUUID();
    return socketAnswer(lines, request, {
      lineOf: (data) => JSON.stringify({ data: data.toString('base64') }),
      opened(socket) {
        open.set(id, { socket, authorization: request.headers.get('authorization') });
        return JSON.stringify({ socket: id });
      },
      closed(code) {
        open.delete(id);
        return JSON.stringify({ close: code });
      },
    });
  }

  async function sent(request: Request): Promise<Response> {
    const kept = open.get(request.headers.get(NOTES_SOCKET_HEADER) ?? '');
    // Whoever opened a socket sends over it, and nobody else.
    if (!kept || kept.authorization !== request.headers.get('authorization'))
      return problemAnswer('not_found', 'This connection is not open');
    try {
      await kept.socket.send(new Uint8Array(await request.arrayBuffer()));
    } catch {
      return problemAnswer('unavailable', 'This connection ended');
    }
    return new Response(null, { status: 204 });
  }

  return (request) => {
    if (!new URL(request.url).pathname.startsWith(`${NOTES_PATH}/`)) return undefined;
    if (request.method === 'GET') return opened(request);
    if (request.method === 'POST') return sent(request);
    return undefined;
  };
}
