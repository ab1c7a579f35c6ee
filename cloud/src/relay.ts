import type { IncomingMessage } from 'node:http';
import { Problem } from '@reverie/shared/contract/problems';
import { createMount } from '@reverie/shared/http/mount';
import { bucketHeaders } from '@reverie/shared/http/rate-limit';
import { refuseForeignForms } from '@reverie/shared/http/guard';
import { answerUnknown, createServer, servedMethods } from '@reverie/shared/http/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAccessChanges } from './transport/access-changes.ts';
import { createAccountStore, findAccount } from './accounts/accounts.store.ts';
import { listDeviceRows } from './accounts/devices.store.ts';
import { createLastSeen } from './accounts/last-seen.ts';
import type { Actor } from './audit/audit.ts';
import { createRefusedCallers } from './audit/refused-callers.ts';
import { createOutbox } from './accounts/mail.ts';
import type { Clock } from '@reverie/shared/time/clock';
import { type Config, publicAddresses } from './config.ts';
import { removeUnnamed } from './files/files.service.ts';
import { createHere } from './transport/here.ts';
import { createHosts } from './hosts.ts';
import { readIdentity } from './identity.ts';
import { createMetrics } from './metrics.ts';
import { createNoteWorld } from './note-world.ts';
import { serveNotes } from './notes/note-sockets.ts';
import { takePrefix } from './prefix.ts';
import { createQuotas } from './quotas.ts';
import { noteName } from './peers/held-names.ts';
import { reachedAt } from './peers/reached-at.ts';
import { recoveryRules } from './accounts/recovery.service.ts';
import { createSharedBuckets } from './peers/shared-buckets.ts';
import { removeAccount } from './removal.ts';
import { findAccess } from './rooms/rooms.store.ts';
import { authenticate, deviceOfUpgrade } from './routes/callers.ts';
import { deviceRoutes } from './routes/devices.routes.ts';
import { fileRoutes } from './routes/files.routes.ts';
import { identityRoutes } from './routes/identity.routes.ts';
import { serveInvites } from './routes/invite-page.ts';
import { linkingRoutes } from './routes/linking.routes.ts';
import { operatorRoutes } from './routes/operator.routes.ts';
import { roomRoutes } from './routes/rooms.routes.ts';
import { serveSystem } from './routes/system.routes.ts';
import { serveSockets } from './transport/sockets.ts';
import type { Storage } from './storage.ts';
import { createSweeping } from './sweeping.ts';
import { createParticipants } from './rooms/participants.ts';
import { createSyncing } from './transport/syncing.ts';
import { createUpdateReader } from './transport/update-reader.ts';

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

