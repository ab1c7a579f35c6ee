import type { ErrorCode, Role } from '@reverie/shared/protocol/messages';
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { writePermissionDenied } from 'y-protocols/auth';
import { messageYjsSyncStep1, messageYjsSyncStep2, writeUpdate } from 'y-protocols/sync';
import { mayWrite } from '../rooms/membership.ts';
import { createPresence, type DocumentPresence } from './presence.ts';
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
  /** What is stored of a document that is opened here, and only here until it is `closed`. */
  load(room: string): Promise<readonly Uint8Array[]>;
  add(room: string, updates: readonly Uint8Array[]): Promise<void>;
  replace(room: string, whole: Uint8Array): Promise<void>;
  closed(room: string): Promise<void>;
  /** The room of an open document may have another owner, whose space it takes. */
  askOwner(room: string): Promise<void>;
  /** Whether a room's owner has space for so many bytes more. */
  hasSpace(room: string, bytes: number): boolean | Promise<boolean>;
  /** What an account may do in a room; undefined where it is no member. */
  roleOf(room: string, account: string): Promise<Role | undefined>;
  failed(cause: unknown, what: string): void;
}

/** The shared documents that are open: each while somebody is in it. */
export interface Notes {
  join(connection: NoteConnection): void;
  /** What a connection said, in y-websocket's protocol. */
  take(connection: NoteConnection, frame: Uint8Array): void;
  /** Roles changed, or people are out, or the room is gone. */
  accessChanged(room: string): Promise<void>;
  leave(connection: NoteConnection): void;
  /** Forgets a document that is not to be written here any more; its people come again. */
  drop(room: string): void;
  /** Resolves when all that was said is done. */
  idle(): Promise<void>;
  connections(): readonly NoteConnection[];
  /** The rooms whose document is open. */
  rooms(): Iterable<string>;
  /** How many documents are in memory. */
  open(): number;
}

const SYNC = 0;
const AWARENESS = 1;
const AUTH = 2;
const QUERY_AWARENESS = 3;

interface Room {
  document: StoredDocument<NoteConnection>;
  presence: DocumentPresence<NoteConnection>;
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

/** A message that says nothing, sent because a stock client that hears nothing for 30 s connects anew. */
export const QUIET: Uint8Array = presenceFrame(new Uint8Array([0]));

/** The disk did not take it. */
class NotWritten extends Error {}

async function written(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    throw new NotWritten('A shared document could not be written', { cause });
  }
}

