import { authorOf, type NewEvent } from '../../db/change.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import { createDoubled } from '../../features/agents/hooks/doubled.ts';
import { hookRoutes } from '../../features/agents/hooks/hooks.routes.ts';
import type { HooksWorld } from '../../features/agents/hooks/ports.ts';
import { listMessages, sendMessage } from '../../features/inbox/inbox.service.ts';
import type { MemoryDeps } from '../../features/memories/deps.ts';
import { memoriesById } from '../../features/memories/reading/reading.service.ts';
import type { PrepareQueries } from '../../features/search/ports.ts';
import type { RankingDeps } from '../../features/search/query/query.ts';
import type { Clock } from '../../platform/clock.ts';
import { projectOf } from '../../platform/project.ts';
import type { AnchorsPart } from '../memories/anchors.ts';
import type { Part } from '../parts.ts';
import type { Quotas } from '../quotas.ts';
import { relevantTo } from '../search/relevant.ts';

export interface HooksParts {
  store: Store;
  clock: Clock;
  memories: MemoryDeps;
  ranking: RankingDeps;
  record: (db: WriteDb, event: NewEvent) => void;
  makeRoom: Quotas['makeRoom'];
  anchors: Pick<AnchorsPart, 'seen' | 'forHook'>;
  world: Pick<HooksWorld, 'isMachine' | 'comingUp' | 'injected'> & {
    /** Has a server make the vector of a query, where one does; gives up after a short time. */
    prepare?: PrepareQueries | undefined;
  };
}

/** Joins what the hooks of coding agents need; the composition root holds it. */
export function createHooks(parts: HooksParts): Part {
  const { store, clock, memories, ranking, record, makeRoom, anchors, world } = parts;
  return {
    serve: ({ mount }) =>
      hookRoutes(mount, {
        store,
        clock,
        isDoubled: createDoubled(clock),
        world: {
          isMachine: world.isMachine,
          comingUp: world.comingUp,
          injected: world.injected,
          projectOf,
          seen: anchors.seen,
          anchors: anchors.forHook,
          byId: (account, ids) => memoriesById(memories, account, ids),
          async search(account, { namespace, text, threshold, limit }) {
            await world.prepare?.([text], { account, namespace });
            return relevantTo({ store, ranking }, account, { namespace, text, threshold, limit });
          },
          unread: (account, { namespace, notFrom }) =>
            listMessages(
              { store },
              { account, namespace, notFrom },
              { onlyUnread: true, cursor: undefined, limit: 50 },
            ),
          propose(caller, message) {
            sendMessage({ store, clock, record, makeRoom }, authorOf(caller), message);
          },
        },
      }),
  };
}
