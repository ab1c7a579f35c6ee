import type { IncomingMessage } from 'node:http';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { removeForgotten } from '@reverie/shared/accounts/signup';
import { Problem } from '@reverie/shared/contract/problems';
import { createMount } from '@reverie/shared/http/mount';
import { bucketHeaders, createAddressBuckets } from '@reverie/shared/http/rate-limit';
import { refuseForeignForms } from '@reverie/shared/http/guard';
import { answerUnknown, createServer, servedMethods } from '@reverie/shared/http/server';
import { startEmptying } from '@reverie/shared/sqlite/log-emptying';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createSpace } from './admission.ts';
import { createSqliteAccountStore, findAccount } from './accounts/accounts.store.ts';
import { deleteExpired, endDevice, listDeviceRows, saveLastSeen } from './accounts/devices.store.ts';
import { createOutbox } from './accounts/mail.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/open-database.ts';
import { createHosts } from './hosts.ts';
import { createMetrics } from './metrics.ts';
import { addNotes, loadNotes, replaceNotes, sizeOfNotes } from './notes/notes.store.ts';
import { serveNotes } from './notes/note-sockets.ts';
import { deleteRoom, findAccess, listMemberRows, ownerOf, ownRooms } from './rooms/rooms.store.ts';
import { authenticate, deviceOfKey } from './routes/callers.ts';
import { deviceRoutes } from './routes/devices.routes.ts';
import { serveInvites } from './routes/invite-page.ts';
import { linkingRoutes } from './routes/linking.routes.ts';
import { roomRoutes } from './routes/rooms.routes.ts';
import { serveSystem } from './routes/system.routes.ts';
import { serveSockets } from './sockets.ts';
import { createSyncing } from './syncing.ts';
import { createUpdateReader } from './update-reader.ts';
import { compactAll } from './update-log/compacting.ts';
import type { UpdateLog } from './update-log/update-log.ts';

export interface RelayDeps {
  config: Config;
  db: Database;
  updates: UpdateLog;
  clock: Clock;
  log: Logger;
}

export interface Relay {
  http: FastifyInstance;
  /** Where it listens; the public address where none is set. */
  listensAt(origin: string): void;
  startBackground(): void;
  /** Takes nothing new, finishes what came, tells the devices, and ends. */
  stop(): Promise<void>;
}

const MB = 1024 * 1024;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a snapshot waits for another device before what it covers is let go. */
const SNAPSHOT_WAITS = 14 * 24 * HOUR;

