import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { corsHeaders, guard } from '@reverie/shared/http/guard';
import { createMount } from '@reverie/shared/http/mount';
import { sendBucket } from '@reverie/shared/http/rate-limit';
import { type Shed, shedFirst } from '@reverie/shared/http/shed';
import { createServer, servedMethods } from '@reverie/shared/http/server';
import { Problem } from '@reverie/shared/contract/problems';
import type { FastifyInstance } from 'fastify';
import { createAsking } from './asking.ts';
import { createAdmitting } from './admitting.ts';
import type { Config } from './config/config.ts';
import { readMeta, saveMeta } from './db/meta.store.ts';
import type { Store } from './db/open-store.ts';
import { createDelivering } from './delivering.ts';
import { createDreaming } from './dreaming.ts';
import { findAccount } from './features/accounts/accounts.store.ts';
import { addressHeaders, authenticate } from './features/accounts/authenticate.ts';
import { keyRoutes } from './features/accounts/keys.routes.ts';
import { createTickets, ensureMachine, type KeysDeps } from './features/accounts/keys.service.ts';
import { eventRoutes } from './features/events/events.routes.ts';
import { createRecorder, startEventSweep } from './features/events/events.service.ts';
import {
  accountsAfter,
  findEvent,
  headersAfter,
  logEnds,
  redactEvents,
  seqsOf,
} from './features/events/events.store.ts';
import { createStreamHub } from './features/events/stream-hub.ts';
import { acceptWebSockets, asksForStream, streamRoutes } from './features/events/stream.routes.ts';
import { graphRoutes } from './features/graph/graph.routes.ts';
import { createOnce } from './features/idempotency/once.ts';
import { inboxRoutes } from './features/inbox/inbox.routes.ts';
import { startInboxSweep } from './features/inbox/inbox.service.ts';
import { createExpiry, startExpirySweep } from './features/memories/expiry.ts';
import { SHELF } from './features/memories/hiding.ts';
import { startHistorySweep } from './features/memories/history.service.ts';
import { memoryRoutes } from './features/memories/memories.routes.ts';
import type { MemoryDeps } from './features/memories/deps.ts';
import { everyMemory, listNamespaces, memoriesById, memoryIds } from './features/memories/reading.service.ts';
import { countAllMemories } from './features/memories/namespaces.store.ts';
import { createEmbeddingQueue } from './features/search/embedding-queue.ts';
import { createIndexMerging } from './features/search/index-merging.ts';
import { indexMemory, unindexMemory, unindexNamespace } from './features/search/index.service.ts';
import { countChunks } from './features/search/candidates.store.ts';
import { countWaiting, createTextIndex } from './features/search/index.store.ts';
import { searchRoutes } from './features/search/search.routes.ts';
import { createMeanings } from './features/search/meanings.ts';
import { createFrequencies } from './features/search/search.service.ts';
import { createSegments } from './features/search/segments.ts';
import { observe } from './features/system/metrics.ts';
import { servePage } from './features/system/page.ts';
import { systemRoutes } from './features/system/system.routes.ts';
import { forgetResponses, hasDeliveries, isAwaited } from './features/webhooks/deliveries.store.ts';
import { createKnowing } from './knowing.ts';
import { linkFinders } from './linking.ts';
import type { BackgroundEmbedder } from './models/background-embedder.ts';
import type { Embedder } from './models/embedder.ts';
import type { ServerState } from './models/breaker.ts';
import { createModelAccess } from './model-access.ts';
import type { LanguageModel } from './models/language-model.ts';
import type { Clock, Stop } from './platform/clock.ts';
import { type Home, readPrivateFile } from './platform/home.ts';
import type { Log } from './platform/log.ts';
import { createSecrets, type Secrets } from './platform/secrets.ts';
import { createSyncing } from './syncing.ts';
import { VERSION } from './version.ts';

