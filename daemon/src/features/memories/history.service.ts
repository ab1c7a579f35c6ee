import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Version } from '@reverie/shared/contract/memories/history';
import { Problem } from '@reverie/shared/contract/problems';
import { objectIn } from '../../db/json-column.ts';
import { authorsOf, type NameAuthor } from '../../db/authors.ts';
import type { Author } from '../../db/change.ts';
import type { Store } from '../../db/open-store.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { dropVersionsBefore, findVersion, listVersions, type VersionRow } from './history.store.ts';
import type { MemoryDeps } from './deps.ts';
import { notFound, setMemory, type WrittenMemory } from './memories.service.ts';
import { findMemory } from './memories.store.ts';

interface Address {
  namespace: string;
  key: string;
}

/** All versions of a memory that are kept, the one that is stored now first. */
export function memoryHistory(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  address: Address,
): Version[] {
  return store.read((db) => {
    const row = findMemory(db, { account, ...address });
    if (!row) throw notFound(address);
    const name = authorsOf(db, account);
    return [row, ...listVersions(db, row.id)].map((version, index) => toVersion(version, index === 0, name));
  });
}

function toVersion(row: VersionRow, current: boolean, name: NameAuthor): Version {
  const author = name(row.writer);
  return {
    version: row.version,
    value: row.value,
    metadata: objectIn(row.metadata),
    updated_at: new Date(row.updated_at).toISOString(),
    current,
    ...(author && { author }),
  };
}

/** Stores what an earlier version said as a new one. */
export function restoreVersion(
  deps: MemoryDeps,
  author: Author,
  wanted: Address & { version: number; if_updated_at?: string | undefined },
): WrittenMemory {
  return deps.store.write((db) => {
    const row = findMemory(db, { account: author.account, namespace: wanted.namespace, key: wanted.key });
    if (!row) throw notFound(wanted);
    const version = wanted.version === row.version ? row : findVersion(db, row.id, wanted.version);
    if (!version)
      throw new Problem(
        'version_not_found',
        `There is no version ${wanted.version} of the memory ${wanted.key}; the history lists them`,
      );
    return setMemory(deps, author, {
      ...wanted,
      value: version.value,
      metadata: objectIn(version.metadata),
      expires_at: row.expires_at === null ? undefined : new Date(row.expires_at).toISOString(),
    });
  });
}

const DAY = 86_400_000;

/** Drops versions that are older than their retention, once an hour. */
export function startHistorySweep(deps: { store: Store; clock: Clock; log: Log; maxDays: number }): Stop {
  const { store, clock, log, maxDays } = deps;
  const timer = clock.every(3_600_000, () => {
    try {
      store.write((db) => dropVersionsBefore(db, clock.now() - maxDays * DAY));
    } catch (err) {
      log.warn({ err }, 'old versions could not be dropped; it is tried again in an hour');
    }
  });
  return () => timer.stop();
}