export function createNotes(world: NotesWorld): Notes {
  const rooms = new Map<string, Room>();
  const lanes = new Map<string, Promise<void>>();

  /**
   * What concerns a room is done one after the other. Where the disk fails, memory is ahead of it: everybody comes again, and says
   * again what was not stored.
   */
  function inTurn(name: string, run: () => Promise<void>): Promise<void> {
    const turn = (lanes.get(name) ?? Promise.resolve()).then(run).catch((cause: unknown) => {
      world.failed(cause, 'a shared document could not be read or written');
      drop(name, 'later');
    });
    lanes.set(name, turn);
    return turn.finally(() => {
      if (lanes.get(name) === turn) lanes.delete(name);
    });
  }

  async function open(name: string): Promise<Room> {
    const known = rooms.get(name);
    if (known) return known;
    const connections = new Set<NoteConnection>();
    let isAwake = false;
    const document = openDocument<NoteConnection>({
      stored: await world.load(name),
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
          if (rooms.get(name)?.document !== document) return;
          document.flush().catch((cause: unknown) => {
            world.failed(cause, 'a shared document could not be written');
            if (rooms.get(name)?.document === document) drop(name, 'later');
          });
        });
      },
      broken: (cause) => world.failed(cause, 'a stored update of a shared document cannot be read'),
    });
    const room = { document, presence: createPresence<NoteConnection>(), connections };
    rooms.set(name, room);
    return room;
  }

  /** Forgets a document as it is in memory. */
  function drop(name: string, code: ErrorCode): void {
    const room = rooms.get(name);
    rooms.delete(name);
    for (const one of room?.connections ?? []) one.close(code);
    if (room) closed(name);
  }

  function closed(name: string): void {
    world
      .closed(name)
      .catch((cause: unknown) => world.failed(cause, 'a shared document could not be given back'));
  }

  async function write(connection: NoteConnection, { document }: Room, update: Uint8Array): Promise<void> {
    // Both ways of writing are dropped for who may only read; a stock client says what it has in any case.
    if (!mayWrite(connection.role)) return;
    if (!(await world.hasSpace(connection.room, update.length))) return connection.close('too_large');
    const outcome = await document.take(connection, update);
    if (outcome !== 'taken') return connection.close(outcome);
    if (document.hasGap()) connection.send(askFor(document));
  }

  async function take(connection: NoteConnection, room: Room, frame: Uint8Array): Promise<void> {
    const from = decoding.createDecoder(frame);
    const { document, presence, connections } = room;
    switch (decoding.readVarUint(from)) {
      case SYNC: {
        const isQuestion = decoding.readVarUint(from) === messageYjsSyncStep1;
        const bytes = decoding.readVarUint8Array(from);
        if (!isQuestion) return write(connection, room, bytes);
        const missing = await document.since(bytes);
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

  /** Gives a connection another role, and tells it: that what it writes is dropped, or to say again what was dropped before. */
  function changeRole(
    connection: NoteConnection,
    role: Role,
    document: StoredDocument<NoteConnection>,
  ): void {
    const [could, can] = [mayWrite(connection.role), mayWrite(role)];
    connection.role = role;
    if (could && !can)
      connection.send(framed(AUTH, (to) => writePermissionDenied(to, 'This account may only read now')));
    if (can && !could) connection.send(askFor(document));
  }

  return {
    join(connection) {
      void inTurn(connection.room, async () => {
        try {
          // It may be another one than when the connection was let in.
          const role = await world.roleOf(connection.room, connection.account);
          if (role === undefined) return connection.close('gone');
          connection.role = role;
          const room = await open(connection.room);
          room.connections.add(connection);
          connection.send(askFor(room.document));
          connection.send(presenceFrame(room.presence.all()));
        } catch (cause) {
          // It is in no room yet, and has to hear of it.
          connection.close('later');
          throw cause;
        }
      });
    },
    take(connection, frame) {
      void inTurn(connection.room, async () => {
        const room = rooms.get(connection.room);
        if (!room?.connections.has(connection)) return;
        try {
          await take(connection, room, frame);
        } catch (cause) {
          if (cause instanceof NotWritten) throw cause;
          connection.close('malformed');
        }
      });
    },
    accessChanged: (name) =>
      inTurn(name, async () => {
        const room = rooms.get(name);
        if (!room) return;
        const roles = new Map<NoteConnection, Role | undefined>();
        for (const one of room.connections) roles.set(one, await world.roleOf(name, one.account));
        // What was taken while they might is stored; a room that is gone takes nothing more.
        if ([...roles.values()].some((role) => role !== undefined)) await room.document.flush();
        else {
          rooms.delete(name);
          closed(name);
        }
        for (const [one, role] of roles)
          if (role === undefined) one.close('gone');
          else changeRole(one, role, room.document);
        if (rooms.has(name)) await world.askOwner(name);
      }),
    leave(connection) {
      void inTurn(connection.room, async () => {
        const room = rooms.get(connection.room);
        if (!room?.connections.delete(connection)) return;
        const news = room.presence.leave(connection);
        if (news) for (const one of room.connections) one.send(presenceFrame(news));
        if (room.connections.size > 0) return;
        await room.document.close();
        rooms.delete(connection.room);
        await world.closed(connection.room);
      });
    },
    drop: (name) => drop(name, 'later'),
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
    connections: () => [...rooms.values()].flatMap((room) => [...room.connections]),
    rooms: () => rooms.keys(),
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
