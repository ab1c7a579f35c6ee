import { randomBytes } from 'node:crypto';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { admitWith } from '@reverie/shared/accounts/narrower-keys';
import { Problem } from '@reverie/shared/contract/problems';
import { createMount } from '@reverie/shared/http/mount';
import type { McpServer } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { createAsking } from './asking.ts';
import { createSessions } from './compose/sessions.ts';
import { createAdmitting } from './admitting.ts';
import type { Config } from './config/config.ts';
import type { Settings } from './config/settings-file.ts';
import type { Store } from './db/open-store.ts';
import { startStorageWatch } from './db/storage-watch.ts';
import { createDelivering } from './delivering.ts';
import { createDreaming } from './dreaming.ts';
import { findAccount } from './features/accounts/accounts.store.ts';
import { keyRoutes } from './features/accounts/keys.routes.ts';
import { ensureMachine, type KeysDeps } from './features/accounts/keys.service.ts';
import { createTickets } from './features/accounts/page-sessions.service.ts';
import { serveA2a } from './features/agents/a2a/a2a.routes.ts';
import { serveMcp } from './mcp/mcp.routes.ts';
import { createRecorder } from './features/events/events.service.ts';
import { accountsAfter, findEvent, headersAfter, logEnds } from './features/events/events.store.ts';
import { folderRoutes } from './features/folders/folders.routes.ts';
import { graphRoutes } from './features/graph/graph.routes.ts';
import { createOnce } from './features/idempotency/once.ts';
import { inboxRoutes } from './features/inbox/inbox.routes.ts';
import { startInboxSweep } from './features/inbox/inbox.service.ts';
import { createExpiry, startExpirySweep } from './features/memories/expiry.ts';
import { startHistorySweep } from './features/memories/history.service.ts';
import { memoryRoutes } from './features/memories/memories.routes.ts';
import type { MemoryDeps } from './features/memories/deps.ts';
import { trashRoutes } from './features/memories/trash/trash.routes.ts';
import { startTrashSweep } from './features/memories/trash/trash.service.ts';
import { listNamespaces } from './features/memories/reading.service.ts';
import { countAllMemories } from './features/memories/namespaces.store.ts';
import { createTextIndex } from './features/search/index.store.ts';
import { observe } from './features/system/metrics.ts';
import { servePage } from './features/system/page.ts';
import { systemRoutes } from './features/system/system.routes.ts';
import { findJob } from './features/dreams/jobs/jobs.store.ts';
import { createFollowing } from './following.ts';
import { createMemoryEvents } from './forgetting.ts';
import { createGettingModels, type OllamaVariables } from './getting-models.ts';
import { serveHooks } from './hooking.ts';
import { createIndexing } from './indexing.ts';
import type { BackgroundExtractor } from './features/knowledge/background-extractor.ts';
import { createKnowing } from './knowing.ts';
import { linkFinders } from './linking.ts';
import { createModelAccess } from './model-access.ts';
import type { Models } from './modelling.ts';
import type { Clock, Stop } from './platform/clock.ts';
import { type Home, readPrivateFile } from './platform/home.ts';
import type { Log } from './platform/log.ts';
import { hasRoom } from './platform/room.ts';
import type { Secrets } from './platform/secrets.ts';
import { createRecalling } from './recalling.ts';
import { createServing } from './serving.ts';
import { createStreaming } from './streaming.ts';
import { createSyncing } from './syncing.ts';
import { createUsingModels } from './using-models.ts';
import { VERSION } from './version.ts';

export interface AppDeps {
  config: Config;
  home: Home;
  store: Store;
  models: Models;
  /** What the owner may change while this runs. */
  settings: Settings;
  /** Variables of the environment, by which coding agents say where their logs are; `HOME` is the folder below which they lie otherwise. */
  environment?: NodeJS.ProcessEnv;
  /** Ollama\'s own variables, where they are set. */
  ollama?: OllamaVariables;
  clock: Clock;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
  tls?: { cert: string; key: string } | undefined;
  /** In tests alone: what `/mcp` serves in place of memory, to anybody. */
  mcpFixture?: (() => McpServer) | undefined;
  /** In tests alone: a process that finds facts for several daemons. */
  extractor?: BackgroundExtractor | undefined;
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
  const { config, home, store, models, clock, log } = deps;
  const { embedder, background, fetchQueries: prepare } = models.vectors;
  const stops: Stop[] = [];
  let stopping = false;
  let addresses: readonly { scheme: string; host: string }[] = [];

