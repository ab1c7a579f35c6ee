import type { IncomingMessage } from 'node:http';
import type { AccountStore } from '@reverie/shared/accounts/account-store';
import { removeForgotten } from '@reverie/shared/accounts/signup';
import { Problem } from '@reverie/shared/contract/problems';
import { createMount } from '@reverie/shared/http/mount';
import { bucketHeaders } from '@reverie/shared/http/rate-limit';
import { refuseForeignForms } from '@reverie/shared/http/guard';
import { answerUnknown, createServer, servedMethods } from '@reverie/shared/http/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAccountStore } from './accounts/accounts.store.ts';
import { deleteExpired, endDevice, listDeviceRows, saveLastSeen } from './accounts/devices.store.ts';
import { createOutbox } from './accounts/mail.ts';
import type { Clock } from '@reverie/shared/time/clock';
import type { Config } from './config.ts';
import { createHosts } from './hosts.ts';
import { createMetrics } from './metrics.ts';
import { createNoteWorld } from './note-world.ts';
import { serveNotes } from './notes/note-sockets.ts';
import { createQuotas } from './quotas.ts';
import { deleteRoom, findAccess, listMemberRows, ownerOf, ownRooms } from './rooms/rooms.store.ts';
import type { Here } from './peers/peers.ts';
import { reachedAt } from './peers/reached-at.ts';
import { createSharedBuckets } from './peers/shared-buckets.ts';
import { authenticate, deviceOfKey } from './routes/callers.ts';
import { deviceRoutes } from './routes/devices.routes.ts';
import { serveInvites } from './routes/invite-page.ts';
import { linkingRoutes } from './routes/linking.routes.ts';
import { roomRoutes } from './routes/rooms.routes.ts';
import { serveSystem } from './routes/system.routes.ts';
import { serveSockets } from './sockets.ts';
import type { Storage } from './storage.ts';
import { createSyncing } from './syncing.ts';
import { createUpdateReader } from './update-reader.ts';
import { compactAll } from './update-log/compacting.ts';

export interface RelayDeps {
  config: Config;
  storage: Storage;
  clock: Clock;
  log: Logger;
  /** Told that this node cannot go on with its database: it is to be stopped, and started anew. */
  leave: (why: string) => void;
}

