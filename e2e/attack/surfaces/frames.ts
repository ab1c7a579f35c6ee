import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, whole } from '../random.ts';

/** Bytes that are sent behind the handshake of a WebSocket. */
export interface OddFrames {
  what: string;
  bytes: Buffer;
}

/** A frame as a client writes it, masked, unless something is said otherwise; `length` may be a lie. */
export function frame(
  payload: Buffer,
  { opcode = 2, fin = true, masked = true, length = payload.length, rsv = 0 } = {},
): Buffer {
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode];
  const bit = masked ? 0x80 : 0;
  const size =
    length < 126
      ? Buffer.from([bit | length])
      : length < 65_536
        ? Buffer.from([bit | 126, length >> 8, length & 255])
        : Buffer.alloc(9);
  if (length >= 65_536) {
    size[0] = bit | 127;
    size.writeBigUInt64BE(BigInt(length), 1);
  }
  const mask = randomBytes(4);
  const body = masked ? Buffer.from(payload.map((byte, n) => byte ^ (mask[n % 4] ?? 0))) : payload;
  return Buffer.concat([Buffer.from(head), size, ...(masked ? [mask] : []), body]);
}

/** What no client of the protocol sends: frames against RFC 6455, cut ones, and messages that say nothing. `valid` is one that says something. */
export function oddFrames(valid: Buffer, random: Random): OddFrames[] {
  const noise = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  const whole_ = frame(valid);
  const spoiled = Array.from({ length: 12 }, (_, n): [string, Buffer] => {
    const copy = Buffer.from(valid);
    copy[whole(random, 0, Math.max(0, copy.length - 1))] = whole(random, 0, 255);
    return [`a valid message with another byte ${n}`, frame(copy)];
  });
  const cuts = Array.from({ length: 6 }, (_, n): [string, Buffer] => [
    `a valid message cut ${n}`,
    frame(valid.subarray(0, whole(random, 0, Math.max(0, valid.length - 1)))),
  ]);
  const frames: [string, Buffer][] = [
    ...[0, 1, 3, 16, 200, 5000, 70_000].map((size): [string, Buffer] => [
      `${size} bytes of noise`,
      frame(noise(size)),
    ]),
    ...[0x80, 0xff].map((byte): [string, Buffer] => [
      `numbers without an end of ${byte}`,
      frame(Buffer.alloc(64, byte)),
    ]),
    ...spoiled,
    ...cuts,
    ['a text', frame(Buffer.from('{"type":"hello"}'), { opcode: 1 })],
    ['a text that is no UTF-8', frame(Buffer.from([0xff, 0xfe]), { opcode: 1 })],
    ['no mask', frame(valid, { masked: false })],
    ['a reserved bit', frame(valid, { rsv: 4 })],
    ...[3, 11, 15].map((opcode): [string, Buffer] => [`the opcode ${opcode}`, frame(valid, { opcode })]),
    ['a continuation of nothing', frame(valid, { opcode: 0 })],
    ['a ping of 200 bytes', frame(noise(200), { opcode: 9 })],
    ['a ping in pieces', frame(noise(9), { opcode: 9, fin: false })],
    ['a close with one byte', frame(Buffer.from([3]), { opcode: 8 })],
    ['a close with the code 999', frame(Buffer.from([3, 231]), { opcode: 8 })],
    [
      '2,000 pings',
      Buffer.concat(Array.from({ length: 2000 }, () => frame(Buffer.from('x'), { opcode: 9 }))),
    ],
    [
      '2,000 empty pieces',
      Buffer.concat([
        frame(valid, { fin: false }),
        ...Array.from({ length: 2000 }, () => frame(Buffer.alloc(0), { opcode: 0, fin: false })),
      ]),
    ],
    ['a length of 2^62', frame(valid, { length: 2 ** 62 })],
    ['a length of 64 MB', frame(valid, { length: 64 * 1024 * 1024 })],
    ['a cut frame', whole_.subarray(0, Math.ceil(whole_.length / 2))],
    ['a cut head', whole_.subarray(0, 1)],
    ['2,000 messages at once', Buffer.concat(Array.from({ length: 2000 }, () => whole_))],
    ['3 MB', frame(Buffer.alloc(3_000_000, 7))],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ];
  return frames.map(([what, bytes]) => ({ what, bytes }));
}

/** Opens a WebSocket below any client, sends bytes, and reads for a moment; answers the status of the handshake, and what came behind it. */
export async function sendFrames(
  origin: string,
  {
    path,
    headers,
    bytes,
    listenMs = 15,
  }: { path: string; headers: Record<string, string>; bytes: Buffer; listenMs?: number },
): Promise<{ status: number; came: Buffer }> {
  const { hostname, port } = new URL(origin);
  const socket = net.connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  let came: () => void = () => undefined;
  const shaken = new Promise<void>((resolve) => (came = resolve));
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    if (Buffer.concat(pieces).includes('\r\n\r\n')) came();
  });
  socket.on('error', () => came());
  socket.on('close', () => came());
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    ...[
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ],
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await Promise.race([shaken, pause(5000)]);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(pieces).toString('latin1'))?.[1] ?? 0);
  if (status === 101) {
    socket.write(bytes);
    await pause(listenMs);
  }
  // As a client that is cut, not as one that says goodbye.
  socket.resetAndDestroy();
  return { status, came: Buffer.concat(pieces) };
}