  const indexing = createIndexing({ store, clock, log, embedder, background, table: models.table });
  const streaming = createStreaming({ config, store, clock, log });
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
      smtpPassword: async () => deps.secrets.get('smtp'),
      forgetKeys: () => auth.forget(),
      emptied(account, left) {
        indexing.forget(account, left.namespaces);
        for (const webhookId of left.webhooks) delivering.changed(account, webhookId);
        for (const keyId of left.keys) streaming.closeKey(keyId);
      },
    },
  });
  const record = admitting.counted(
    createRecorder({
      clock,
      written() {
        streaming.wake();
        delivering.wake();
        following.changedHere();
        a2a.wake();
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
  const knowing = createKnowing({ store, clock, log, background: deps.extractor });
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
      model: (account) => (mayUseModel(account) ? models.chat('dreams')?.model : undefined),
      ask: (account, asked) => asking.ask(account, asked),
      pendingFacts: knowing.pending,
      isMachine,
      isSandbox: (account) => store.read((db) => findAccount(db, account)?.kind === 'sandbox'),
      makeRoom: admitting.makeRoom,
    },
  });
  const syncing = createSyncing({
    store,
    clock,
    log,
    secrets: deps.secrets,
    world: { memories: () => memories, isMachine, records: () => sessions.records },
  });
  const recalling = createRecalling({
    ...{ store, clock, log, ranking: indexing.ranking, prepare },
    days: config.recalls.days,
    embedder,
    pending: indexing.pending,
  });
  const memories: MemoryDeps = {
    store,
    clock,
    facts: knowing,
    index: indexing.index,
    events: createMemoryEvents(record),
    followers: {
      ...dreaming.followers,
      cleared(db, at) {
        dreaming.followers.cleared(db, at);
        recalling.cleared(db, at);
      },
    },
    sync: syncing.outbox,
    maxVersions: config.history.max_versions,
  };
  const machine = ensureMachine({ store, clock, home }, createTextIndex);
  const sessions = createSessions({
    ...{ store, clock, log, record, isMachine, machine },
    ranking: indexing.ranking,
    makeRoom: admitting.makeRoom,
    environment: deps.environment ?? {},
    rooms: syncing.rooms,
  });
  const expiry = createExpiry(memories, log);
  const { usage, buckets } = admitting;
  stops.push(usage.stop, models.spending.stop);

  const { http, auth, served } = await createServing({
    config,
    store,
    clock,
    log,
    world: { usage, buckets, tls: deps.tls, addresses: () => addresses, isStopping: () => stopping },
  });
  http.addHook('preHandler', async () => expiry.expireDue());
  const metrics = observe(http, {
    memories: () => store.read(countAllMemories),
    pending: indexing.pending,
  });

  const once = createOnce({ store, clock });
  const mounting = {
    callerOf: auth.callerOf,
    once,
    admit: admitWith((what, account, id) =>
      what === 'session' ? sessions.namespaceOf(account, id) : dreaming.namespaceOf(what, account, id),
    ),
  };
  const mount = createMount(http, mounting);
  const mountAlsoAtRoot = createMount(http, mounting, ['', '/v1']);
  const keys: KeysDeps = {
    store,
    clock,
    home,
    changed(id, how) {
      auth.forget();
      if (how === 'ended') streaming.closeKey(id);
    },
  };
  memoryRoutes(mount, memories, expiry);
  const trash = { ...memories, trashDays: config.trash.days };
  trashRoutes(mount, trash);
  const following = createFollowing({ memories, log, home: home.folder });
  folderRoutes(mount, following, isMachine);
  const asking = createAsking({
    ...{ store, clock, ...indexing.ranking },
    prepare,
    facts: knowing.forAsk,
    model: () => models.chat('ask')?.model,
    timeoutMs: () => models.settingsOf('ask').timeoutMs,
    mayUseModel,
    recalled: dreaming.recalls.note,
    sessions: sessions.asked,
  });
  asking.serve(mount);
  indexing.serve(mount, {
    ...{ memories, prepare },
    recalled: dreaming.recalls.note,
    sessions: sessions.searched,
  });
  knowing.serve(mount);
  graphRoutes(mount, { store, finders: linkFinders(indexing.ranking.segments) });
  stops.push(streaming.serve(http, mount, { auth, record }));
  delivering.serve(http, mount, auth.callerOf);
  dreaming.serve(mount);
  syncing.serve(mount);
  const getting = createGettingModels({
    ...{ config, store, clock, log },
    world: { ollama: deps.ollama ?? {}, isMachine, addresses: () => addresses },
  });
  getting.serve(mount);
  stops.push(getting.stop);
  inboxRoutes(mount, { store, clock, record });
  recalling.serve(mount);
  sessions.serve(http, mount, auth);
  serveHooks(mount, {
    ...{ store, clock, memories, record, ranking: indexing.ranking },
    world: { prepare, isMachine, comingUp: dreaming.comingUp, injected: recalling.injected },
  });
  keyRoutes(mount, keys, createTickets({ clock }));
  const usingModels = createUsingModels({
    ...{ models, settings: deps.settings, store, clock, log },
    world: {
      pending: indexing.pending,
      vectorsChanged: indexing.modelChanged,
      lastPull: getting.pull,
      ofMachine({ key }) {
        if (!isMachine(key.account))
          throw new Problem(
            'forbidden_scope',
            "Only the owner of this machine may: the key is another account's",
          );
      },
    },
  });
  usingModels.serve(mount);
  stops.push(usingModels.stop);
  const endMcp = serveMcp(http, {
    callerOf: auth.callerOf,
    log,
    version: VERSION,
    fixture: deps.mcpFixture,
  });
  await admitting.serve(http, mount, memories);
  const nonce = randomBytes(32).toString('hex');
  systemRoutes(mount, mountAlsoAtRoot, {
    isMachine,
    version: VERSION,
    startedAt: new Date(clock.now()).toISOString(),
    logId: streaming.logId,
    isStopping: () => stopping,
    pending: indexing.pending,
    factsPending: knowing.pending,
    facts: knowing,
    storage: { room: store.room, log: store.emptying.state },
    embedderState: models.vectors.state,
    languageModel: () => {
      const chat = models.chat('ask') ?? models.chat('dreams');
      return chat && { model: chat.model.model, ...chat.state() };
    },
    contents(caller) {
      const namespaces = listNamespaces(memories, caller);
      const sum = (of: 'count' | 'bytes') =>
        namespaces.reduce((total, namespace) => total + namespace[of], 0);
      return { memories: sum('count'), namespaces: namespaces.length, bytes: sum('bytes') };
    },
    embedder: indexing.describe,
    ownerKey: () => readPrivateFile(home.ownerKey) ?? '',
    nonce,
    backup: { store, clock, folder: home.backups },
    metrics,
  });
  const a2a = serveA2a(http, {
    store,
    callerOf: auth.callerOf,
    isOver({ account }, id) {
      const status = store.read((db) => findJob(db, account, id)?.state.status);
      return status !== 'queued' && status !== 'running';
    },
    card: { version: VERSION, sandboxKey: admitting.sandboxKey },
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
      stops.push(
        startStorageWatch({ store, clock, log, hasRoom: () => hasRoom(home.folder) }),
        indexing.start(),
        startExpirySweep({ expiry, clock }),
        startTrashSweep({ deps: trash, clock, log }),
        streaming.start(),
        startInboxSweep({ store, clock, log, retentionDays: config.events.retention_days }),
        knowing.start(),
        delivering.start(),
        dreaming.start(),
        recalling.start(),
        sessions.start(),
        syncing.start(),
        admitting.start(),
        startHistorySweep({ store, clock, log, maxDays: config.history.max_days }),
      );
      following.start();
    },
    async stop() {
      stopping = true;
      streaming.closeAll();
      await endMcp();
      a2a.end();
      delivering.cut();
      // Before anything that its writes would wake.
      following.end();
      await http.close();
      for (const stop of stops.reverse()) stop();
    },
  };
}
