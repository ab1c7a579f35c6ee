/**
 * What daemon and relay say to each other, inside the numbering of y-websocket: 0 sync, 1 awareness and 3 query
 * awareness are left to its own clients; ours begin at 100. One socket carries many rooms; a room is a
 * namespace as the relay knows it.
 */

export const messageNumbers = {
  hello: 100,
  welcome: 101,
  subscribe: 102,
  subscribed: 103,
  unsubscribe: 104,
  append: 105,
  ack: 106,
  entries: 107,
  heads: 108,
  snapshot: 109,
  confirm: 110,
  epoch: 111,
  epochIs: 112,
  presence: 113,
  rooms: 114,
  role: 115,
  error: 116,
} as const;

/** A piece of a message that is larger than a frame; see `frames.ts`. */
export const CHUNK = 120;

/** What a member of a room may do: read; read and write; that, and invite and remove members. */
export const roles = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * Why something was refused. Those of the whole connection are also its close code. 4401: the key is revoked or unknown,
 * do not come again with it. 4404: the room is gone, or was never yours. 4503: come again later.
 */
export const errorCodes = {
  malformed: 4400,
  revoked: 4401,
  forbidden: 4403,
  gone: 4404,
  /** The append names an epoch that is over: encode the operations anew for the one that is told. */
  stale_epoch: 4409,
  /** The operations are stamped more than 10 minutes after the relay's clock: stamp them anew and send again. */
  clock_ahead: 4410,
  too_large: 4413,
  /** An update that is not one: sent again as it is, it is refused again. */
  invalid: 4422,
  version: 4426,
  /** Too many messages: the connection may go on after `retryAfterMs`. */
  rate_limited: 4429,
  later: 4503,
  /** The account's space on the relay is used up. */
  quota: 4507,
} as const;
export type ErrorCode = keyof typeof errorCodes;

/** A hybrid logical clock without its device: milliseconds since 1970, and a counter within one. */
export interface Stamp {
  ms: number;
  counter: number;
}

/** `update`: what the documents' layer made, which the relay does not open. `clear`: all at or below `clearedBefore` is gone. */
export type EntryContent =
  | { kind: 'update'; bucket: number; enc: boolean; body: Uint8Array }
  | { kind: 'clear'; clearedBefore: Stamp };

/** What a device adds to a room: `n` grows within an incarnation of the device, over all rooms. */
export type NewEntry = EntryContent & {
  n: number;
  /** The newest wall-clock time of the operations inside, in ms since 1970: for the check of 10 minutes only. */
  at: number;
};

/** An entry of a room's log. `seq` begins at 1 and has no gaps when it is given, but old entries are trimmed. */
export type Entry = NewEntry & { seq: number; epoch: number; device: string; incarnation: string };

/** Client: the first message. The key stands in the header `Authorization` of the upgrade. */
export interface Hello {
  type: 'hello';
  version: number;
  /** The device of the key, as linking gave it. */
  device: string;
  /** Random, new at each start of the daemon. */
  incarnation: string;
}

/** Relay: answers hello. */
export interface Welcome {
  type: 'welcome';
  version: number;
  /** Random, new when a relay is restored from a backup: cursors of another log are worth nothing. */
  logId: string;
  account: string;
  /** The relay's clock, ms since 1970. */
  now: number;
  /** The relay tells heads at least this often, ms; two of them missed mean that it is not there. */
  heartbeatMs: number;
}

/** Client: read a room from behind `cursor`. `hash` is the one told with that entry, empty for cursor 0. */
export interface Subscribe {
  type: 'subscribe';
  room: string;
  /** The log that cursor and hash are of; empty for none. */
  logId: string;
  cursor: number;
  hash: Uint8Array;
}

/** Relay: snapshots and entries follow. `resync`: the cursor is of another history; everything follows from the start. */
export interface Subscribed {
  type: 'subscribed';
  room: string;
  outcome: 'resume' | 'resync';
  role: Role;
  epoch: number;
  head: number;
  /** Where reading begins: the cursor, or the entry after which this account may read, 0 where that is all of the log. */
  from: number;
  clearedBefore: Stamp;
}

export interface Unsubscribe {
  type: 'unsubscribe';
  room: string;
}

/** Client: entries of one incarnation of its own device, which may be an earlier one. */
export interface Append {
  type: 'append';
  room: string;
  epoch: number;
  incarnation: string;
  entries: readonly NewEntry[];
}

/** Relay: these are on disk, at these places of the room's log. Sent again, an entry gets the same ack. */
export interface Ack {
  type: 'ack';
  room: string;
  incarnation: string;
  acks: readonly { n: number; seq: number }[];
}

/** Relay: the log goes on. `hash` is that of the last entry, for the next subscribe. The own entries of a device are among them. */
export interface Entries {
  type: 'entries';
  room: string;
  entries: readonly Entry[];
  hash: Uint8Array;
  /** The newest entry of the room when this was sent. */
  head: number;
}

/** Relay: the newest entry of every room that is read, at each heartbeat. */
export interface Heads {
  type: 'heads';
  now: number;
  heads: readonly { room: string; head: number }[];
}

/**
 * All of a bucket up to entry `covers`, in one body. From a client to be kept; from the relay in place of
 * entries that it does not keep any more (it always keeps the newest one, whose hash makes the next cursor).
 */
export interface Snapshot {
  type: 'snapshot';
  room: string;
  bucket: number;
  epoch: number;
  covers: number;
  enc: boolean;
  /** SHA-256 of the body. */
  bodyHash: Uint8Array;
  body: Uint8Array;
}

/** Client, another device: the snapshot says what the entries said, so that these may go. */
export interface Confirm {
  type: 'confirm';
  room: string;
  bucket: number;
  covers: number;
  bodyHash: Uint8Array;
}

/** Client: begin the next epoch, if the room is still at `from`; `present` says with what, see `epochAfter`. */
export interface EpochAsked {
  type: 'epoch';
  room: string;
  from: number;
  present: boolean;
}

/** Relay, to all who read the room: its epoch. `granted` to the one whose request made it. */
export interface EpochIs {
  type: 'epochIs';
  room: string;
  epoch: number;
  granted: boolean;
}

/** Both ways: who is there and doing what; never stored. `device` is filled in by the relay. */
export interface Presence {
  type: 'presence';
  room: string;
  device: string;
  body: Uint8Array;
}

/** Relay: the account's rooms, members or devices changed; ask over HTTP which. */
export interface Rooms {
  type: 'rooms';
}

/** Relay: what this account may do in a room from now on. Who was removed gets an error `gone` with the room. */
export interface RoleIs {
  type: 'role';
  room: string;
  role: Role;
}

/** Relay: a refusal, of one entry, of a room, or (without either) of the connection, which is then closed. */
export interface ErrorIs {
  type: 'error';
  code: ErrorCode;
  /** A sentence for people. */
  detail: string;
  room?: string;
  entry?: { incarnation: string; n: number };
  /** When it is of use to try again; 0 where that is not a question of time. */
  retryAfterMs: number;
}

export type Message =
  | Hello
  | Welcome
  | Subscribe
  | Subscribed
  | Unsubscribe
  | Append
  | Ack
  | Entries
  | Heads
  | Snapshot
  | Confirm
  | EpochAsked
  | EpochIs
  | Presence
  | Rooms
  | RoleIs
  | ErrorIs;
