/** A reader of a room, `sent` being the last entry that it was sent. `reading`: it is sent pages of the log instead of news. */
export interface Reader<C> {
  readonly connection: C;
  readonly room: string;
  sent: number;
  mode: 'live' | 'reading';
}

/** Who reads which room, and how far: no sockets, no clock, no disk. A connection is whatever the caller says. */
export interface RoomTable<C> {
  /** A reader that begins behind `sent`, and reads; the one that the connection had there before is let go. */
  subscribe(connection: C, room: string, at: { sent: number; head: number }): Reader<C>;
  unsubscribe(connection: C, room: string): void;
  /** The connection is gone. */
  leave(connection: C): void;
  readerOf(connection: C, room: string): Reader<C> | undefined;
  roomsOf(connection: C): readonly Reader<C>[];
  readersOf(room: string): readonly Reader<C>[];
  /**
   * Entries `first` to `head` were committed. Answers who is to be sent them now, and counts them as sent. Who takes too
   * slowly goes back to reading: the log waits for it, the memory of the relay does not.
   */
  committed(
    room: string,
    at: { first: number; head: number },
    isSlow: (connection: C) => boolean,
  ): CommitSplit<C>;
  /** A page up to `seq` was sent; nothing was left behind it where `isEmpty`. Answers whether the reader is live now. */
  caughtUp(reader: Reader<C>, page: { seq: number } | 'empty'): boolean;
  headOf(room: string): number;
}

export interface CommitSplit<C> {
  live: readonly C[];
  /** Readers that have just become slow, whose reading has to be taken up. */
  slowed: readonly Reader<C>[];
}

interface Room<C> {
  head: number;
  readers: Map<C, Reader<C>>;
}

export function createRoomTable<C>(): RoomTable<C> {
  const rooms = new Map<string, Room<C>>();
  const byConnection = new Map<C, Map<string, Reader<C>>>();

  function drop(connection: C, name: string): void {
    const room = rooms.get(name);
    room?.readers.delete(connection);
    if (room?.readers.size === 0) rooms.delete(name);
  }

  return {
    subscribe(connection, name, { sent, head }) {
      const reader: Reader<C> = { connection, room: name, sent, mode: 'reading' };
      const room = rooms.get(name) ?? { head, readers: new Map<C, Reader<C>>() };
      room.head = Math.max(room.head, head);
      room.readers.set(connection, reader);
      rooms.set(name, room);
      const own = byConnection.get(connection) ?? new Map<string, Reader<C>>();
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
      if (!room) return { live: [], slowed: [] };
      room.head = Math.max(room.head, head);
      const live: C[] = [];
      const slowed: Reader<C>[] = [];
      for (const reader of room.readers.values()) {
        if (reader.mode === 'reading') continue;
        if (reader.sent === first - 1 && !isSlow(reader.connection)) {
          reader.sent = head;
          live.push(reader.connection);
        } else {
          reader.mode = 'reading';
          slowed.push(reader);
        }
      }
      return { live, slowed };
    },
    caughtUp(reader, page) {
      if (page !== 'empty') reader.sent = page.seq;
      // Something may have been committed between the look into the log and now.
      else if (reader.sent >= (rooms.get(reader.room)?.head ?? 0)) reader.mode = 'live';
      return reader.mode === 'live';
    },
    headOf: (name) => rooms.get(name)?.head ?? 0,
  };
}
