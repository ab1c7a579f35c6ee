import type { Author } from '../../db/change.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { MemoryDeps } from './deps.ts';
import { dropSources } from './imports/imports.store.ts';
import { forget } from './memories.service.ts';
import { expiredMemories, nextExpiry } from './memories.store.ts';
import { findTrashedById } from './trash/trash.store.ts';
import { forgetTrashed } from './trash/trashing.ts';

/** Deletes memories that have expired, at the latest when somebody asks for them, so that no reader ever sees one. */
export interface Expiry {
  /** Cheap while nothing is due. What cannot be deleted, on a full disk, say, is logged and tried again. */
  expireDue(): void;
  /** Tells that a memory with this end was stored. */
  note(expiresAt: number): void;
}

export function createExpiry(deps: MemoryDeps, log: Log): Expiry {
  let next = deps.store.read(nextExpiry);
  function deleteDue(): void {
    const now = deps.clock.now();
    while (next !== null && next <= now) {
      next = deps.store.write((db) => {
        for (const row of expiredMemories(db, now)) {
          const author: Author = {
            account: row.account,
            actor: { kind: 'system', id: 'expiry' },
            origin: 'upkeep',
          };
          // Nobody deleted it: where its source says another end now, it may come again.
          dropSources(db, row.id);
          const trashed = row.hidden === 'trashed' ? findTrashedById(db, row.id) : undefined;
          if (trashed) forgetTrashed(db, deps, { author, trashed });
          else forget(db, deps, { author, row });
        }
        return nextExpiry(db);
      });
    }
  }
  return {
    note(expiresAt) {
      next = next === null ? expiresAt : Math.min(next, expiresAt);
    },
    expireDue() {
      try {
        deleteDue();
      } catch (err) {
        // A reader must get its answer on a full disk, too.
        log.warn({ err }, 'expired memories could not be deleted; it is tried again');
      }
    },
  };
}

/** Deletes what expires while nobody asks for anything. */
export function startExpirySweep({ expiry, clock }: { expiry: Expiry; clock: Clock }): Stop {
  const timer = clock.every(30_000, () => expiry.expireDue());
  return () => timer.stop();
}