/** Joins the parts of a relay; `main.ts` and tests use it. */
export async function buildRelay({ config, storage, clock, log, leave }: RelayDeps): Promise<Relay> {
  const { records, updates, peers } = storage;
  const metrics = createMetrics();
  let isStopping = false;
  const buckets = {
    anonymous: createSharedBuckets('anonymous', 3000),
    accounts: createSharedBuckets('accounts', 20_000),
    tries: createSharedBuckets('tries', 30),
    recoveries: createSharedBuckets('recoveries', recoveryRules.perAddress, recoveryRules.addressMs),
    sockets: createSharedBuckets('sockets', 3000),
    // Every device asks before it connects, and behind a proxy that is not trusted all are one address.
    proofs: createSharedBuckets('proofs', 60_000),
  };
  for (const bucket of Object.values(buckets)) peers.share(bucket);
  let origin = '';
  const addresses = publicAddresses(config);
  const publicUrl = () => addresses[0] ?? origin;
  const identity = await readIdentity(records);
  const quotas = createQuotas(config, { records, updates });
  const { space, quotaOf, forget } = quotas;
  const lastSeen = createLastSeen({ records, clock });
  const refused = createRefusedCallers({ records, clock });
  const participants = createParticipants(records);

  const http = createServer({
    log,
    trustProxy: config.RELAY_TRUST_PROXY,
    earlyHeaders: (address) => bucketHeaders(buckets.anonymous.peek(address, clock.now())),
  });
  takePrefix(http.server, addresses);
  const hosts = createHosts(config, () => origin);
  http.addHook('onRequest', async ({ raw }) => {
    const refusal = hosts.refusalOf(raw);
    if (refusal) throw refusal;
  });
  refuseForeignForms(http, () => (addresses.length > 0 ? addresses : [origin]));
  const reader = createUpdateReader();
  const syncing = createSyncing({
    log: updates,
    clock,
    metrics,
    space,
    world: {
      accessOf: (room, account) => records.read(() => findAccess(room, account)),
      quotaOf,
      allowanceOf: participants.of,
      read: (account, bodies) => reader.read(account, bodies),
      grown: (heads) => peers.tell({ heads }),
      tell: (room) => peers.tell({ rooms: [room] }),
      presence: (said) => peers.tell({ presence: said }),
      failed: (err, entries) => log.error({ err, entries }, 'entries could not be written'),
      unread: (err) => log.error({ err }, 'entries could not be read'),
    },
  });
  const deviceOf = (request: IncomingMessage, authorization: string | undefined) =>
    deviceOfUpgrade({ config, records, clock, refused, tries: buckets.sockets }, request, authorization);
  const notes = serveNotes({
    clock,
    metrics,
    log,
    world: {
      updatesPerSecond: config.RELAY_ENTRIES_PER_SECOND,
      heartbeatMs: config.RELAY_HEARTBEAT_MS,
      deviceOf,
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
      deviceOf: (request) => deviceOf(request, request.headers.authorization),
      seen: lastSeen.note,
      otherwise: (request, socket, head) => notes.upgrade(request, { socket, head }),
    },
  });

  const access = createAccessChanges({ space, peers, syncing, sockets, notes });
  const remove = (account: string, by?: Actor) =>
    removeAccount({ storage, clock, access, forget }, account, by);
  const store = createAccountStore(records, (account) => remove(account));

  const served = servedMethods(http);
  const callerOf = authenticate(http, { records, clock, refused, buckets });
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
    world: {
      isOpen: config.RELAY_SIGNUP,
      publicUrl,
      refused,
      tries: buckets.tries,
      recoveries: buckets.recoveries,
      tell: access.tellRooms,
      revoke: access.revoke,
    },
  });
  identityRoutes(mount, {
    records,
    clock,
    identity,
    world: { logId: () => updates.logId, addresses, tries: buckets.sockets },
  });
  deviceRoutes(mount, {
    records,
    clock,
    remove,
    sockets: {
      online: (devices) => peers.online(devices),
      revoke: access.revoke,
      tellRooms: access.tellRooms,
    },
    world: { ...space, quotaOf, seenAt: lastSeen.at },
  });
  roomRoutes(mount, {
    records,
    quotas,
    log: updates,
    now: () => clock.now(),
    changed: access.changed,
    publicUrl,
  });
  fileRoutes(mount, { records, clock, space, quotaOf, tellRooms: access.tellRooms });
  operatorRoutes(mount, {
    records,
    config,
    remove,
    now: () => clock.now(),
    databaseBytes: storage.databaseBytes,
    async standingChanged(account) {
      const { found, devices } = await records.read(function* () {
        return { found: yield* findAccount(account), devices: yield* listDeviceRows(account) };
      });
      if (found?.disabled_at != null) for (const { id } of devices) access.shutOut(id, true);
      peers.tell({ accounts: [account] });
    },
  });
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

  const sweeping = createSweeping({
    storage,
    store,
    clock,
    log,
    world: {
      auditDays: config.RELAY_AUDIT_DAYS,
      async save() {
        await lastSeen.save();
        await refused.save();
      },
      revoke: access.revoke,
      freed: space.forget,
      settled: (room) => syncing.settled(room),
      unnamed: () => removeUnnamed({ records, space }),
    },
  });
  const here = createHere({
    clock,
    log,
    access,
    served: { syncing, sockets, notes },
    world: { countAnew: () => space.forgetAll(), leave },
  });
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
      const timer = clock.every(MINUTE, () => sweeping.due());
      stops.push(outbox.start(), storage.startBackground({ clock, log }), () => timer.stop());
    },
    async stop() {
      isStopping = true;
      for (const stop of stops) stop();
      await new Promise((resolve) => setTimeout(resolve, config.RELAY_DRAIN_MS));
      await Promise.all([sockets.drain(), notes.drain()]);
      await sweeping.ended();
      await leavePeers();
      await http.close();
      reader.stop();
      await lastSeen.save();
      await refused.save();
    },
  };
}
