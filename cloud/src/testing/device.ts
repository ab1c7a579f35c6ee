import { createAssembler, toFrames } from '@reverie/shared/protocol/frames';
import type { Entry, Message, NewEntry } from '@reverie/shared/protocol/messages';
import { PROTOCOL_VERSION } from '@reverie/shared/protocol/version';
import { decode, encode } from '@reverie/shared/protocol/wire';
import { WebSocket } from 'ws';
import * as Y from 'yjs';

type Named<T extends Message['type']> = Extract<Message, { type: T }>;

/** Asks a relay's HTTP interface; answers status and body. */
export async function call(
  origin: string,
  {
    method = 'GET',
    path,
    key,
    body,
    headers = {},
  }: { method?: string; path: string; key?: string; body?: unknown; headers?: Record<string, string> },
): Promise<{ status: number; body: Record<string, never> & { [name: string]: unknown } }> {
  const response = await fetch(`${origin}/v1${path}`, {
    method,
    headers: {
      ...headers,
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as never };
}

/** A linked device, as linking answers it. */
export interface Linked {
  account: string;
  device: string;
  key: string;
}

/** The first device of a new account. */
export async function signUp(origin: string, email: string): Promise<Linked> {
  const { status, body } = await call(origin, {
    method: 'POST',
    path: '/link',
    body: { email, name: 'first' },
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as unknown as Linked;
}

/** One more device of an account, by a code. */
export async function pair(origin: string, by: Linked, name = 'second'): Promise<Linked> {
  const { body: made } = await call(origin, { method: 'POST', path: '/pair', key: by.key });
  const { status, body } = await call(origin, {
    method: 'POST',
    path: '/pair/claim',
    body: { code: made['code'], name },
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as unknown as Linked;
}

export async function openRoom(origin: string, by: Linked, name: string): Promise<string> {
  const { body } = await call(origin, { method: 'POST', path: '/rooms', key: by.key, body: { name } });
  return String(body['id']);
}

/** An entry with a real Yjs update of about a number of bytes. */
export function updateEntry(n: number, size = 16): NewEntry {
  const doc = new Y.Doc();
  doc.getMap('m').set(`key ${n}`, 'x'.repeat(size));
  return { kind: 'update', n, at: 1000, bucket: n % 64, enc: false, body: Y.encodeStateAsUpdate(doc) };
}

/** A device's open connection, for tests and measurements: what came, and waiting for more. */
export interface TestDevice {
  socket: WebSocket;
  /** Everything that came, in order. */
  got: Message[];
  send(message: Message): void;
  /** The first message of a type that came or comes and that fits; each is answered once. */
  next<T extends Message['type']>(type: T, fits?: (message: Named<T>) => boolean): Promise<Named<T>>;
  /** The code of the close, when it comes. */
  closed: Promise<number>;
  close(): void;
}

export interface ConnectOptions {
  incarnation?: string;
  device?: string;
  version?: number;
  onMessage?: (message: Message) => void;
  /** Messages are handed to `onMessage` only. */
  forgets?: boolean;
}

export async function connect(
  origin: string,
  linked: Linked,
  options: ConnectOptions = {},
): Promise<TestDevice> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/sync`, {
    headers: { Authorization: `Bearer ${linked.key}` },
    perMessageDeflate: false,
  });
  const got: Message[] = [];
  const taken = new WeakSet<Message>();
  const waiting = new Set<() => void>();
  const assembler = createAssembler();
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const bytes = assembler.push(data as Buffer);
    if (!bytes) return;
    const message = decode(bytes);
    options.onMessage?.(message);
    if (options.forgets) return;
    got.push(message);
    for (const look of [...waiting]) look();
  });
  const device: TestDevice = {
    socket,
    got,
    send(message) {
      for (const frame of toFrames(encode(message))) socket.send(frame);
    },
    next(type, fits = () => true) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = got.find(
            (message): message is never =>
              message.type === type && !taken.has(message) && fits(message as never),
          );
          if (!found) return;
          waiting.delete(look);
          taken.add(found);
          resolve(found);
        };
        waiting.add(look);
        void closed.then((code) => reject(new Error(`Closed with ${code} before ${type} came`)));
        look();
      });
    },
    closed,
    close: () => socket.close(),
  };
  await Promise.race([new Promise((resolve) => socket.once('open', resolve)), closed]);
  if (socket.readyState === socket.OPEN)
    device.send({
      type: 'hello',
      version: options.version ?? PROTOCOL_VERSION,
      device: options.device ?? linked.device,
      incarnation: options.incarnation ?? 'inc',
    });
  return device;
}

/** Reads a room from its start up to an entry. */
export async function readAll(device: TestDevice, room: string, upTo: number): Promise<Entry[]> {
  device.send({ type: 'subscribe', room, logId: '', cursor: 0, hash: new Uint8Array() });
  await device.next('subscribed', (message) => message.room === room);
  const entries: Entry[] = [];
  while ((entries.at(-1)?.seq ?? 0) < upTo)
    entries.push(...(await device.next('entries', (message) => message.room === room)).entries);
  return entries;
}
