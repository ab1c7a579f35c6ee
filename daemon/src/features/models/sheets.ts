import type { AccountId } from '@reverie/shared/accounts/caller';
import type { listSheets, ModelReach, ModelSheet } from '@reverie/shared/contract/system/models';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { ReadDb, Store } from '../../db/open-store.ts';
import { ModelFailure } from '../../models/language-model.ts';
import type { SheetBook } from '../../models/metered.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import { newUlid } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { ModelChoice } from './choices.ts';
import { reachOf, serverOf } from './server-address.ts';
import { closeSheet, dropSheets, insertSheet, listSheetRows, notesOf } from './sheets.store.ts';

export interface SheetsDeps {
  store: Store;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Why a model of such a reach may not see some memories, in words; undefined where it may see them all. */
  whyKept: (db: ReadDb, reach: ModelReach, notes: readonly number[]) => string | undefined;
}

/** The receipts of what was put to models. */
export interface Sheets {
  /** Where the questions to one model are written down: whose notes they show. */
  book(about: { part: ModelSheet['part']; choice: ModelChoice; account: AccountId }): SheetBook;
  /** A page of an account's, the last first. */
  page(account: AccountId, wanted: Parsed<typeof listSheets>['query']): Reply<typeof listSheets>;
  /** Drops those whose time is over, now and then. */
  start(): Stop;
  /** Writes nothing down any more: the store is about to be closed. */
  stop: Stop;
}

const KEPT = { ms: 90 * 86_400_000, most: 10_000 } as const;
/** How often old ones are dropped, in ms. */
const DROP_EVERY = 60_000;

export function createSheets({ store, clock, log, whyKept }: SheetsDeps): Sheets {
  let isStopped = false;

  /** A receipt that cannot be written, on a full disk, say, keeps its question from being sent. */
  function write(run: () => void): void {
    try {
      run();
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause;
      throw new ModelFailure(
        'refused',
        'what would be sent to it cannot be written down, so nothing was sent: see `reverie doctor`',
        cause,
      );
    }
  }

  return {
    book: ({ part, choice, account }) => ({
      open({ notes = [] }) {
        if (isStopped) throw new ModelFailure('cancelled', 'Reverie is ending');
        const at = clock.now();
        const id = `sht_${newUlid(at)}`;
        const reach = reachOf(choice);
        // What is made up is in no namespace: its numbers are those of another database.
        const shown = part === 'examination' ? [] : [...new Set(notes)];
        write(() =>
          store.write((db) => {
            const why = whyKept(db, reach, shown);
            if (why !== undefined) throw new ModelFailure('refused', why);
            insertSheet(db, {
              id,
              account,
              at,
              part,
              reach,
              shown: shown.length,
              notes: shown,
              server: serverOf(choice.baseUrl),
              model: choice.model,
            });
          }),
        );
        return (outcome) => {
          if (isStopped) return;
          try {
            store.write((db) => closeSheet(db, id, outcome));
          } catch (err) {
            // The answer is there and paid for.
            if (!(err instanceof Problem)) throw err;
            log.warn({ err, sheet: id }, 'what came of a question to a model could not be written down');
          }
        };
      },
    }),
    page: (account, { limit, cursor = null }) =>
      store.read((db) => {
        const rows = listSheetRows(db, account, { before: cursor, limit });
        return {
          sheets: rows.map(({ at, answered, ...row }) => ({
            ...row,
            at: new Date(at).toISOString(),
            answered: answered === null ? null : answered === 1,
            notes: notesOf(db, row.id),
          })),
          next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
        };
      }),
    start() {
      const timer = clock.every(DROP_EVERY, () => {
        try {
          store.write((db) => dropSheets(db, { before: clock.now() - KEPT.ms, most: KEPT.most }));
        } catch (err) {
          log.warn({ err }, 'old receipts of models could not be dropped; it is tried again in a minute');
        }
      });
      return () => timer.stop();
    },
    stop() {
      isStopped = true;
    },
  };
}
