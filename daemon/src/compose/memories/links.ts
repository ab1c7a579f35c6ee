import type { AccountId } from '@reverie/shared/accounts/caller';
import { type Backfill, createBackfill } from '../../db/backfill.ts';
import { namedIn } from '../../db/note-names.store.ts';
import type { ReadDb, Store } from '../../db/open-store.ts';
import { linkRoutes } from '../../features/links/links.routes.ts';
import { linkedMemories, linkingIds } from '../../features/links/links.service.ts';
import { keepLinks, withdrawLinks } from '../../features/links/links.store.ts';
import type { MemoryFacts, MemoryLinks } from '../../features/memories/deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Part } from '../parts.ts';

export interface LinksPart extends Backfill {
  /** Keeps the links of a memory in the transaction that changes it. */
  readonly kept: MemoryFacts;
  readonly forMemories: MemoryLinks;
  readonly forGraph: typeof linkedMemories;
  /** The routes of links, which need the text index. */
  routes(world: { saying: (db: ReadDb, account: AccountId, words: string) => readonly number[] }): Part;
}

/** Joins the parts of links between notes. */
export function createLinks(deps: { store: Store; clock: Clock; log: Log }): LinksPart {
  const { store } = deps;
  return {
    ...createBackfill(deps, { name: 'links_unread', what: 'links', keep: keepLinks }),
    kept: {
      changed: (db, { id }) => keepLinks(db, id),
      withdrawn: (db, { id }) => withdrawLinks(db, id),
    },
    forMemories: { named: namedIn, linkingTo: linkingIds },
    forGraph: linkedMemories,
    routes: ({ saying }) => ({ serve: ({ mount }) => linkRoutes(mount, { store, saying }) }),
  };
}
