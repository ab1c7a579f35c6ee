import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Config } from '../config/config.ts';
import type { Store } from '../db/open-store.ts';
import { ensureMachine } from '../features/accounts/keys.service.ts';
import type { ModelFor } from '../features/models/reading.service.ts';
import type { MemoryFacts } from '../features/memories/deps.ts';
import { createRecallCounts } from '../features/search/ranking/recall-counts.ts';
import { whyKept } from '../features/memories/namespaces/privacy.ts';
import { namespaceRoutes } from '../features/memories/namespaces/namespaces.routes.ts';
import { createTextIndex } from '../features/search/index/index.store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Home } from '../platform/home/home.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { AccountKinds } from './account-kinds.ts';
import { type AnchorsPart, createAnchors } from './memories/anchors.ts';
import { createAsk } from './search/ask.ts';
import { createAttachments } from './memories/attachments.ts';
import { createDreams } from './dreams.ts';
import { createFollowers, type Followers } from './memories/followers.ts';
import { createGraph } from './search/graph.ts';
import { createGrep } from './search/grep.ts';
import { createKnowledge, type KnowledgePart } from './search/knowledge.ts';
import { createLinks, type LinksPart } from './memories/links.ts';
import { createMemories } from './memories/memories.ts';
import type { Models } from './models/models.ts';
import type { Part } from './parts.ts';
import type { Quotas } from './quotas.ts';
import { createSearch, type Search } from './search/search.ts';
import { createSessions } from './agents/sessions.ts';
import { createSync, type Sync } from './sync.ts';
import { createSyncedRooms } from './synced-rooms.ts';

/** What every part of the daemon is built on: settings, home, store, models, clock, log and secrets. */
export interface Ground {
  config: Config;
  home: Home;
  store: Store;
  models: Models;
  clock: Clock;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
  /** Variables of the environment, by which coding agents say where their logs are; `HOME` is the folder below which they lie otherwise. */
  environment?: NodeJS.ProcessEnv;
}

/** What remembers: memories and sessions with their indexes, facts, dreams and other devices. It knows nobody who calls. */
export interface Core {
  readonly followers: Followers;
  readonly search: Search;
  readonly knowledge: KnowledgePart;
  readonly links: LinksPart;
  readonly memories: ReturnType<typeof createMemories>['deps'];
  readonly sync: Sync;
  readonly dreams: ReturnType<typeof createDreams>;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly attachments: ReturnType<typeof createAttachments>;
  /** The model that an account may have read texts for a namespace. */
  readonly reader: ModelFor;
  readonly anchors: AnchorsPart;
  /** Resolves when what was written of an account is in the text indexes, or after some seconds. */
  settled(account: AccountId): Promise<void>;
  /** In the order in which they are served and started. */
  readonly parts: readonly Part[];
}

/** Makes the parts that remember, each from those made before it; whoever follows a write joins `followers` before anything is written. */
export function createCore(
  { config, home, store, models, clock, log, secrets, environment = {} }: Ground,
  { kinds, quotas }: { kinds: AccountKinds; quotas: Pick<Quotas, 'memories' | 'makeRoom'> },
): Core {
  const base = { config, store, clock, log };
  const { isMachine, isSandbox, mayUseModel } = kinds;
  const { vectors, table } = models;
  const { embedder, background, fetchQueries } = vectors;
  const followers = createFollowers({ clock });
  const { record } = followers;
  const { makeRoom } = quotas;
  const search = createSearch({
    ...base,
    embedder,
    background,
    fetchQueries,
    table,
    reach: () => vectors.reach,
  });
  const { ranking, prepare } = search;
  const knowledge = createKnowledge(base);
  const links = createLinks(base);
  const recallCounts = createRecallCounts(base);
  const recalled = recallCounts.note;
  const anchors = createAnchors({ ...base, environment, isMachine });
  const tellAnchors = anchors.tell;
  const rooms = createSyncedRooms({ ...base, secrets });
  const memory = createMemories({
    ...base,
    // Dated by a clock that is known to be ahead, they would stay the newest ones on every device for as long.
    clock: { every: clock.every, now: rooms.time.now },
    facts: together(knowledge, links.kept),
    links: links.forMemories,
    index: search.index,
    followers,
    quota: quotas.memories,
    ranking,
    recalled,
    tellAnchors,
  });
  const memories = memory.deps;
  const machine = ensureMachine({ store, clock, home }, createTextIndex);

  const sessions = createSessions({
    ...base,
    record,
    ranking,
    makeRoom,
    isMachine,
    machine,
    environment,
    rooms,
  });
  const keeper = sessions.records;
  const attachments = createAttachments({ ...base, home, ranking });
  const { synced: files } = attachments;
  const sync = createSync({ ...base, secrets, world: { memories, rooms, keeper, files, isMachine } });

  const finding = { prepare, recalled };
  const ask = createAsk({
    ...base,
    ...ranking,
    ...finding,
    mayUseModel,
    facts: knowledge.forAsk,
    model: (who) => models.chat('ask')?.askedBy(who),
    configured: () => models.chat('ask')?.model,
    timeoutMs: () => models.settingsOf('ask').timeoutMs,
    sessions: sessions.asked,
    tellAnchors,
  });
  const reader: ModelFor = (account, namespace) => {
    const chat = mayUseModel(account) ? models.chat('dreams') : undefined;
    if (!chat) return undefined;
    const { reach = 'beyond' } = chat.model;
    const withheld = store.read((db) => whyKept(db, account, { namespace, reach }));
    return withheld === undefined ? { model: chat.askedBy({ payer: account, account }) } : { withheld };
  };
  const dreams = createDreams({
    ...base,
    world: {
      memories,
      record,
      isMachine,
      isSandbox,
      makeRoom,
      ask: ask.ask,
      database: home.database,
      settled: search.settled,
      embedder: () => embedder.model,
      model: reader,
    },
  });
  const searching = search.routes({
    memories,
    recalled,
    sessions: sessions.searched,
    files: attachments.searched,
    tellAnchors,
  });
  const graph = createGraph({ store, segments: ranking.segments, links: links.forGraph });
  const linking: Part = {
    ...links.routes({ saying: (db, account, words) => search.index.saying(db, account, [words]) }),
    start: links.start,
  };
  const privacy: Part = {
    serve: ({ mount }) =>
      namespaceRoutes(mount, { store, changed: search.audienceChanged, chooseSync: sync.choose }),
  };
  const grep = createGrep({ memories, entryTexts: sessions.entryTexts });
  const counting: Part = { start: () => recallCounts.stop };
  return {
    followers,
    search,
    knowledge,
    links,
    memories,
    sync,
    dreams,
    sessions,
    attachments,
    reader,
    anchors,
    async settled(account) {
      await search.settled(account);
      await sessions.settled(account);
    },
    parts: [
      search,
      memory,
      privacy,
      knowledge,
      linking,
      counting,
      dreams,
      sessions,
      sync,
      ask,
      attachments,
      searching,
      grep,
      graph,
      anchors,
    ],
  };
}

/** What several keep of a memory, one after the other. */
function together(...all: readonly MemoryFacts[]): MemoryFacts {
  return {
    changed(db, memory) {
      for (const { changed } of all) changed(db, memory);
    },
    withdrawn(db, memory) {
      for (const { withdrawn } of all) withdrawn(db, memory);
    },
  };
}