export interface Relay {
  http: FastifyInstance;
  /** Where it listens; the public address where none is set. */
  listensAt(origin: string): void;
  startBackground(): Promise<void>;
  /** Takes nothing new, finishes what came, tells the devices, and ends. */
  stop(): Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a snapshot waits for another device before what it covers is let go. */
const SNAPSHOT_WAITS = 14 * 24 * HOUR;

/** Joins the parts of a relay; `main.ts` and tests use it. */
export async function buildRelay({ config, storage, clock, log, leave }: RelayDeps): Promise<Relay> {
  const { records, updates, peers } = storage;
  const metrics = createMetrics();
  let isStopping = false;
  const buckets = {
    anonymous: createSharedBuckets('anonymous', 3000),
    accounts: createSharedBuckets('accounts', 20_000),
    tries: createSharedBuckets('tries', 30),
    sockets: createSharedBuckets('sockets', 3000),
  };
  for (const bucket of Object.values(buckets)) peers.share(bucket);
  let origin = '';
  const publicUrl = () => config.RELAY_PUBLIC_URL?.replace(/\/+$/, '') ?? origin;
  const { space, quotaOf, forget } = createQuotas(config, { records, updates });
  // Written now and then: a thousand devices that connect at once shall not wait for a thousand commits.
  const lastSeen = new Map<string, number>();
  const saveSeen = async () => {
    const seen = new Map(lastSeen);
    lastSeen.clear();
    if (seen.size > 0) await records.write(() => saveLastSeen(seen));
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
      accessOf: (room, account) => records.read(() => findAccess(room, account)),
      quotaOf,
      read: (account, bodies) => reader.read(account, bodies),
      grown: (heads) => peers.tell({ heads }),
      tell: (room) => peers.tell({ rooms: [room] }),
      presence: (said) => peers.tell({ presence: said }),
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
      roleOf: async (room, account) => (await records.read(() => findAccess(room, account)))?.role,
      hold: (room) => peers.hold(noteName(room)),
      ...createNoteWorld({
        records,
        space,
        quotaOf,
        async hold(room) {
          const holder = await peers.hold(noteName(room));
          if (holder.kind !== 'here') throw new Error('Another node has this document open');
        },
        letGo: (room) => peers.letGo(noteName(room)),
        guard: (room) => peers.guard(noteName(room)),
      }),
    },
  });
  const sockets = serveSockets(http.server, {
    syncing,
    clock,
    metrics,
    log,
    world: {
      logId: () => updates.logId,
      isForUs: (request) => hosts.refusalOf(request) === undefined,
      entriesPerSecond: config.RELAY_ENTRIES_PER_SECOND,
      heartbeatMs: config.RELAY_HEARTBEAT_MS,
      deviceOf: (request) => deviceBy(request, request.headers.authorization),
      seen: (device) => void lastSeen.set(device, clock.now()),
      otherwise: (request, socket, head) => notes.upgrade(request, { socket, head }),
    },
  });

  async function deviceBy(request: IncomingMessage, authorization: string | undefined) {
    const device = await deviceOfKey({ records, clock }, authorization);
    if (device) return device;
    const address =
      addressOf(request.headers['x-forwarded-for'], config) ?? request.socket.remoteAddress ?? '';
    return buckets.sockets.count(address, clock.now()).exceeded ? ('refused' as const) : undefined;
  }

  /** Everything of an account that is not in its own rows. */
  async function removing(account: string): Promise<void> {
    const devices = await records.read(() => listDeviceRows(account));
    await records.write(function* () {
      for (const { id } of devices) yield* endDevice({ id, account, now: clock.now() });
    });
    for (const { id } of devices) revoke(id);
    for (const room of await records.read(() => ownRooms(account))) {
      const members = await records.read(() => listMemberRows(room));
      await updates.remove(room);
      await records.write(() => deleteRoom(room));
      await changed(
        room,
        members.map((member) => member.account),
      );
    }
    forget(account);
  }
  const store: AccountStore = createAccountStore(records, removing);

  function revoke(device: string): void {
    shutOut(device);
    peers.tell({ devices: [device] });
  }

  function shutOut(device: string): void {
    sockets.revoke(device);
    notes.revoke(device);
  }

  function tellRooms(account: string): void {
    sockets.tellRooms(account);
    peers.tell({ accounts: [account] });
  }

  async function changed(room: string, accounts: readonly string[]): Promise<void> {
    for (const account of accounts) {
      space.forget(account);
      sockets.tellRooms(account);
    }
    peers.tell({ rooms: [room], accounts });
    await accessChanged(room);
  }

  async function accessChanged(room: string): Promise<void> {
    await Promise.all([syncing.accessChanged(room), notes.accessChanged(room)]);
  }

  const served = servedMethods(http);
  const callerOf = authenticate(http, { records, clock, buckets });
  const mount = createMount(http, {
    callerOf,
    once: () => {
      throw new Error('Nothing here is idempotent');
    },
  });
  const outbox = createOutbox(`${config.RELAY_HOME}/outbox`, { config, clock, log });
  await linkingRoutes(http, {
    records,
    clock,
    store,
    outbox,
    world: { isOpen: config.RELAY_SIGNUP, publicUrl, tries: buckets.tries, tell: tellRooms },
  });
  deviceRoutes(mount, {
    records,
    clock,
    store,
    sockets: { online: (devices) => peers.online(devices), revoke, tellRooms },
    world: { ...space, quotaOf, seenAt: (device) => lastSeen.get(device) },
  });
  roomRoutes(mount, { records, log: updates, now: () => clock.now(), changed, publicUrl });
  serveInvites(http, { records, clock, publicUrl });
  serveSystem(http, {
    config,
    records,
    metrics,
    world: {
      logId: () => updates.logId,
      trouble: () => (isStopping ? 'This node is stopping' : peers.trouble()),
    },
  });
  answerUnknown(http, served, (request) => {
    throw new Problem('not_found', `Nothing is served at ${request.url.split('?', 1)[0] ?? '/'}`);
  });

  /** What is left of a room's log is counted anew. */
  async function freed(room: string): Promise<void> {
    const owner = await records.read(() => ownerOf(room));
    if (owner !== undefined) space.forget(owner);
  }

  async function sweep(): Promise<void> {
    try {
      const now = clock.now();
      await saveSeen();
      // One node does it for all; another one where that one died.
      if ((await peers.hold(SWEEP)).kind === 'elsewhere') return;
      await records.write(() => deleteExpired(now));
      // Their keys have stopped; connections from before have not.
      for (const account of await store.expiredBy(now, 1000))
        for (const { id } of await records.read(() => listDeviceRows(account))) revoke(id);
      const forgotten = await removeForgotten({ store, now }, 20);
      if (forgotten.length > 0) log.info({ accounts: forgotten.length }, 'unconfirmed accounts were deleted');
      for (const room of await updates.settleSnapshots(now - SNAPSHOT_WAITS)) {
        await freed(room);
        await syncing.settled(room);
      }
      await compactAll(updates, freed);
    } catch (err) {
      log.error({ err }, 'the relay could not tidy up; it is tried again');
    }
    // Also what was let go a little at a time, by whomever.
    records.empty();
  }
  const tried = (done: Promise<void>) =>
    void done.catch((err: unknown) => log.error({ err }, 'what another node told could not be done'));
  const here: Here = {
    now: () => clock.now(),
    rooms: () => syncing.rooms(),
    *devices() {
      yield* sockets.devices();
      yield* notes.devices();
    },
    grown: (room, head) => syncing.grown(room, head),
    epochIs: (room, epoch) => syncing.epochIs(room, epoch),
    membersChanged: (room) => tried(accessChanged(room)),
    offered: (room) => tried(syncing.offered(room)),
    accountChanged(account) {
      space.forget(account);
      sockets.tellRooms(account);
    },
    countAnew: () => space.forgetAll(),
    shutOut,
    presence: (said) => syncing.presence(said),
    lost(name) {
      if (name.startsWith(NOTE)) notes.drop(name.slice(NOTE.length));
    },
    renamed: () => comeAgain('The relay goes on with another database'),
    cutOff: () => comeAgain('This node does not reach its database'),
    leave,
  };
  function comeAgain(why: string): void {
    log.warn({ why }, 'all devices are sent on');
    sockets.comeAgain(why);
    notes.comeAgain();
  }
  let sweeping: Promise<void> | undefined;
  let isDue = false;
  /** One at a time; what became due meanwhile is done afterwards. */
  async function sweepWhileDue(): Promise<void> {
    while (isDue) {
      isDue = false;
      await sweep();
    }
  }
  let leavePeers = async () => undefined as void;
  const stops: (() => void)[] = [];
  return {
    http,
    listensAt(at) {
      origin = at;
      peers.listensAt(config.RELAY_NODE_URL ?? reachedAt(at));
    },
    async startBackground() {
      leavePeers = await peers.start(here);
      const timer = clock.every(MINUTE, () => {
        isDue = true;
        sweeping ??= sweepWhileDue().finally(() => (sweeping = undefined));
      });
      stops.push(outbox.start(), storage.startBackground({ clock, log }), () => timer.stop());
    },
    async stop() {
      isStopping = true;
      for (const stop of stops) stop();
      await new Promise((resolve) => setTimeout(resolve, config.RELAY_DRAIN_MS));
      await Promise.all([sockets.drain(), notes.drain()]);
      await sweeping;
      await leavePeers();
      await http.close();
      reader.stop();
      await saveSeen();
    },
  };
}

const SWEEP = 'sweep';
const NOTE = 'note:';
const noteName = (room: string) => NOTE + room;

/** The caller's address as the proxy wrote it, last of all. */
function addressOf(header: string | string[] | undefined, config: Config): string | undefined {
  return config.RELAY_TRUST_PROXY ? [header].flat().at(-1)?.split(',').at(-1)?.trim() : undefined;
}
