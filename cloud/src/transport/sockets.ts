import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAssembler } from '@reverie/shared/protocol/frames';
import type { Message } from '@reverie/shared/protocol/messages';
import { limits, OLDEST_VERSION, PROTOCOL_VERSION } from '@reverie/shared/protocol/version';
import { decode, ProtocolError } from '@reverie/shared/protocol/wire';
import type { Logger } from 'pino';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '@reverie/shared/time/clock';
import { type DeviceConnection, createConnection } from './connection.ts';
import type { Metrics } from '../metrics.ts';
import { DISABLED } from './refusals.ts';
import type { Syncing } from './syncing.ts';
import { createThrottle } from '../throttle.ts';

export interface SocketsDeps {
  syncing: Syncing;
  clock: Clock;
  metrics: Metrics;
  log: Logger;
  world: SocketsWorld;
}

export interface SocketsWorld {
  /** The name of the log, as it is now. */
  logId(): string;
  entriesPerSecond: number;
  heartbeatMs: number;
  /** Whether a request asks for a name of this relay. */
  isForUs(request: IncomingMessage): boolean;
  /** The device of an upgrade; undefined where its key is unknown, revoked or expired; `disabled` where its account is; `refused` where too many tried. */
  deviceOf(
    request: IncomingMessage,
  ): Promise<{ id: string; account: string } | undefined | 'disabled' | 'refused'>;
  seen(device: string): void;
  /** Is offered the upgrades of other paths; false where it does not know them either. */
  otherwise(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

export const SYNC_PATH = '/v1/sync';

/** The open connections. */
export interface Sockets {
  /** The devices that are connected, once for each connection. */
  devices(): Iterable<{ device: string; account: string }>;
  /** Shuts a device out; `isDisabled`: for its account was disabled. */
  revoke(device: string, isDisabled?: boolean): void;
  /** Tells an account's devices to ask for its rooms and devices again. */
  tellRooms(account: string): void;
  /** Closes all with 4503: they come again at once. */
  comeAgain(detail: string): void;
  /** Closes all with 4503, once what they added is on disk. */
  drain(): Promise<void>;
}

const HELLO_MS = 10_000;
/** Shorter than a heartbeat, whose answer is read from the same socket. */
const LONGEST_PAUSE = 10_000;
/** Heartbeats without a sign after which a connection counts as half open. */
const MOST_MISSED = 2;
/** One is what a daemon needs; more are there while old ones are not known to be dead. */
const MOST_OF_DEVICE = 16;
/** Above this, what a device says is read only when it has taken what it was told. */
const CHOKED = 8 * 1024 * 1024;

const UNAVAILABLE = '503 Service Unavailable';

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Serves `/v1/sync` on a server. */
export function serveSockets(server: Server, deps: SocketsDeps): Sockets {
  const { syncing, clock, metrics, log, world } = deps;
  const open = new Map<DeviceConnection, { missed: number; socket: WebSocket }>();
  const wss = new WebSocketServer({ noServer: true, maxPayload: limits.frame, perMessageDeflate: false });
  let isDraining = false;

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!world.isForUs(request)) return refuse(socket, '421 Misdirected Request');
    const isOurs = (request.url ?? '').split('?', 1)[0] === SYNC_PATH;
    if (!isOurs && !isDraining && world.otherwise(request, socket, head)) return;
    if (!isOurs) return refuse(socket, '404 Not Found');
    if (isDraining) return refuse(socket, UNAVAILABLE);
    admit(request, socket, head).catch((err: unknown) => {
      log.error({ err }, 'a connection could not be admitted');
      refuse(socket, UNAVAILABLE);
    });
  });

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const device = await world.deviceOf(request);
    if (isDraining) return refuse(socket, UNAVAILABLE);
    if (device === 'refused') return refuse(socket, '429 Too Many Requests');
    wss.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', (err) =>
        log.debug({ code: (err as { code?: unknown }).code }, 'a socket failed'),
      );
      const { id, account } = typeof device === 'object' ? device : { id: '', account: '' };
      const connection = createConnection(webSocket, { device: id, account, metrics });
      const others = open.keys().filter((one) => one.device === id);
      // Told over the socket, for a client sees the status of a refused upgrade badly.
      if (device === 'disabled') connection.close(DISABLED.code, DISABLED.detail, DISABLED.retryAfterMs);
      else if (device && [...others].length >= MOST_OF_DEVICE)
        connection.close('later', `A device has ${MOST_OF_DEVICE} connections at most`, 60_000);
      else if (device) serve(connection, webSocket);
      else connection.close('revoked', 'The key of this device is unknown, revoked or expired');
    });
  }

  function serve(connection: DeviceConnection, socket: WebSocket): void {
    const assembler = createAssembler();
    const { entriesPerSecond: perSecond } = world;
    const throttle = createThrottle({ perSecond, burst: perSecond * 10 });
    const presences = createThrottle({ perSecond: 10, burst: 40 });
    let waiting: Message[] = [];
    let isBusy = false;
    let isGreeted = false;
    const patience = setTimeout(
      () => connection.close('malformed', 'Nothing was said within 10 seconds'),
      HELLO_MS,
    );
    const state = { missed: 0, socket };
    open.set(connection, state);
    metrics.connections.inc();
    world.seen(connection.device);

    function take(message: Message): void {
      if (!isGreeted) return greet(message);
      if (isBusy) return void waiting.push(message);
      const later = syncing.handle(connection, message);
      if (later) hold(later);
    }

    /** One message after the other: what comes meanwhile stays in the socket. */
    function hold(later: Promise<void>): void {
      isBusy = true;
      const resume = connection.pause();
      later
        .catch((err: unknown) => {
          log.error({ err }, 'a message could not be handled');
          connection.close('later', 'Something went wrong here', 5000);
        })
        .finally(() => {
          isBusy = false;
          const next = waiting;
          waiting = [];
          for (const message of next) take(message);
          resume();
        });
    }

    function greet(message: Message): void {
      if (message.type !== 'hello') return connection.close('malformed', 'The first message is hello');
      if (message.version < OLDEST_VERSION || message.version > PROTOCOL_VERSION)
        return connection.close(
          'version',
          `This relay speaks the versions ${OLDEST_VERSION} to ${PROTOCOL_VERSION} of the protocol, not ${message.version}`,
        );
      if (message.device !== connection.device)
        return connection.close('revoked', 'The key is that of another device');
      isGreeted = true;
      clearTimeout(patience);
      connection.send({
        type: 'welcome',
        version: message.version,
        logId: world.logId(),
        account: connection.account,
        now: clock.now(),
        heartbeatMs: world.heartbeatMs,
      });
    }

    socket.on('message', (data: RawData, isBinary: boolean) => {
      if (!connection.isOpen()) return;
      state.missed = 0;
      try {
        if (!isBinary) throw new ProtocolError('Messages are binary');
        const bytes = assembler.push(data as Buffer);
        const message = bytes && decode(bytes);
        if (!message) return;
        if (message.type === 'presence' && presences.take(1, clock.now()) > 0) return;
        // A KiB counts as an entry: who sends large ones takes as much of the disk.
        const entries = message.type === 'append' ? message.entries.length : 1;
        const count = Math.max(entries, Math.ceil(bytes.length / 1024));
        const wait = throttle.take(count, clock.now());
        if (wait > 0) setTimeout(connection.pause(), Math.min(wait, LONGEST_PAUSE)).unref();
        take(message);
        if (connection.buffered() > CHOKED && !isBusy) hold(connection.drained());
      } catch (cause) {
        if (!(cause instanceof ProtocolError)) throw cause;
        connection.close('malformed', cause.message);
      }
    });
    socket.on('pong', () => (state.missed = 0));
    socket.on('close', () => {
      clearTimeout(patience);
      open.delete(connection);
      metrics.connections.dec();
      syncing.left(connection);
      world.seen(connection.device);
    });
  }

  const heartbeat = clock.every(world.heartbeatMs, () => {
    for (const [connection, state] of open) {
      // Half open, or so slow that our last ping still waits: it will come again.
      if (state.missed >= MOST_MISSED) {
        state.socket.terminate();
        continue;
      }
      state.missed += 1;
      state.socket.ping();
      syncing.tellHeads(connection);
    }
  });

  const each = (
    chosen: (connection: DeviceConnection) => boolean,
    run: (connection: DeviceConnection) => void,
  ) => {
    for (const connection of open.keys()) if (chosen(connection)) run(connection);
  };

  return {
    devices: () => open.keys(),
    revoke: (device, isDisabled = false) =>
      each(
        (connection) => connection.device === device,
        (connection) =>
          isDisabled
            ? connection.close(DISABLED.code, DISABLED.detail, DISABLED.retryAfterMs)
            : connection.close('revoked', 'This device was shut out'),
      ),
    tellRooms: (account) =>
      each(
        (connection) => connection.account === account,
        (connection) => connection.send({ type: 'rooms' }),
      ),
    comeAgain: (detail) =>
      each(
        () => true,
        (connection) => connection.close('later', detail, 1000),
      ),
    async drain() {
      isDraining = true;
      heartbeat.stop();
      // Nothing more is read, or what comes all the time would never be done with.
      const resumes = [...open.keys()].map((connection) => connection.pause());
      await syncing.idle();
      each(
        () => true,
        (connection) => connection.close('later', 'The relay is stopping', 1000),
      );
      // For the answer to the close.
      for (const resume of resumes) resume();
      await Promise.all(
        [...open.values()].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve))),
      );
    },
  };
}
