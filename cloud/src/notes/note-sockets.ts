import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCodes, type Role } from '@reverie/shared/protocol/messages';
import { limits } from '@reverie/shared/protocol/version';
import type { Logger } from 'pino';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '@reverie/shared/time/clock';
import type { Holder } from '../peers/peers.ts';
import { passOn } from '../peers/pass-on.ts';
import type { Metrics } from '../metrics.ts';
import { createThrottle } from '../throttle.ts';
import { createNotes, type NoteConnection, type NotesWorld, QUIET } from './notes.ts';

export interface NoteSocketsDeps {
  clock: Clock;
  metrics: Metrics;
  log: Logger;
  world: NoteSocketsWorld;
}

export interface NoteSocketsWorld extends Omit<NotesWorld, 'failed'> {
  updatesPerSecond: number;
  heartbeatMs: number;
  /** The device of a key as `Authorization` has it; undefined where it is none, `disabled` where its account is, `refused` where too many tried. */
  deviceOf(
    request: IncomingMessage,
    authorization: string | undefined,
  ): Promise<{ id: string; account: string } | undefined | 'disabled' | 'refused'>;
  /** Takes a document for this node; answers where else it is open already. */
  hold(room: string): Promise<Holder>;
}

/** The connections of stock y-websocket clients. */
export interface NoteSockets {
  /** Takes an upgrade to `/y/{room}`; false where it is to something else. */
  upgrade(request: IncomingMessage, at: { socket: Duplex; head: Buffer }): boolean;
  /** The devices that are connected, once for each connection. */
  devices(): Iterable<{ device: string; account: string }>;
  /** The rooms whose document is open here. */
  rooms(): Iterable<string>;
  /** Shuts a device out; `isDisabled`: for its account was disabled. */
  revoke(device: string, isDisabled?: boolean): void;
  accessChanged(room: string): Promise<void>;
  /** Has the people of a document come again, to wherever it is open now. */
  drop(room: string): void;
  /** Closes all: they come again. */
  comeAgain(): void;
  drain(): Promise<void>;
}

/** The subprotocol; a browser, which cannot set headers, sends its key beside it as `bearer.<key>`. */
export const NOTES_PROTOCOL = 'reverie.notes';
const PATH = /^\/y\/([\w-]{1,64})(?:\?|$)/;
const MOST_OF_DEVICE = 16;
const MOST_MISSED = 2;
/** Who lets so much wait is let go, and reads what it missed when it comes again. */
const CHOKED = 8 * 1024 * 1024;
const CLOSING_MS = 5000;
const TOO_BIG = 1009;

/** Stock clients come again for ever after 1009, and stop at codes from 4400 to 4499. */
class NoteSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code === TOO_BIG ? errorCodes.too_large : code, reason);
  }
}

function authorizationOf({ headers }: IncomingMessage): string | undefined {
  const offered = headers['sec-websocket-protocol']?.split(',').map((one) => one.trim()) ?? [];
  const key = offered.find((one) => one.startsWith('bearer.'))?.slice('bearer.'.length);
  return key === undefined ? headers.authorization : `Bearer ${key}`;
}

export function serveNotes({ clock, metrics, log, world }: NoteSocketsDeps): NoteSockets {
  const notes = createNotes({ ...world, failed: (err, what) => log.error({ err }, what) });
  const open = new Map<NoteConnection, { socket: WebSocket; missed: number }>();
  let isDraining = false;
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frame,
    perMessageDeflate: false,
    WebSocket: NoteSocket,
    handleProtocols: (offered) => (offered.has(NOTES_PROTOCOL) ? NOTES_PROTOCOL : false),
  });

  function close(socket: WebSocket, code: ErrorCode): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    metrics.closed.inc({ code });
    socket.close(errorCodes[code], code);
    setTimeout(() => socket.terminate(), CLOSING_MS).unref();
  }

  function serve(
    socket: WebSocket,
    who: { room: string; device: string; account: string; role: Role },
  ): void {
    const perSecond = world.updatesPerSecond;
    const throttle = createThrottle({ perSecond, burst: perSecond * 10 });
    const state = { socket, missed: 0 };
    const connection: NoteConnection = {
      ...who,
      send(frame) {
        if (socket.readyState !== WebSocket.OPEN) return;
        if (socket.bufferedAmount > CHOKED) return close(socket, 'later');
        socket.send(frame);
        metrics.sentBytes.inc(frame.length);
      },
      close: (code) => close(socket, code),
    };
    open.set(connection, state);
    metrics.notes.inc();
    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (socket.readyState !== WebSocket.OPEN) return;
      state.missed = 0;
      if (!isBinary) return close(socket, 'malformed');
      const frame = new Uint8Array(data as Buffer);
      const wait = throttle.take(Math.ceil(frame.length / 1024), clock.now());
      if (wait > 0) {
        socket.pause();
        setTimeout(() => socket.resume(), Math.min(wait, CLOSING_MS)).unref();
      }
      notes.take(connection, frame);
    });
    socket.on('pong', () => (state.missed = 0));
    socket.on('close', () => {
      open.delete(connection);
      metrics.notes.dec();
      notes.leave(connection);
    });
    notes.join(connection);
  }

  const heartbeat = clock.every(world.heartbeatMs, () => {
    for (const [connection, state] of open) {
      if (state.missed >= MOST_MISSED) {
        state.socket.terminate();
        continue;
      }
      state.missed += 1;
      state.socket.ping();
      connection.send(QUIET);
    }
  });

  return {
    upgrade(request, { socket, head }) {
      const room = PATH.exec(request.url ?? '')?.[1];
      if (room === undefined) return false;
      const unanswered = (err: unknown) => {
        log.error({ err }, 'a connection to a shared document could not be admitted');
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      };
      admit(request, { room, socket, head }).catch(unanswered);
      return true;
    },
    devices: () => open.keys(),
    rooms: notes.rooms,
    revoke(device, isDisabled = false) {
      for (const connection of open.keys())
        if (connection.device === device) connection.close(isDisabled ? 'forbidden' : 'revoked');
    },
    accessChanged: notes.accessChanged,
    drop: (room) => notes.drop(room),
    comeAgain() {
      for (const connection of open.keys()) connection.close('later');
    },
    async drain() {
      isDraining = true;
      heartbeat.stop();
      const closed = [...open.values()].map(
        ({ socket }) => new Promise((resolve) => socket.once('close', resolve)),
      );
      for (const connection of open.keys()) connection.close('later');
      await Promise.all(closed);
      await notes.idle();
    },
  };

  async function admit(
    request: IncomingMessage,
    { room, socket, head }: { room: string; socket: Duplex; head: Buffer },
  ): Promise<void> {
    const device = await world.deviceOf(request, authorizationOf(request));
    if (device === 'refused') {
      socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    // Before the upgrade: what a client says would be lost while nobody listens.
    const role = typeof device === 'object' ? await world.roleOf(room, device.account) : undefined;
    const holder = role && (await world.hold(room));
    if (holder?.kind === 'elsewhere') return passOn(request, { socket, head, address: holder.address });
    wss.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', (err) =>
        log.debug({ code: (err as { code?: unknown }).code }, 'a socket of a shared document failed'),
      );
      if (!device) return close(webSocket, 'revoked');
      if (device === 'disabled') return close(webSocket, 'forbidden');
      if (!role) return close(webSocket, 'gone');
      const others = open.keys().filter((one) => one.device === device.id);
      if (isDraining || [...others].length >= MOST_OF_DEVICE) return close(webSocket, 'later');
      serve(webSocket, { room, device: device.id, account: device.account, role });
    });
  }
}
