import type { Agent } from 'node:http';
import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import { WebSocket } from 'ws';
import type { SessionsDeps } from '../deps.ts';
import { sessionOf } from '../sessions.service.ts';
import type { SessionRow } from '../sessions.store.ts';
import type { SessionRooms } from './ports.ts';

export interface NotesDeps extends SessionsDeps {
  rooms: Pick<SessionRooms, 'about'>;
  /** Where the relay keeps the notes of a room, and the key for it. Throws `not_linked`. */
  notesAt(room: string): Promise<{ url: string; protocol: string; authorization: string; agent: Agent }>;
}

/** A session that is shared, and its room at the relay. Throws `session_not_found` where it is not, or not for this caller. */
export function sharedSession(
  deps: NotesDeps,
  caller: Caller,
  id: string,
): { session: SessionRow; room: string } {
  const session = deps.store.read((db) => sessionOf(db, caller, id));
  const room = deps.rooms.about(caller.account, session.id);
  if (!room) throw new Problem('session_not_found', 'This session is not shared; share it first');
  return { session, room: room.room };
}

/** Begins a connection to the notes of a shared session at the relay, with this machine's key. */
export async function connectToNotes(deps: NotesDeps, caller: Caller, id: string): Promise<WebSocket> {
  const { room } = sharedSession(deps, caller, id);
  const { url, protocol, authorization, agent } = await deps.notesAt(room);
  return new WebSocket(url, [protocol], {
    headers: { Authorization: authorization },
    agent,
    followRedirects: false,
    handshakeTimeout: 10_000,
    perMessageDeflate: false,
  });
}
