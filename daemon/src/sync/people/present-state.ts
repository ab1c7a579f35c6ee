import { isPresentBetween } from '@reverie/shared/protocol/epoch-number';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store } from '../../db/open-store.ts';
import type { FileSync } from '../files/file-sync.ts';
import type { RelayLink } from '../link.ts';
import { findSynced, type SyncedRow } from '../namespaces/namespaces.store.ts';
import { pendingByNamespace } from '../replica/outbox.store.ts';
import type { Replicas } from '../replica/replicas.ts';

/** Begins the log of a namespace anew with what there is now, so that who joins reads nothing of before. */
export interface PresentState {
  /**
   * Answers the entry of the log behind which all that there is stands, and nothing else. Throws `relay_unreachable` where the relay does not
   * take it.
   */
  begin(namespaceId: number): Promise<number>;
}

export interface PresentStateDeps {
  store: Store;
  link: Pick<RelayLink, 'session' | 'state' | 'wake'>;
  replicas: Pick<Replicas, 'sayAll' | 'standingOf'>;
  files: Pick<FileSync, 'forgetUnnamed'>;
}

/** How often is looked how far it is, ms. */
const LOOK = 15;
/** For how long nothing may move, ms. */
const PATIENCE = 30_000;

export function createPresentState({ store, link, replicas, files }: PresentStateDeps): PresentState {
  const underWay = new Map<number, Promise<number>>();

  function rowOf(namespaceId: number): SyncedRow {
    const row = store.read((db) => findSynced(db, namespaceId));
    if (!row) throw new Problem('namespace_not_synced', 'The namespace has left sync meanwhile');
    return row;
  }

  const pendingOf = (namespaceId: number) =>
    store.read(pendingByNamespace).find((one) => one.namespace_id === namespaceId)?.pending ?? 0;

  function isStill(row: SyncedRow): boolean {
    const isIn = row.upload_after === null && row.rebuild === 0 && row.entering === null;
    return isIn && pendingOf(row.id) === 0 && link.session()?.behind(row) === 0;
  }

  /** Waits until something holds, as long as the relay is there and something moves. */
  async function until(namespaceId: number, holds: (row: SyncedRow) => boolean): Promise<SyncedRow> {
    let last = '';
    for (let waited = 0; waited < PATIENCE; waited += LOOK) {
      const row = rowOf(namespaceId);
      if (holds(row)) return row;
      const session = link.session();
      if (link.state().kind === 'paused')
        throw notThere('sync is paused here (`reverie sync resume` goes on)');
      if (!session) throw notThere('there is no connection to it now');
      const refusal = session.refusal();
      if (refusal?.code === 'quota') throw notThere(refusal.detail);
      const now = JSON.stringify([row.cursor, row.epoch, row.entered, row.upload_done, pendingOf(row.id)]);
      if (now !== last) [last, waited] = [now, 0];
      link.wake();
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    throw notThere('it did not answer for 30 seconds');
  }

  async function beginNow(namespaceId: number): Promise<number> {
    // Others may begin an epoch meanwhile: then it is begun once more. Also where nothing was written since the last one: a device that is
    // away may have written over what it had not sent, and in a new epoch says only what is left of it.
    for (let tries = 0; tries < 5; tries += 1) {
      const before = await until(namespaceId, isStill);
      link.session()?.askEpoch(before, { present: true });
      const { epoch } = await until(
        namespaceId,
        (row) => row.epoch !== before.epoch && row.entering === null,
      );
      const since = link.session()?.beganAt(rowOf(namespaceId));
      const said = isPresentBetween(before.epoch, epoch) ? replicas.sayAll(namespaceId) : undefined;
      if (since === undefined || !said) continue;
      await until(
        namespaceId,
        (row) => row.epoch !== epoch || replicas.standingOf(row.id, said) !== 'waiting',
      );
      if (rowOf(namespaceId).epoch !== epoch || replicas.standingOf(namespaceId, said) !== 'said') continue;
      await until(namespaceId, isStill);
      return since;
    }
    throw notThere('other devices begin it anew again and again');
  }

  /** What there is, and no picture but those of its notes. */
  async function beginWithFiles(namespaceId: number): Promise<number> {
    const since = await beginNow(namespaceId);
    await files.forgetUnnamed(rowOf(namespaceId));
    return since;
  }

  return {
    begin(namespaceId) {
      const known = underWay.get(namespaceId);
      const begins = known ?? beginWithFiles(namespaceId).finally(() => underWay.delete(namespaceId));
      underWay.set(namespaceId, begins);
      return begins;
    },
  };
}

function notThere(why: string): Problem {
  return new Problem(
    'relay_unreachable',
    `The relay could not be given what is in the namespace now: ${why}. Nobody was invited; try again`,
  );
}
