import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { NamespaceOf } from '@reverie/shared/accounts/narrower-keys';
import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import type { Config } from '../config/config.ts';
import type { Store, WriteDb } from '../db/open-store.ts';
import { listInsights } from '../features/dreams/insights/insights.service.ts';
import { findInsight } from '../features/dreams/insights/insights.store.ts';
import { findJob } from '../features/dreams/jobs/jobs.store.ts';
import { createHold } from '../features/dreams/jobs/hold.ts';
import { createDreamer } from '../features/dreams/jobs/dreamer.ts';
import { createAgentSheets } from '../features/dreams/reading/agent-sheets.ts';
import { dreamRoutes } from '../features/dreams/dreams.routes.ts';
import { listDreams, startDream } from '../features/dreams/dreams.service.ts';
import type { AskNamespace, Minds } from '../features/dreams/jobs/run-deps.ts';
import {
  namespaceCleared,
  sourceDeleted,
  sourceOverwritten,
  sourceRenamed,
  sourceTrashed,
} from '../features/dreams/insights/retraction.service.ts';
import type { RecordEvent } from '../features/events/events.service.ts';
import { startSchedule } from '../features/dreams/schedule.ts';
import type { DreamMemories, InsightDeps } from '../features/dreams/deps.ts';
import type { MemoryDeps, MemoryFollowers } from '../features/memories/deps.ts';
import { hideMemory, showMemory } from '../features/memories/hiding.ts';
import { deleteMemory, setMemory, writeMemory } from '../features/memories/memories.service.ts';
import { findMemory } from '../features/memories/memories.store.ts';
import type { ProposalsAsked } from '../features/today/today.service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Part } from './parts.ts';

export interface DreamsParts {
  config: Config;
  store: Store;
  clock: Clock;
  log: Log;
  world: DreamsWorld;
}

/** What dreams need of the rest. */
export interface DreamsWorld {
  memories: MemoryDeps;
  record: RecordEvent;
  /** The database file, for the connection of a dream's thread. */
  database: string;
  /** Name of the model whose vectors are compared; a server's may turn out to be another one while this runs. */
  embedder: () => string;
  /** Resolves when what was written of an account is indexed, or after some seconds. */
  settled: (account: AccountId) => Promise<void>;
  /** That an account may use for a namespace. */
  model: Minds['model'];
  ask: AskNamespace | undefined;
  isSandbox: (account: AccountId) => boolean;
  isMachine: (account: AccountId) => boolean;
  makeRoom: (db: WriteDb, account: AccountId, bytes: number) => void;
}

export interface Dreams extends Part {
  /** Withdraws what dreams made of memories that change. */
  followers: MemoryFollowers;
  /** Which namespace a dream or an insight is of. */
  namespaceOf: NamespaceOf;
  /** Proposals of all namespaces that a caller may read. */
  proposals(caller: Caller, asked: ProposalsAsked): ReturnType<typeof listInsights>;
  /** Whether there ever was a dream that a caller may know of. */
  hasDreamt(caller: Caller): boolean;
  /** What comes up in a namespace and was not decided on, soonest first. */
  comingUp(caller: Caller, namespace: string): readonly Insight[];
}

/** Joins the parts of dreams; the composition root holds it. */
export function createDreams({ config, store, clock, log, world }: DreamsParts): Dreams {
  const insights: InsightDeps = {
    store,
    clock,
    memories: dreamMemories(world.memories),
    record: world.record,
    redact: (db, at) => world.memories.events.redact(db, at),
  };
  const thread = {
    database: world.database,
    get embedder() {
      return world.embedder();
    },
  };
  const hold = createHold(clock);
  const dreamer = createDreamer({
    store,
    log,
    insights,
    thread,
    minds: { model: world.model, ask: world.ask },
    settled: world.settled,
    sheetTokens: config.dream.sheet_tokens,
    hold,
  });
  const { isSandbox, isMachine, makeRoom } = world;
  const settings = {
    get budgetTokens() {
      return config.dream.budget_tokens;
    },
    isSandbox,
    isMachine,
    makeRoom,
  };
  const dreams = { store, clock, dreamer, hold, settings };
  const sheets = createAgentSheets({ store, clock, thread });
  return {
    followers: {
      overwritten: (db, { id, value }) => sourceOverwritten(db, insights, { memoryId: id, value }),
      renamed: (db, { id, from, to }) => sourceRenamed(db, insights, { memoryId: id, from, to }),
      trashed: (db, { id }) => sourceTrashed(db, insights, id),
      deleted: (db, { id }) => sourceDeleted(db, insights, id),
      cleared: (db, at) => namespaceCleared(db, insights, at),
    },
    namespaceOf: (what, account, id) =>
      store.read((db) => (what === 'dream' ? findJob : findInsight)(db, account, id))?.namespace,
    proposals: (caller, asked) => listInsights(insights, caller, { cursor: undefined, ...asked }),
    hasDreamt: (caller) => listDreams(dreams, caller, { limit: 1 }).jobs.length > 0,
    comingUp: (caller, namespace) =>
      listInsights(insights, caller, {
        namespace,
        status: 'proposed',
        order: 'kind',
        strategy: 'forecast',
        limit: 20,
        cursor: undefined,
      }).insights,
    serve: ({ mount }) => dreamRoutes(mount, { dreams, insights, sheets }),
    start() {
      const stops = [
        dreamer.start(),
        startSchedule({
          store,
          clock,
          log,
          get at() {
            return config.dream.schedule;
          },
          start: (account, namespace) =>
            void startDream(dreams, account, { namespace, startedBy: 'schedule' }),
        }),
      ];
      return () => {
        for (const stop of stops.reverse()) stop();
      };
    },
  };
}

/** Memories as insights use them: each change goes the way of every other one, in the transaction under way. */
function dreamMemories(memories: MemoryDeps): DreamMemories {
  return {
    find: findMemory,
    write(db, author, item) {
      // Only an undo brings times along: what was overwritten gets them back.
      if (item.updated_at === undefined) setMemory(memories, author, item);
      else writeMemory(db, memories, { author, item });
    },
    remove: (_, author, at) => deleteMemory(memories, author, at),
    hide: (db, author, at) => hideMemory(db, memories, { ...at, author }),
    show(db, author, at) {
      const row = findMemory(db, at);
      if (row) showMemory(db, memories, { author, row, behind: at.behind });
    },
  };
}
