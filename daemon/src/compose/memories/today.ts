import type { AccountId } from '@reverie/shared/accounts/caller';
import { readSettings } from '../../config/changing.ts';
import type { Settings } from '../../config/settings-file.ts';
import type { Store } from '../../db/open-store.ts';
import { listKeyRows } from '../../features/accounts/accounts.store.ts';
import { endOfLog, recentDoings } from '../../features/events/events.service.ts';
import { unreadInboxes } from '../../features/inbox/inbox.service.ts';
import type { MemoryDeps } from '../../features/memories/deps.ts';
import { listNamespaces } from '../../features/memories/reading/reading.service.ts';
import { shownSettings } from '../../features/settings/settings.service.ts';
import { todayRoutes } from '../../features/today/today.routes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Dreams } from '../dreams.ts';
import type { Part } from '../parts.ts';

interface TodayParts {
  store: Store;
  clock: Clock;
  memories: MemoryDeps;
  dreams: Pick<Dreams, 'proposals' | 'hasDreamt'>;
  settings: Settings;
  /** The id of the event log. */
  logId: string;
  isMachine: (account: AccountId) => boolean;
}

/** The sender that a person's own messages have. */
const PERSON = 'person';

/** Joins what a person looks at first. */
export function createToday({ dreams, memories, settings, isMachine, ...base }: TodayParts): Part {
  const { store } = base;
  return {
    serve: ({ mount }) =>
      todayRoutes(mount, {
        ...base,
        cursor: ({ account }) => endOfLog(base, account),
        namespaces: (caller) => listNamespaces(memories, caller),
        proposals: dreams.proposals,
        hasDreamt: dreams.hasDreamt,
        unread: (caller) => unreadInboxes(base, caller, { notFrom: PERSON }),
        doings: (caller, since) => recentDoings(base, caller, since),
        keyNames: ({ account }) =>
          new Map(store.read((db) => listKeyRows(db, account)).map(({ id, name }) => [id, name])),
        settings: ({ key }) =>
          key.scope === 'owner' && isMachine(key.account)
            ? shownSettings(settings, readSettings(settings))
            : null,
      }),
  };
}
