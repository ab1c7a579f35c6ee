import type { Config } from '../../config/config.ts';
import type {
  MemoryDeps,
  MemoryFacts,
  MemoryIndex,
  MemoryLinks,
  MemoryQuota,
} from '../../features/memories/deps.ts';
import { createExpiry, startExpirySweep } from '../../features/memories/expiry.ts';
import { startHistorySweep } from '../../features/memories/history.service.ts';
import { keepProperties } from '../../features/memories/properties.store.ts';
import { memoryRoutes } from '../../features/memories/memories.routes.ts';
import { keepDay } from '../../features/memories/noted.store.ts';
import { trashRoutes } from '../../features/memories/trash/trash.routes.ts';
import { startTrashSweep } from '../../features/memories/trash/trash.service.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import { createBackfill } from '../../db/backfill.ts';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { TellAnchors } from '../../platform/tell-anchors.ts';
import type { Followers } from './followers.ts';
import { createMemoryEvents } from './memory-events.ts';
import type { Part } from '../parts.ts';
import { createSimilar } from '../search/similar.ts';

export interface MemoriesParts {
  config: Pick<Config, 'history' | 'trash'>;
  store: Store;
  clock: Clock;
  log: Log;
  facts: MemoryFacts;
  links: MemoryLinks;
  index: MemoryIndex;
  followers: Followers;
  quota: MemoryQuota;
  ranking: RankingDeps;
  /** Told which memories were asked for by their keys. */
  recalled: MemoryDeps['recalled'];
  tellAnchors: TellAnchors;
}

/** Joins the memories with what is kept in step with them, and what their time is over for. */
export function createMemories(parts: MemoriesParts): Part & { deps: MemoryDeps } {
  const { config, store, clock, log, facts, links, index, followers, quota } = parts;
  const { ranking, recalled, tellAnchors } = parts;
  const deps: MemoryDeps = {
    store,
    clock,
    facts,
    links,
    index,
    quota,
    recalled,
    events: createMemoryEvents(followers.record),
    followers: followers.derived,
    sync: followers.devices,
    maxVersions: config.history.max_versions,
  };
  const expiry = createExpiry(deps, log);
  const days = createBackfill(
    { store, clock, log },
    { name: 'days_unread', what: 'days of notes', keep: keepDay },
  );
  const properties = createBackfill(
    { store, clock, log },
    { name: 'properties_unread', what: 'properties of notes', keep: keepProperties },
  );
  const trash = {
    ...deps,
    get trashDays() {
      return config.trash.days;
    },
  };
  return {
    deps,
    serve({ http, mount }) {
      // No reader ever sees what has expired.
      http.addHook('preHandler', async () => expiry.expireDue());
      const similarTo = createSimilar({ store, ranking });
      memoryRoutes(mount, { ...deps, tellAnchors, similarTo }, expiry);
      trashRoutes(mount, trash);
    },
    start() {
      const stops = [
        startExpirySweep({ expiry, clock }),
        startTrashSweep({ deps: trash, clock, log }),
        days.start(),
        properties.start(),
        startHistorySweep({ store, clock, log, maxDays: config.history.max_days }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
