import type { McpServer } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { createAccountKinds } from './compose/account-kinds.ts';
import { createAccounts } from './compose/accounts.ts';
import { type HostAddress, createAddresses } from './compose/addresses.ts';
import { createAgents } from './compose/agents/agents.ts';
import { createCore, type Ground } from './compose/core.ts';
import { createDaily } from './compose/memories/daily.ts';
import { createEvents } from './compose/events.ts';
import { createFollowedFolders } from './compose/memories/folders.ts';
import { createHooks } from './compose/agents/hooks.ts';
import { createInbox } from './compose/inbox.ts';
import { createModelsGetting, type OllamaVariables } from './compose/models/models-getting.ts';
import { createModelsUse } from './compose/models/models-use.ts';
import { createParts } from './compose/parts.ts';
import { createQuotas } from './compose/quotas.ts';
import { createReceipts } from './compose/agents/receipts.ts';
import { createHttp, createServing } from './compose/server.ts';
import { createSettingsPart } from './compose/settings.ts';
import { createSystem } from './compose/system.ts';
import { createToday } from './compose/memories/today.ts';
import { createWebhooks } from './compose/webhooks.ts';
import type { Settings } from './config/settings-file.ts';
import { servePage } from './features/system/page.ts';

export interface AppDeps extends Ground {
  /** What the owner may change while this runs. */
  settings: Settings;
  /** Ollama's own variables, where they are set. */
  ollama?: OllamaVariables;
  tls?: { cert: string; key: string } | undefined;
  /** In tests alone: what `/mcp` serves in place of memory, to anybody. */
  mcpFixture?: (() => McpServer) | undefined;
}

export interface App {
  http: FastifyInstance;
  /** Proves to our clients, with the owner key, that this is the daemon of their home. */
  nonce: string;
  /** A challenge that nobody was told, with the proof that it is answered with. */
  knownProof(): { challenge: string; proof: string };
  /** Tells where the server listens, so that other host names and origins are refused. */
  listensAt(addresses: readonly HostAddress[]): void;
  /** Work that may begin once requests are served. */
  startBackground(): void;
  /** Refuses new requests, finishes those in flight, saves what is in memory. */
  stop(): Promise<void>;
}

/** The composition root: makes every part from those made before it, and says in what order they are told, served and ended. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, home, store, models, settings, clock, log, secrets, tls, mcpFixture } = deps;
  const base = { config, store, clock, log };
  const { embedder } = models.vectors;
  const parts = createParts();
  const { isStopping } = parts;
  const addresses = createAddresses(config);
  const kinds = createAccountKinds(config, store);
  const { isMachine } = kinds;
  const quotas = createQuotas(base);
  const { usage, buckets, makeRoom } = quotas;
  const server = await createHttp({
    ...base,
    world: { usage, buckets, tls, addresses: addresses.all, isStopping },
  });
  const core = createCore(deps, { kinds, quotas });
  const { followers, search, knowledge, links, memories, sync, dreams, sessions } = core;
  const { attachments, anchors, reader } = core;
  const { record } = followers;
  const { ranking, pending, prepare } = search;

  const events = createEvents({ ...base, record, makeRoom, isMachine });
  const webhooks = createWebhooks({ ...base, world: { record, isMachine, hosts: addresses.hosts } });
  const folders = createFollowedFolders({
    memories,
    log,
    isMachine,
    home: home.folder,
    settled: search.settled,
    take: attachments.take,
  });
  const receipts = createReceipts({
    ...base,
    ranking,
    prepare,
    embedder,
    pending,
    days: config.recalls.days,
  });
  const { comingUp } = dreams;
  const hooks = createHooks({
    ...base,
    memories,
    record,
    makeRoom,
    ranking,
    anchors,
    world: { prepare, isMachine, comingUp, injected: receipts.injected },
  });
  const getting = createModelsGetting({
    ...base,
    world: {
      ollama: deps.ollama ?? {},
      environment: models.agents.environment,
      consents: models.consents,
      isMachine,
      addresses: addresses.all,
    },
  });
  const using = createModelsUse({
    ...base,
    models,
    settings,
    world: { pending, vectorsChanged: search.audienceChanged, lastPull: getting.pull, isMachine, reader },
  });
  const { auth, connections } = server;
  const accounts = createAccounts({
    ...base,
    home,
    world: {
      memories,
      quotas,
      auth,
      search,
      webhooks,
      connections,
      baseUrl: addresses.baseUrl,
      smtpPassword: async () => secrets.get('smtp'),
    },
  });
  const { sandboxKey } = accounts;
  const agents = createAgents({ store, log, sandboxKey, isMachine, mcpFixture });
  const system = createSystem({
    ...base,
    home,
    world: { memories, models, search, knowledge, links, logId: events.logId, isMachine, isStopping },
  });
  const inbox = createInbox({ ...base, record, makeRoom });

  // What follows a write: those of one port in this order; in which order a write asks its ports stands in `writeMemory`, and index,
  // facts and quota are ports of their own (`memories/deps.ts`).
  followers.join(
    { derived: dreams.followers },
    // A deleted memory leaves every receipt with its row (`ON DELETE CASCADE`); what was asked goes with the whole namespace only.
    { derived: { cleared: receipts.cleared } },
    { derived: { cleared: attachments.cleared } },
    { devices: sync.outbox },
    { written: events.wake },
    { written: webhooks.wake },
    { written: folders.changedHere },
    { written: agents.wake },
  );
  parts.add(
    quotas,
    { stop: models.spending.stop },
    { stop: models.sheets.stop },
    system,
    ...core.parts,
    events,
    inbox,
    webhooks,
  );
  parts.add(receipts, accounts, getting, using, hooks, agents, folders, createDaily(base));
  parts.add(createSettingsPart(settings, { config, isMachine }));
  parts.add(createToday({ store, clock, memories, dreams, settings, logId: events.logId, isMachine }));
  const namespaceOf: typeof dreams.namespaceOf = (what, account, id) =>
    what === 'session' ? sessions.namespaceOf(account, id) : dreams.namespaceOf(what, account, id);
  await parts.serve(createServing(server, { store, clock, namespaceOf, isMachine, settled: core.settled }));
  await servePage(server.http, server.served, { sandboxKey });

  const { http } = server;
  return {
    http,
    nonce: system.nonce,
    knownProof: system.knownProof,
    listensAt: addresses.listensAt,
    startBackground: parts.start,
    stop: () => parts.stop(() => http.close()),
  };
}
