import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import { entryHash } from '@reverie/shared/contract/relay/relay-rooms';
import { findLink, saveMoved, notLinked } from '../link.store.ts';
import type { LinkingDeps } from './linking.service.ts';
import { listSynced, type SyncedRow } from '../namespaces/namespaces.store.ts';
import { refusePlainHttp, relayClient, wasRefusedWith } from '../relay/relay-client.ts';
import { AnotherRelay, askProof, Unproven } from '../relay/relay-proof.ts';

/** Rooms whose log is compared before a move; one that has another history would show in any of them. */
const COMPARED = 50;

/**
 * Moves the link to another address of the same relay, once that proved that it is; nothing is uploaded again. `restored`: it has the key
 * of the relay, and a log of another name, so that it was restored from a backup.
 */
export async function moveLink(
  { store, secrets, link }: Pick<LinkingDeps, 'store' | 'secrets' | 'link'>,
  relay: string,
): Promise<{ relay: string; restored: boolean }> {
  const row = store.read(findLink);
  if (!row) throw notLinked();
  refusePlainHttp(relay);
  if (row.relay_key === null)
    throw new Problem(
      'conflict',
      `${row.relay} has not proved who it is to this machine yet, so nobody can tell whether ${relay} is the same one. Let this machine connect at the old address once, with a relay of this version; or leave it and begin anew: \`reverie link ${relay} --anew --email E-MAIL\``,
    );
  const proof = await askProof({ relay, ca: row.ca });
  if (!proof) throw new Unproven(relay);
  if (proof.key !== row.relay_key) throw new AnotherRelay(relay);
  const restored = row.log_id !== '' && proof.log_id !== row.log_id;
  const key = row.device === null ? undefined : await secrets.get('relay');
  if (!restored && key !== undefined) {
    const read = store.read(listSynced).filter((one) => one.log_id === proof.log_id && one.cursor > 0);
    for (const one of read.slice(0, COMPARED))
      await refuseOlder(relayClient({ relay, ca: row.ca }, key), one, relay);
  }
  store.write((db) => {
    if (findLink(db)?.relay_key !== row.relay_key)
      throw new Problem('conflict', 'This machine was linked elsewhere meanwhile');
    saveMoved(db, { relay, addresses: JSON.stringify(proof.addresses) });
  });
  link.tell({ type: 'linked' });
  if (row.paused === 1) link.tell({ type: 'paused' });
  link.wake();
  return { relay, restored };
}

/** Refuses a relay that has not got what this machine has read of a room, while its log has the same name. */
async function refuseOlder(
  client: Client,
  { name, room, cursor, hash }: SyncedRow,
  relay: string,
): Promise<void> {
  if (room === null) return;
  try {
    const there = await client(entryHash, { params: { id: room, seq: cursor } });
    if (there.hash === Buffer.from(hash).toString('hex')) return;
  } catch (cause) {
    // A device that was removed, or is no member any more: the relay says so once it is connected to.
    if (wasRefusedWith(cause, 'unauthorized', 'not_found')) return;
    throw cause;
  }
  throw new Problem(
    'conflict',
    `${relay} has the key of your relay, but not what this machine has read of ${JSON.stringify(name)}: it is an older copy. Who runs it puts the newest database there; or, if that is lost, runs \`renew-log\` (Postgres) or deletes relay.mark (SQLite) and starts it again, so that devices send what it lacks. Nothing was changed`,
  );
}