/** Joins the parts of a relay; `main.ts` and tests use it. */
export async function buildRelay({ config, db, updates, clock, log }: RelayDeps): Promise<Relay> {
  const metrics = createMetrics();
  const buckets = {
    anonymous: createAddressBuckets({ limit: 3000 }),
    accounts: createAddressBuckets({ limit: 20_000 }),
    tries: createAddressBuckets({ limit: 30 }),
    sockets: createAddressBuckets({ limit: 3000 }),
  };
  let origin = '';
  const publicUrl = () => config.RELAY_PUBLIC_URL?.replace(/\/+$/, '') ?? origin;
  const space = createSpace(
    {
      // What an account holds is its logs and its shared documents.
      async state(room) {
        const state = await updates.state(room);
        return state && { ...state, bytes: state.bytes + sizeOfNotes(db, room) };
      },
    },
    (account) => ownRooms(db, account),
  );
  // Once confirmed, always confirmed: asked with each append, and not worth a look into the database.
  const confirmed = new Set<string>();
  const quotaOf = (id: string) => {
    if (!confirmed.has(id) && findAccount(db, id)?.confirmed_at != null) confirmed.add(id);
    return (confirmed.has(id) ? config.RELAY_QUOTA_MB : config.RELAY_PROVISIONAL_QUOTA_MB) * MB;
  };
  // Written now and then: a thousand devices that connect at once shall not wait for a thousand commits.
  const lastSeen = new Map<string, number>();
  const saveSeen = () => {
    saveLastSeen(db, lastSeen);
    lastSeen.clear();
  };

  const http = createServer({
    log,
    trustProxy: config.RELAY_TRUST_PROXY,
    earlyHeaders: (address) => bucketHeaders(buckets.anonymous.peek(address, clock.now())),
  });
  const hosts = createHosts(config, () => origin);
  http.addHook('onRequest', async ({ raw }) => {
    const refusal = hosts.refusalOf(raw);
    if (refusal) throw refusal;
  });
  refuseForeignForms(http, publicUrl);
  const reader = createUpdateReader();
  const syncing = createSyncing({
    log: updates,
    clock,
    metrics,
    space,
    world: {
      accessOf: (room, account) => findAccess(db, room, account),
      quotaOf,
      read: (account, bodies) => reader.read(account, bodies),
      failed: (err, entries) => log.error({ err, entries }, 'entries could not be written'),
    },
  });
  const notes = serveNotes({
    clock,
    metrics,
    log,
    world: {
      updatesPerSecond: config.RELAY_ENTRIES_PER_SECOND,
      heartbeatMs: config.RELAY_HEARTBEAT_MS,
      deviceOf: deviceBy,
      roleOf: (room, account) => findAccess(db, room, account)?.role,
      load: (room) => loadNotes(db, room),
      // Counted when it is stored: clients that come again say all that they have, and most of it is no news.
      add(room, added) {
        addNotes(db, room, added);
        const owner = ownerOf(db, room);
        if (owner !== undefined) for (const { length } of added) space.add(owner, length);
      },
      replace(room, whole) {
        replaceNotes(db, room, whole);
        freed(room);
      },
      hasSpace(room, bytes) {
        const owner = ownerOf(db, room);
        const used = owner === undefined ? undefined : space.used(owner);
        // While it is being counted, one more is let in.
        if (owner === undefined || typeof used !== 'number') return true;
        return used + bytes <= quotaOf(owner);
      },
    },
  });
  const sockets = serveSockets(http.server, {
    syncing,
    clock,
    metrics,
    log,
    world: {
      logId: updates.logId,
      isForUs: (request) => hosts.refusalOf(request) === undefined,
      entriesPerSecond: config.RELAY_ENTRIES_PER_SECOND,
      heartbeatMs: config.RELAY_HEARTBEAT_MS,
      deviceOf: (request) => deviceBy(request, request.headers.authorization),
      seen: (device) => void lastSeen.set(device, clock.now()),
      otherwise: (request, socket, head) => notes.upgrade(request, { socket, head }),
    },
  });

  function deviceBy(request: IncomingMessage, authorization: string | undefined) {
    const device = deviceOfKey({ db, clock }, authorization);
    if (device) return device;
    const address =
      addressOf(request.headers['x-forwarded-for'], config) ?? request.socket.remoteAddress ?? '';
    return buckets.sockets.count(address, clock.now()).exceeded ? ('refused' as const) : undefined;
  }

  /** Everything of an account that is not in its own rows. */
  async function removing(account: string): Promise<void> {
    for (const { id } of listDeviceRows(db, account)) {
      endDevice(db, { id, account, now: clock.now() });
      revoke(id);
    }
    for (const room of ownRooms(db, account)) {
      const members = listMemberRows(db, room);
      await updates.remove(room);
      deleteRoom(db, room);
      changed(
        room,
        members.map((member) => member.account),
      );
    }
    space.forget(account);
    confirmed.delete(account);
  }
  const store: AccountStore = createSqliteAccountStore(db, removing);

  function revoke(device: string): void {
    sockets.revoke(device);
    notes.revoke(device);
  }

  function changed(room: string, accounts: readonly string[]): void {
    syncing.accessChanged(room);
    notes.accessChanged(room);
    for (const account of accounts) {
      space.forget(account);
      sockets.tellRooms(account);
    }
  }

  const served = servedMethods(http);
  const callerOf = authenticate(http, { db, clock, buckets });
  const mount = createMount(http, {
    callerOf,
    once: () => {
      throw new Error('Nothing here is idempotent');
    },
  });
  const outbox = createOutbox(`${config.RELAY_HOME}/outbox`, { config, clock, log });
  await linkingRoutes(http, {
    db,
    clock,
    store,
    outbox,
    world: { isOpen: config.RELAY_SIGNUP, publicUrl, tries: buckets.tries, tell: sockets.tellRooms },
  });
  deviceRoutes(mount, {
    db,
    clock,
    store,
    sockets: { ...sockets, revoke },
    world: { ...space, quotaOf, seenAt: (device) => lastSeen.get(device) },
  });
  roomRoutes(mount, { db, log: updates, now: () => clock.now(), changed, publicUrl });
  serveInvites(http, { db, clock, publicUrl });
  serveSystem(http, { config, db, metrics, logId: updates.logId });
  answerUnknown(http, served, (request) => {
    throw new Problem('not_found', `Nothing is served at ${request.url.split('?', 1)[0] ?? '/'}`);
  });

  /** What is left of a room's log is counted anew. */
  function freed(room: string): void {
    const owner = ownerOf(db, room);
    if (owner !== undefined) space.forget(owner);
  }

  async function sweep(): Promise<void> {
    try {
      const now = clock.now();
      saveSeen();
      deleteExpired(db, now);
      // Their keys have stopped; connections from before have not.
      for (const account of await store.expiredBy(now, 1000))
        for (const { id } of listDeviceRows(db, account)) revoke(id);
      const forgotten = await removeForgotten({ store, now }, 20);
      if (forgotten.length > 0) log.info({ accounts: forgotten.length }, 'unconfirmed accounts were deleted');
      for (const room of await updates.settleSnapshots(now - SNAPSHOT_WAITS)) {
        freed(room);
        await syncing.settled(room);
      }
      await compactAll(updates, freed);
    } catch (err) {
      log.error({ err }, 'the relay could not tidy up; it is tried again');
    }
    // Also what was let go a little at a time, by whomever.
    db.emptying.empty();
  }
  const stops: (() => void)[] = [];
  return {
    http,
    listensAt: (at) => (origin = at),
    startBackground() {
      // An end without a stop leaves what was removed before it in the write-ahead log.
      db.emptying.empty();
      const timer = clock.every(MINUTE, () => void sweep());
      stops.push(outbox.start(), startEmptying({ emptying: db.emptying, clock, log }), () => timer.stop());
    },
    async stop() {
      for (const stop of stops) stop();
      await Promise.all([sockets.drain(), notes.drain()]);
      await http.close();
      reader.stop();
      saveSeen();
    },
  };
}

/** The caller's address as the proxy wrote it, last of all. */
function addressOf(header: string | string[] | undefined, config: Config): string | undefined {
  return config.RELAY_TRUST_PROXY ? [header].flat().at(-1)?.split(',').at(-1)?.trim() : undefined;
}