export interface AppDeps {
  config: Config;
  home: Home;
  store: Store;
  embedder: Embedder;
  /** Makes the same model's vectors away from the main thread. */
  background: BackgroundEmbedder;
  /** The language model that is configured, if one is. */
  languageModel?: () => LanguageModel | undefined;
  /** Has a server make the vectors of queries before they are searched. */
  prepare?: (texts: readonly string[]) => Promise<void>;
  /** How the servers of models do; undefined where none is asked. */
  states?: { embedding: () => ServerState | undefined; language: () => ServerState | undefined };
  clock: Clock;
  log: Log;
  secrets?: Pick<Secrets, 'get' | 'set' | 'delete'>;
  tls?: { cert: string; key: string } | undefined;
}

export interface App {
  http: FastifyInstance;
  /** Proves to our clients, with the owner key, that this is the daemon of their home. */
  nonce: string;
  /** Tells where the server listens, so that other host names and origins are refused. */
  listensAt(addresses: readonly { scheme: string; host: string }[]): void;
  /** Work that may begin once requests are served. */
  startBackground(): void;
  /** Refuses new requests, finishes those in flight, saves what is in memory. */
  stop(): Promise<void>;
}

/** The composition root: builds every part from what it needs and joins the features. Tests use it, too. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, home, store, embedder, clock, log } = deps;
  const stops: Stop[] = [];
  let stopping = false;
  let addresses: readonly { scheme: string; host: string }[] = [];

  const meanings = createMeanings(embedder);
  const segments = createSegments(embedder, meanings.texts);
  const queue = createEmbeddingQueue({
    store,
    clock,
    log,
    embedder,
    background: deps.background,
    segments,
  });
  const merging = createIndexMerging({ store, clock, log });
  const index = { embedder, segments, wake: queue.wake, touched: merging.touched };
  const logId = openLog(store);
  const hub = createStreamHub({ store, logId, defer: setImmediate });
  const baseUrl = () =>
    config.public_url ?? (addresses[0] ? `${addresses[0].scheme}://${addresses[0].host}` : '');
  const admitting = createAdmitting({
    config,
    store,
    clock,
    log,
    home,
    world: {
      baseUrl,
      smtpPassword: async () => deps.secrets?.get('smtp'),
      forgetKeys: () => auth.forget(),
      emptied(account, left) {
        merging.forget(account);
        for (const namespaceId of left.namespaces) segments.drop(namespaceId);
        for (const webhookId of left.webhooks) delivering.changed(account, webhookId);
        for (const keyId of left.keys) hub.closeKey(keyId);
      },
    },
  });
  const record = admitting.counted(
    createRecorder({
      clock,
      written() {
        hub.wake();
        delivering.wake();
      },
    }),
  );
  const isMachine = (account: AccountId) => store.read((db) => findAccount(db, account)?.kind === 'machine');
  const delivering = createDelivering({
    config,
    store,
    clock,
    log,
    world: {
      events: {
        newest: (db) => logEnds(db).newest,
        accountsAfter,
        after: headersAfter,
        find: findEvent,
        record,
      },
      hosts: () => addresses.map(({ host }) => host),
      isMachine,
    },
  });
  const knowing = createKnowing({ store, clock, log });
  const mayUseModel = createModelAccess(config, store);
  const dreaming = createDreaming({
    config,
    store,
    clock,
    log,
    world: {
      memories: () => memories,
      record,
      database: home.database,
      get embedder() {
        return embedder.model;
      },
      model: (account) => (mayUseModel(account) ? deps.languageModel?.() : undefined),
      ask: (account, asked) => asking.ask(account, asked),
      pendingFacts: knowing.pending,
      isSandbox: (account) => store.read((db) => findAccount(db, account)?.kind === 'sandbox'),
      makeRoom: admitting.makeRoom,
    },
  });
  const syncing = createSyncing({
    store,
    clock,
    log,
    secrets: deps.secrets ?? createSecrets({ home, log }),
    world: { memories: () => memories, isMachine },
  });
  const memories: MemoryDeps = {
    store,
    clock,
    facts: knowing,
    index: {
      put: (db, memory, before) => indexMemory(db, index, { memory, before }),
      remove: (db, memory) => unindexMemory(db, index, memory),
      shelve: (db, memory) => indexMemory(db, index, { memory, before: undefined }),
      clear: (db, account, namespaceId) => unindexNamespace(db, index, { account, namespaceId }),
    },
    events: {
      record,
      redact(db, at) {
        if (hasDeliveries(db, at.account))
          for (const seq of seqsOf(db, at)) forgetResponses(db, at.account, seq);
        redactEvents(db, at);
      },
    },
    followers: dreaming.followers,
    sync: syncing.outbox,
    maxVersions: config.history.max_versions,
  };
  ensureMachine({ store, clock, home }, createTextIndex);
  const expiry = createExpiry(memories, log);
  const { usage, buckets } = admitting;
  stops.push(usage.stop);

  const http = createServer({
    log,
    https: deps.tls,
    trustProxy: config.trust_proxy,
    earlyHeaders: (address) => addressHeaders(buckets.anonymous.peek(address, clock.now()), clock.now()),
  });
  await acceptWebSockets(http);
  const served = servedMethods(http);
  http.addHook('onRequest', async (request, reply) => {
    // Before any refusal, for every response carries these headers; authentication counts and replaces them.
    sendBucket(reply, buckets.anonymous.peek(request.ip, clock.now()));
  });
  guard(http, {
    hosts: () => [
      ...addresses.map(({ host }) => host),
      ...config.allowed_hosts.map((name) => name.toLowerCase()),
      ...(config.public_url === undefined ? [] : [new URL(config.public_url).host]),
    ],
    ownOrigins: () => [
      ...addresses.map(({ scheme, host }) => `${scheme}://${host}`),
      ...(config.public_url === undefined ? [] : [new URL(config.public_url).origin]),
    ],
    corsOrigins: config.cors.origins,
    refused: (request, reply) => sendBucket(reply, buckets.anonymous.count(request.ip, clock.now())),
  });
  http.addHook('onRequest', async () => {
    if (stopping)
      throw new Problem('unavailable', 'Reverie is stopping; try again when it runs', {
        headers: { 'Retry-After': '1' },
      });
  });
  const auth = authenticate(http, {
    store,
    clock,
    usage,
    log,
    buckets,
    hasSandbox: config.sandbox.enabled,
    trustProxy: config.trust_proxy,
  });
  const shed: Shed = (request) => {
    const refusal = auth.shed(request);
    // The page of a configured origin has to be able to read that it shall wait.
    const cors = refusal && corsHeaders(request.headers.origin, config.cors.origins);
    return refusal && { ...refusal, headers: { ...refusal.headers, ...cors } };
  };
  shedFirst(http, shed, { upgrades: asksForStream });
  http.addHook('preHandler', async () => expiry.expireDue());
  const metrics = observe(http, {
    memories: () => store.read(countAllMemories),
    pending: () => store.read(countWaiting),
  });

  const once = createOnce({ store, clock });
  const mount = createMount(http, { callerOf: auth.callerOf, once });
  const mountAlsoAtRoot = createMount(http, { callerOf: auth.callerOf, once }, ['', '/v1']);
  const keys: KeysDeps = {
    store,
    clock,
    home,
    changed(keyId, how) {
      auth.forget();
      if (how === 'ended') hub.closeKey(keyId);
    },
  };
  memoryRoutes(mount, memories, expiry);
  const indexes = { embedder, segments, meanings, frequencies: createFrequencies() };
  const asking = createAsking({
    ...{ config, store, clock, ...indexes },
    prepare: deps.prepare,
    facts: knowing.forAsk,
    model: deps.languageModel ?? (() => undefined),
    mayUseModel,
    recalled: dreaming.recalls.note,
  });
  asking.serve(mount);
  searchRoutes(
    mount,
    { store, prepare: deps.prepare, ...indexes },
    {
      byId: (account, ids, preview) => memoriesById(memories, account, { ids, preview }),
      idsOf: (account, filter) => memoryIds(memories, account, filter),
      shelfOf: (namespace) => SHELF + namespace,
      recalled: dreaming.recalls.note,
      every: (account, wanted) => everyMemory(memories, account, wanted),
    },
  );
  knowing.serve(mount);
  graphRoutes(mount, { store, finders: linkFinders(segments) });
  eventRoutes(mount, { store, logId });
  stops.push(
    streamRoutes(http, {
      hub,
      clock,
      callerOf: auth.callerOf,
      isValid: auth.isLive,
      count: auth.countMessage,
      emit: ({ account, key }, event) =>
        store.write((db) =>
          record(db, {
            account,
            actor: { kind: 'key', id: key.id },
            origin: 'local',
            key: null,
            before: null,
            ...event,
          }),
        ),
    }),
  );
  delivering.serve(http, mount, auth.callerOf);
  dreaming.serve(mount);
  syncing.serve(mount);
  inboxRoutes(mount, { store, clock, record });
  keyRoutes(mount, keys, createTickets({ clock }));
  await admitting.serve(http, mount, memories);
  const nonce = randomBytes(32).toString('hex');
  systemRoutes(mount, mountAlsoAtRoot, {
    isMachine,
    version: VERSION,
    startedAt: new Date(clock.now()).toISOString(),
    logId,
    isStopping: () => stopping,
    pending: () => store.read(countWaiting),
    factsPending: knowing.pending,
    serverStates: deps.states,
    languageModel: () => deps.languageModel?.()?.model,
    contents(account) {
      const namespaces = listNamespaces(memories, account);
      const sum = (of: 'count' | 'bytes') =>
        namespaces.reduce((total, namespace) => total + namespace[of], 0);
      return { memories: sum('count'), namespaces: namespaces.length, bytes: sum('bytes') };
    },
    embedder: (account) => ({
      model: embedder.model,
      dimensions: embedder.dimensions,
      ...store.read((db) => countChunks(db, account)),
    }),
    ownerKey: () => readPrivateFile(home.ownerKey) ?? '',
    nonce,
    backup: { store, clock, folder: home.backups },
    metrics,
  });
  await servePage(http, served, { sandboxKey: admitting.sandboxKey });

  return {
    http,
    nonce,
    listensAt(at) {
      addresses = at;
    },
    startBackground() {
      // A crash may have left deleted text in the write-ahead log.
      store.checkpoint();
      merging.start();
      stops.push(
        queue.stop,
        merging.stop,
        startExpirySweep({ expiry, clock }),
        startEventSweep({
          store,
          clock,
          log,
          retentionDays: config.events.retention_days,
          deliveries: { isAwaited, forget: forgetResponses },
        }),
        startInboxSweep({ store, clock, log, retentionDays: config.events.retention_days }),
        knowing.start(),
        delivering.start(),
        dreaming.start(),
        syncing.start(),
        admitting.start(),
        startHistorySweep({ store, clock, log, maxDays: config.history.max_days }),
      );
      void queue
        .adoptModel()
        .catch((err: unknown) => log.warn({ err }, 'vectors of another model could not be replaced'));
    },
    async stop() {
      stopping = true;
      hub.closeAll();
      delivering.cut();
      await http.close();
      for (const stop of stops.reverse()) stop();
    },
  };
}

/** The id of the event log, made with the database; a restored backup gets a new one. */
function openLog(store: Store): string {
  return store.write((db) => {
    const found = readMeta(db, 'log_id');
    if (found !== undefined) return found;
    const made = `log_${randomUUID()}`;
    saveMeta(db, 'log_id', made);
    return made;
  });
}
