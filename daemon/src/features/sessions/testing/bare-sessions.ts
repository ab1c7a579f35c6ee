import type { AccountId } from '@reverie/shared/accounts/caller';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore } from '../../../db/open-store.ts';
import type { SessionsDeps } from '../deps.ts';
import { createLeaver } from '../sharing/leaving.ts';
import { createRedaction } from '../sharing/redacting.ts';

const nothing = () => undefined;

/** Sessions of one account in a store of their own, which nobody follows. */
export interface BareSessions {
  deps: SessionsDeps & { clock: FakeClock };
  account: AccountId;
  readable: () => true;
  /** The items that were taken back here. */
  takenBack: string[];
}

export function bareSessions(): BareSessions {
  const store = openStore({ file: ':memory:', migrations: loadMigrations() });
  const clock = createFakeClock();
  const account = 1 as AccountId;
  store.write((db) =>
    db.exec(
      `INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (${account}, 'acc', 'machine', 'machine', 0)`,
    ),
  );
  const takenBack: string[] = [];
  const world: SessionsDeps['world'] = {
    record: nothing,
    makeRoom: nothing,
    written: nothing,
    isMachine: () => true,
    participantsOf: () => [],
    isShared: () => false,
    otherQuery: () => ({ match: undefined, read: async () => undefined }),
    removed: (_db, _session, item) => void takenBack.push(item),
    leaver: createLeaver(store, createRedaction(), () => 'ada'),
    texts: { left: nothing, settled: async () => undefined },
    personOf: () => 'ada',
  };
  return { deps: { store, clock, world }, account, readable: () => true, takenBack };
}
