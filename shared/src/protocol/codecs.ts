import {
  body,
  bytes,
  type Field,
  flag,
  hash,
  hashOrNone,
  id,
  idOrNone,
  listOf,
  oneOf,
  ProtocolError,
  record,
  text,
  uint,
} from './fields.ts';
import {
  type Entries,
  type Entry,
  type EntryContent,
  type ErrorCode,
  errorCodes,
  type ErrorIs,
  type Message,
  messageNumbers,
  type NewEntry,
  roles,
  type Stamp,
} from './messages.ts';
import { limits } from './version.ts';

const bucket = uint(limits.buckets - 1);
const whole = uint();
const stamp = record<Stamp>({ ms: whole, counter: uint(0xffff_ffff) });

const kinds = oneOf(['update', 'clear']);
const update = record<{ bucket: number; enc: boolean; body: Uint8Array }>({ bucket, enc: flag, body });

const content: Field<EntryContent> = {
  write(to, value) {
    kinds.write(to, value.kind);
    if (value.kind === 'update') update.write(to, value);
    else stamp.write(to, value.clearedBefore);
  },
  read: (from) =>
    kinds.read(from) === 'update'
      ? { kind: 'update', ...update.read(from) }
      : { kind: 'clear', clearedBefore: stamp.read(from) },
};

const place = record<{ n: number; at: number }>({ n: whole, at: whole });
const newEntry: Field<NewEntry> = {
  write(to, value) {
    place.write(to, value);
    content.write(to, value);
  },
  read: (from) => ({ ...place.read(from), ...content.read(from) }),
};

interface Writer {
  device: string;
  incarnation: string;
}
const writers = listOf(record<Writer>({ device: id, incarnation: id }));
const writerAt = uint(limits.items - 1);
const logged = record<{ seq: number; epoch: number }>({ seq: whole, epoch: whole });
const entriesHead = record<Pick<Entries, 'room' | 'hash' | 'head'>>({ room: id, hash, head: whole });

/** Device and incarnation stand once for all entries of one writer: 50 bytes each would be an eighth of an entry. */
const entries: Field<Entries> = {
  write(to, value) {
    entriesHead.write(to, value);
    const places = new Map<string, number>();
    const named: Writer[] = [];
    for (const { device, incarnation } of value.entries) {
      const name = `${device} ${incarnation}`;
      if (places.has(name)) continue;
      places.set(name, named.length);
      named.push({ device, incarnation });
    }
    writers.write(to, named);
    const entry: Field<Entry> = {
      write(out, one) {
        logged.write(out, one);
        writerAt.write(out, places.get(`${one.device} ${one.incarnation}`) ?? 0);
        newEntry.write(out, one);
      },
      read: () => {
        throw new ProtocolError('This one only writes');
      },
    };
    listOf(entry).write(to, value.entries);
  },
  read(from) {
    const head = entriesHead.read(from);
    const named = writers.read(from);
    const entry: Field<Entry> = {
      write: () => {
        throw new ProtocolError('This one only reads');
      },
      read(within) {
        const at = logged.read(within);
        const writer = named[writerAt.read(within)];
        if (!writer) throw new ProtocolError('An entry names a writer that is not there');
        return { ...at, ...writer, ...newEntry.read(within) };
      },
    };
    return { type: 'entries', ...head, entries: listOf(entry).read(from) };
  },
};

const code = oneOf(Object.keys(errorCodes) as ErrorCode[]);
const errorHead = record<Pick<ErrorIs, 'code' | 'detail' | 'retryAfterMs'> & { about: string }>({
  code,
  // Four bytes of UTF-8 for a character at most.
  detail: text(4 * limits.detail),
  retryAfterMs: whole,
  about: idOrNone,
});
const entryName = record<{ incarnation: string; n: number }>({ incarnation: id, n: whole });

const error: Field<ErrorIs> = {
  write(to, value) {
    errorHead.write(to, { ...value, about: value.room ?? '' });
    flag.write(to, value.entry !== undefined);
    if (value.entry) entryName.write(to, value.entry);
  },
  read(from) {
    const { about, ...head } = errorHead.read(from);
    const names = flag.read(from);
    return {
      type: 'error',
      ...head,
      ...(about !== '' && { room: about }),
      ...(names && { entry: entryName.read(from) }),
    };
  },
};

type Named<T extends Message['type']> = Extract<Message, { type: T }>;
type Body<T extends Message['type']> = Omit<Named<T>, 'type'>;

function message<T extends Message['type']>(
  type: T,
  fields: { [K in keyof Body<T>]-?: Field<Body<T>[K]> },
): Field<Named<T>> {
  const inner = record<Body<T>>(fields);
  return {
    write: (to, value) => inner.write(to, value),
    read: (from) => ({ type, ...inner.read(from) }) as Named<T>,
  };
}

/** How each message stands on the wire, behind its number. */
export const codecs: { [T in Message['type']]: Field<Named<T>> } = {
  hello: message('hello', { version: uint(0xffff), device: id, incarnation: id }),
  welcome: message('welcome', {
    version: uint(0xffff),
    logId: id,
    account: id,
    now: whole,
    heartbeatMs: uint(3_600_000),
  }),
  subscribe: message('subscribe', { room: id, logId: idOrNone, cursor: whole, hash: hashOrNone }),
  subscribed: message('subscribed', {
    room: id,
    outcome: oneOf(['resume', 'resync']),
    role: oneOf(roles),
    epoch: whole,
    head: whole,
    from: whole,
    clearedBefore: stamp,
  }),
  unsubscribe: message('unsubscribe', { room: id }),
  append: message('append', { room: id, epoch: whole, incarnation: id, entries: listOf(newEntry) }),
  ack: message('ack', {
    room: id,
    incarnation: id,
    acks: listOf(record<{ n: number; seq: number }>({ n: whole, seq: whole })),
  }),
  entries,
  heads: message('heads', {
    now: whole,
    heads: listOf(record<{ room: string; head: number }>({ room: id, head: whole }), limits.rooms),
  }),
  snapshot: message('snapshot', {
    room: id,
    bucket,
    epoch: whole,
    covers: whole,
    enc: flag,
    bodyHash: hash,
    body,
  }),
  confirm: message('confirm', { room: id, bucket, covers: whole, bodyHash: hash }),
  epoch: message('epoch', { room: id, from: whole, present: flag }),
  epochIs: message('epochIs', { room: id, epoch: whole, granted: flag }),
  presence: message('presence', { room: id, device: idOrNone, body: bytes(limits.presence) }),
  rooms: message('rooms', {}),
  role: message('role', { room: id, role: oneOf(roles) }),
  error,
};

/** The message of a number; undefined for numbers that are not ours. */
export const typeOfNumber: ReadonlyMap<number, Message['type']> = new Map(
  Object.entries(messageNumbers).map(([type, number]) => [number, type as Message['type']]),
);
