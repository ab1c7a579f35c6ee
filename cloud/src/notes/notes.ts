import type { ErrorCode, Role } from '@reverie/shared/protocol/messages';
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { messageYjsSyncStep1, messageYjsSyncStep2, writeUpdate } from 'y-protocols/sync';
import { mayWrite } from '../rooms/membership.ts';
import { createPresence, type Presence } from './presence.ts';
import { openDocument, type StoredDocument } from './stored-document.ts';

/** A stock client's connection to one room's shared document. */
export interface NoteConnection {
  readonly room: string;
  readonly device: string;
  readonly account: string;
  role: Role;
  send(frame: Uint8Array): void;
  close(code: ErrorCode): void;
}

export interface NotesWorld {
  load(room: string): readonly Uint8Array[];
  add(room: string, updates: readonly Uint8Array[]): void;
  replace(room: string, whole: Uint8Array): void;
  /** Whether a room's owner has space for so many bytes more. */
  hasSpace(room: string, bytes: number): boolean;
  failed(cause: unknown, what: string): void;
}

/** The shared documents that are open: each while somebody is in it. */
export interface Notes {
  join(connection: NoteConnection): void;
  /** What a connection said, in y-websocket's protocol. */
  take(connection: NoteConnection, frame: Uint8Array): void;
  /** Roles changed, or people are out, or the room is gone. */
  accessChanged(room: string, roleOf: (account: string) => Role | undefined): void;
  leave(connection: NoteConnection): void;
  connections(): readonly NoteConnection[];
  /** How many documents are in memory. */
  open(): number;
}

const SYNC = 0;
const AWARENESS = 1;
const AUTH = 2;
const QUERY_AWARENESS = 3;

interface Room {
  document: StoredDocument<NoteConnection>;
  presence: Presence<NoteConnection>;
  connections: Set<NoteConnection>;
}

function framed(type: number, write: (to: encoding.Encoder) => void): Uint8Array {
  const to = encoding.createEncoder();
  encoding.writeVarUint(to, type);
  write(to);
  return encoding.toUint8Array(to);
}

const presenceFrame = (update: Uint8Array) =>
  framed(AWARENESS, (to) => encoding.writeVarUint8Array(to, update));

/** Says nothing, and is heard: a stock client that hears nothing for 30 s connects anew. */
export const QUIET: Uint8Array = presenceFrame(new Uint8Array([0]));

/** The disk did not take it. */
class NotWritten extends Error {}

function written(run: () => void): void {
  try {
    run();
  } catch (cause) {
    throw new NotWritten('A shared document could not be written', { cause });
  }
}

export function createNotes(world: NotesWorld): Notes {
  const rooms = new Map<string, Room>();

  function opened(name: string): Room {
    const known = rooms.get(name);
    if (known) return known;
    const connections = new Set<NoteConnection>();
    let isAwake = false;
    const document = openDocument<NoteConnection>({
      stored: world.load(name),
      add: (updates) => written(() => world.add(name, updates)),
      replace: (whole) => written(() => world.replace(name, whole)),
      tell(news) {
        for (const { from, update } of news) {
          const frame = framed(SYNC, (to) => writeUpdate(to, update));
          for (const one of connections) if (one !== from) one.send(frame);
        }
      },
      // What comes in one turn waits for the disk together.
      wake() {
        if (isAwake) return;
        isAwake = true;
        setImmediate(() => {
          isAwake = false;
          if (rooms.get(name)?.document === document) attempt(name, () => document.flush());
        });
      },
      broken: (cause) => world.failed(cause, 'a stored update of a shared document cannot be read'),
    });
    const room = { document, presence: createPresence<NoteConnection>(), connections };
    rooms.set(name, room);
    return room;
  }

  /** Where the disk fails, memory is ahead of it: everybody comes again, and says again what was not stored. */
  function attempt(name: string, run: () => void): void {
    try {
      run();
    } catch (cause) {
      world.failed(cause, 'a shared document could not be written');
      drop(name, 'later');
    }
  }

  /** Forgets a document as it is in memory. */
  function drop(name: string, code: ErrorCode): void {
    const room = rooms.get(name);
    rooms.delete(name);
    for (const one of room?.connections ?? []) one.close(code);
  }

  function write(connection: NoteConnection, { document }: Room, update: Uint8Array): void {
    // Both ways of writing are dropped for who may only read; a stock client says what it has in any case.
    if (!mayWrite(connection.role)) return;
    if (!world.hasSpace(connection.room, update.length)) return connection.close('too_large');
    const outcome = document.take(connection, update);
    if (outcome !== 'taken') return connection.close(outcome);
    if (document.hasGap()) connection.send(askFor(document));
  }

  function take(connection: NoteConnection, room: Room, frame: Uint8Array): void {
    const from = decoding.createDecoder(frame);
    const { document, presence, connections } = room;
    switch (decoding.readVarUint(from)) {
      case SYNC: {
        const isQuestion = decoding.readVarUint(from) === messageYjsSyncStep1;
        const bytes = decoding.readVarUint8Array(from);
        if (!isQuestion) return write(connection, room, bytes);
        const missing = document.since(bytes);
        return connection.send(
          framed(SYNC, (to) => {
            encoding.writeVarUint(to, messageYjsSyncStep2);
            encoding.writeVarUint8Array(to, missing);
          }),
        );
      }
      case AWARENESS: {
        const news = presence.take(
          { connection, device: connection.device },
          decoding.readVarUint8Array(from),
        );
        // To its sender, too, which waits for a sign of life.
        if (news) for (const one of connections) one.send(presenceFrame(news));
        return;
      }
      case QUERY_AWARENESS:
        return connection.send(presenceFrame(presence.all()));
      case AUTH:
        return;
      default:
        return connection.close('malformed');
    }
  }

  return {
    join(connection) {
      attempt(connection.room, () => {
        const room = opened(connection.room);
        room.connections.add(connection);
        connection.send(askFor(room.document));
        connection.send(presenceFrame(room.presence.all()));
      });
    },
    take(connection, frame) {
      const room = rooms.get(connection.room);
      if (!room?.connections.has(connection)) return;
      attempt(connection.room, () => {
        try {
          take(connection, room, frame);
        } catch (cause) {
          if (cause instanceof NotWritten) throw cause;
          connection.close('malformed');
        }
      });
    },
    accessChanged(name, roleOf) {
      const room = rooms.get(name);
      if (!room) return;
      const roles = new Map([...room.connections].map((one) => [one, roleOf(one.account)]));
      // What was taken while they might is stored; a room that is gone takes nothing more.
      if ([...roles.values()].some((role) => role !== undefined)) attempt(name, () => room.document.flush());
      else rooms.delete(name);
      for (const [one, role] of roles)
        if (role === undefined) one.close('gone');
        else one.role = role;
    },
    leave(connection) {
      const room = rooms.get(connection.room);
      if (!room?.connections.delete(connection)) return;
      const news = room.presence.leave(connection);
      if (news) for (const one of room.connections) one.send(presenceFrame(news));
      if (room.connections.size > 0) return;
      attempt(connection.room, () => room.document.close());
      rooms.delete(connection.room);
    },
    connections: () => [...rooms.values()].flatMap((room) => [...room.connections]),
    open: () => rooms.size,
  };
}

function askFor(document: StoredDocument<NoteConnection>): Uint8Array {
  // y-protocols asks a document for its state vector; this one hands it out by itself.
  return framed(SYNC, (to) => {
    encoding.writeVarUint(to, messageYjsSyncStep1);
    encoding.writeVarUint8Array(to, document.stateVector());
  });
}
