import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import { route } from '@reverie/shared/contract/route';
import { NOTES_PATH, sessionNotes } from '@reverie/shared/contract/sessions/session-sharing';
import type { Mount } from '@reverie/shared/http/mount';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Stop } from '../../../platform/clock.ts';
import type { OpenConnections } from '../../../platform/open-connections.ts';
import { reachesSession } from '../sessions.service.ts';
import type { OpenStreams } from '../../../platform/open-streams.ts';
import { connectToNotes, type NotesDeps, sharedSession } from './notes.service.ts';

/** For the scope check of the handshake; a WebSocket is not in the OpenAPI document's paths. */
const notesRoute = route({
  id: 'session_notes_socket',
  method: 'GET',
  path: `${NOTES_PATH.replace('/v1', '')}/{id}`,
  scope: 'write',
  reach: { can: ['set'], filtered: true },
  tag: 'sessions',
  summary: 'The shared notes of a session, by WebSocket',
  params: z.strictObject({ id: z.string().min(1).max(64) }),
  status: 200,
  response: z.never(),
  problems: [],
});

/** Bytes that wait for one side before the other is let go: it comes again, and reads what it missed. */
const CHOKED = 8 * 1024 * 1024;
/** Bytes of a page that are kept until the relay is there: what it says first is small. */
const BEFORE_RELAY = 1024 * 1024;
const UNAUTHORIZED = 4401;
const GONE = 4404;
const LATER = 4503;
const CLOSING = 5_000;

export interface NotesRoutesDeps {
  notes: NotesDeps;
  callerOf: (request: FastifyRequest) => Caller;
  connections: Pick<OpenConnections, 'add'>;
  /** Calls back after each commit that wrote into a session, or moved it, until it is stopped. */
  onWritten: (session: string, run: () => void) => Stop;
  streams: OpenStreams;
}

/** Serves the notes of shared sessions: what a page says is passed on to the relay with this machine's key, which no page gets to see. */
export function sessionNotesRoutes(
  app: FastifyInstance,
  mount: Mount<Caller>,
  { notes, callerOf, connections, onWritten, streams }: NotesRoutesDeps,
): void {
  mount(sessionNotes, ({ params, caller }) => {
    const { session } = sharedSession(notes, caller, params.id);
    return {
      path: NOTES_PATH,
      room: session.id,
      name: notes.world.personOf(session.account),
      role: session.role,
    };
  });
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: `${NOTES_PATH}/:id`,
    config: { route: notesRoute },
    handler: async () => {
      throw new Problem('invalid_request', 'Connect to the notes of a session by WebSocket');
    },
    wsHandler: (near, request) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const end = (code: number, why: string) => {
        if (near.readyState === WebSocket.OPEN) near.close(code, why);
        setTimeout(() => near.terminate(), CLOSING).unref();
      };
      near.on('error', (err) => request.log.debug({ err }, 'the notes of a session broke'));
      const close = streams.open(caller.key.account);
      if (!close) return end(LATER, 'this account has too many streams open');
      near.on('close', close);
      let waiting: Buffer[] = [];
      let waitingBytes = 0;
      let far: WebSocket | undefined;
      const permit = connections.add({
        caller,
        reaches: () => reachesSession(notes, caller, id),
        end(reason) {
          end(reason === 'unauthorized' ? UNAUTHORIZED : GONE, reason);
          far?.close();
        },
      });
      const stop = onWritten(id, () => permit.mayGoOn());
      near.on('message', (data: Buffer, isBinary) => {
        // What comes while it closes is not taken.
        if (near.readyState !== WebSocket.OPEN || !permit.mayGoOn()) return;
        if (!isBinary) return end(4400, 'malformed');
        if (far?.readyState === WebSocket.OPEN) {
          if (far.bufferedAmount > CHOKED) far.close();
          else far.send(data);
          return;
        }
        waitingBytes += data.length;
        if (waitingBytes > BEFORE_RELAY) {
          waiting = [];
          return end(LATER, 'later');
        }
        waiting.push(data);
      });
      near.on('close', () => {
        stop();
        permit.release();
        far?.close();
      });
      connectToNotes(notes, caller, id).then(
        (opened) => {
          far = opened;
          if (near.readyState !== WebSocket.OPEN) return opened.close();
          opened.on('open', () => waiting.splice(0).forEach((data) => opened.send(data)));
          opened.on('message', (data: Buffer) => {
            if (!permit.mayGoOn()) return;
            if (near.bufferedAmount > CHOKED) return end(LATER, 'later');
            near.send(data);
          });
          // The provider stops at codes from 4400 to 4499, and comes again after others.
          opened.on('close', (code, reason) => end(code >= 4000 ? code : LATER, reason.toString()));
          opened.on('error', (err) =>
            request.log.debug({ err }, 'the relay did not take the notes of a session'),
          );
        },
        (cause: unknown) => end(cause instanceof Problem ? GONE : LATER, 'gone'),
      );
    },
  });
}
