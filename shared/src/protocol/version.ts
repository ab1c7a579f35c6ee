/**
 * The number of the wire between daemon and relay. It grows by one with each change that an older side would
 * misread; `wire-hash.test.ts` fails when the bytes change and this does not.
 */
export const PROTOCOL_VERSION = 4;

/** The oldest number that a relay of this version still understands. */
export const OLDEST_VERSION = 4;

/**
 * The bucket of entries that are no documents: records in JSON, one an entry, in rooms that hold nothing else, such as those of shared
 * sessions. Such a room has no snapshots and no epochs.
 */
export const RECORD_BUCKET = 65_535;

/** Bounds of the wire: what is beyond them is refused by the decoder of either side. Bytes where not said otherwise. */
export const limits = {
  /** One WebSocket frame. */
  frame: 1024 * 1024,
  /** One message, put together from its chunks. */
  message: 16 * 1024 * 1024,
  /** The body of one entry or snapshot. */
  body: 8 * 1024 * 1024,
  /** Entries in one append, ack or entries message. */
  items: 4096,
  /** Buckets of a room. */
  buckets: 65_536,
  /** Presence of one device in a room. */
  presence: 4096,
  /** Rooms that one connection may read, and that one heads message tells of. */
  rooms: 4096,
  /** Characters of a sentence for people. */
  detail: 500,
  id: 64,
} as const;
