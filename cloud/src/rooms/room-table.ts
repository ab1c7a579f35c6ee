/** A reader of a room, `sent` being the last entry that it was sent. `reading`: it is sent pages of the log instead of news. */
export interface RoomReader<C> {
  readonly connection: C;
  readonly room: string;
  sent: number;
  mode: 'live' | 'reading';
  /** How often snapshots of the room had been settled when the reader was last sent them, where others may settle them, too. */
  settled?: number | undefined;
  /** The entry of the log behind which it may read; 0 for all. */
  since: number;
}

/** Who reads which room, and how far: no sockets, no clock, no disk. A connection is whatever the caller says. */
export interface RoomTable<C> {
  /** A reader that begins behind `sent`, and reads; the one that the connection had there before is let go. */
  subscribe(connection: C, room: string, at: { sent: number; head: number; since?: number }): RoomReader<C>;
  unsubscribe(connection: C, room: string): void;
  /** The connection is gone. */
  leave(connection: C): void;
  readerOf(connection: C, room: string): RoomReader<C> | undefined;
  roomsOf(connection: C): readonly RoomReader<C>[];
  readersOf(room: string): readonly RoomReader<C>[];
  /**
   * Entries `first` to `head` were committed. Answers who is to be sent them now, and counts them as sent. Who takes too
   * slowly goes back to reading: the log waits for it, the memory of the relay does not.
   */
  committed(
    room: string,
    at: { first: number; head: number },
    isSlow: (connection: C) => boolean,
  ): CommitSplit<C>;
  /** A page up to `seq` was sent, or nothing was left. Answers whether the reader is live now: it has all that is known of. */
  caughtUp(reader: RoomReader<C>, page: { seq: number } | 'empty'): boolean;
  headOf(room: string): number;
  rooms(): Iterable<string>;
  /** A room has entries up to `head`, which somebody else committed. Answers behind which its live readers have not got them; undefined where they have. */
  grown(room: string, head: number): number | undefined;
  /** Entries behind `behind` and up to `seq` were read for the live readers. Answers who is to be sent those behind their own `sent`, and counts them as sent. */
  followed(
    room: string,
    at: { behind: number; seq: number },
    isSlow: (connection: C) => boolean,
  ): FollowedSplit<C>;
}

export interface CommitSplit<C> {
  live: readonly C[];
  /** Readers that have just become slow, whose reading has to be taken up. */
  slowed: readonly RoomReader<C>[];
  /** Whether some wait for entries before these, which another process committed. */
  isGap: boolean;
}

export interface FollowedSplit<C> {
  live: readonly { connection: C; sent: number }[];
  slowed: readonly RoomReader<C>[];
}

interface Room<C> {
  head: number;
  readers: Map<C, RoomReader<C>>;
}

export function createRoomTable<C>(): RoomTable<C> {
  const rooms = new Map<string, Room<C>>();
  const byConnection = new Map<C, Map<string, RoomReader<C>>>();

  function drop(connection: C, name: string): void {
    const room = rooms.get(name);
    room?.readers.delete(connection);
    if (room?.readers.size === 0) rooms.delete(name);
  }

  return {
    subscribe(connection, name, { sent, head, since = 0 }) {
      const reader: RoomReader<C> = { connection, room: name, sent, since, mode: 'reading' };
      const room = rooms.get(name) ?? { head, readers: new Map<C, RoomReader<C>>() };
      room.head = Math.max(room.head, head);
      room.readers.set(connection, reader);
      rooms.set(name, room);
      const own = byConnection.get(connection) ?? new Map<string, RoomReader<C>>();
      byConnection.set(connection, own.set(name, reader));
      return reader;
    },
    unsubscribe(connection, name) {
      byConnection.get(connection)?.delete(name);
      drop(connection, name);
    },
    leave(connection) {
      for (const name of byConnection.get(connection)?.keys() ?? []) drop(connection, name);
      byConnection.delete(connection);
    },
    readerOf: (connection, name) => byConnection.get(connection)?.get(name),
    roomsOf: (connection) => [...(byConnection.get(connection)?.values() ?? [])],
    readersOf: (name) => [...(rooms.get(name)?.readers.values() ?? [])],
    committed(name, { first, head }, isSlow) {
      const room = rooms.get(name);
      if (!room) return { live: [], slowed: [], isGap: false };
      room.head = Math.max(room.head, head);
      const live: C[] = [];
      const slowed: RoomReader<C>[] = [];
      let isGap = false;
      for (const reader of room.readers.values()) {
        if (reader.mode === 'reading' || reader.sent >= head) continue;
        if (isSlow(reader.connection)) {
          reader.mode = 'reading';
          slowed.push(reader);
        } else if (reader.sent === first - 1) {
          reader.sent = head;
          live.push(reader.connection);
        } else isGap = true;
      }
      return { live, slowed, isGap };
    },
    caughtUp(reader, page) {
      if (page !== 'empty') reader.sent = page.seq;
      // Something may have been committed between the look into the log and now.
      if (reader.sent >= (rooms.get(reader.room)?.head ?? 0)) reader.mode = 'live';
      return reader.mode === 'live';
    },
    headOf: (name) => rooms.get(name)?.head ?? 0,
    rooms: () => rooms.keys(),
    grown(name, head) {
      const room = rooms.get(name);
      if (!room) return undefined;
      room.head = Math.max(room.head, head);
      let tail: number | undefined;
      for (const { mode, sent } of room.readers.values())
        if (mode === 'live' && sent < room.head) tail = Math.min(tail ?? sent, sent);
      return tail;
    },
    followed(name, { behind, seq }, isSlow) {
      const live: { connection: C; sent: number }[] = [];
      const slowed: RoomReader<C>[] = [];
      for (const reader of rooms.get(name)?.readers.values() ?? []) {
        if (reader.mode === 'reading' || reader.sent >= seq) continue;
        if (reader.sent < behind || isSlow(reader.connection)) {
          reader.mode = 'reading';
          slowed.push(reader);
        } else {
          live.push({ connection: reader.connection, sent: reader.sent });
          reader.sent = seq;
        }
      }
      return { live, slowed };
    },
  };
}
