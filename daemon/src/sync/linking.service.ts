import os from 'node:os';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import * as relay from '@reverie/shared/contract/relay';
import type { ChosenNamespaces, NewNamespaces } from '@reverie/shared/contract/sync';
import type { Store } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';
import { chooseAtLink, isToSync, keepHere } from './choices.ts';
import { type RelayLink, notLinked } from './link.ts';
import { findLost } from './lost.store.ts';
import { deleteLink, findLink, insertLink, type LinkRow, savePaused } from './link.store.ts';
import { insertSynced, listSynced, namespacesToUpload } from './namespaces.store.ts';
import { pendingByNamespace } from './outbox.store.ts';
import { relayClient, wasRefusedWith } from './relay-client.ts';
import type { Replicas } from './replicas.ts';

export interface LinkingDeps {
  store: Store;
  clock: Clock;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
  link: RelayLink;
  replicas: Replicas;
  /** Told that another account, or none, is linked now. */
  changed: () => void;
}

export interface LinkWanted {
  relay: string;
  email?: string | undefined;
  code?: string | undefined;
  name?: string | undefined;
  /** What is synced; as was chosen before where it is missing. */
  namespaces?: ChosenNamespaces | undefined;
  new_namespaces?: NewNamespaces | undefined;
}

/** Links this home to a relay; what it holds is uploaded in the background. */
export async function linkHome(deps: LinkingDeps, account: AccountId, wanted: LinkWanted): Promise<void> {
  const { store, clock, secrets } = deps;
  const before = store.read(findLink);
  if (before)
    throw new Problem('already_linked', `This machine is linked to ${before.relay} already; unlink it first`);
  refusePlainHttp(wanted.relay);
  const name = wanted.name ?? (os.hostname() || 'a machine');
  const answer = await enter(wanted, name);
  await secrets.set('relay', answer.status === 'linked' ? answer.key : answer.secret);
  const isIn = answer.status === 'linked';
  const row: Omit<LinkRow, 'paused' | 'last_sync_at'> = {
    account,
    relay: wanted.relay,
    email: wanted.email ?? null,
    device_name: name,
    device: isIn ? answer.device : null,
    request: isIn ? null : answer.request,
    number: isIn ? null : answer.number,
    expires_at: isIn ? null : Date.parse(answer.expires_at),
    confirm_by: isIn && answer.confirm_by !== null ? Date.parse(answer.confirm_by) : null,
    linked_at: clock.now(),
  };
  store.write((db) => {
    // Two requests may have come this far.
    if (findLink(db)) throw new Problem('already_linked', 'This machine was linked meanwhile');
    insertLink(db, row);
    const { namespaces, new_namespaces } = wanted;
    const now = row.linked_at;
    if (namespaces !== undefined) chooseAtLink(db, account, { namespaces, new_namespaces, now });
    for (const namespace of namespacesToUpload(db, account)) {
      // What left sync waits for somebody to decide about it, or was decided to stay here.
      if (findLost(db, account, namespace.name)) continue;
      if (isToSync(db, account, { name: namespace.name, isListed: true }))
        insertSynced(db, account, namespace);
      else keepHere(db, account, { namespace: namespace.name, now });
    }
  });
  deps.changed();
  deps.link.tell({ type: 'linked' });
  deps.link.wake();
}

/** A relay is sent this machine's key with every request; on this machine alone nobody else reads it on its way. */
function refusePlainHttp(relay: string): void {
  const { protocol, hostname } = new URL(relay);
  if (protocol === 'https:' || /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return;
  throw new Problem(
    'invalid_request',
    `Plain http to ${hostname} would show everybody on the way this machine's key and what is shared. Give the https address of the relay (docs/relay.md says how it gets one), or reach it by a tunnel: ssh -L 8787:127.0.0.1:PORT ${hostname}, then link http://127.0.0.1:8787`,
  );
}

async function enter(
  { relay: origin, email, code }: LinkWanted,
  name: string,
): Promise<relay.LinkedDevice | relay.AwaitedDevice> {
  const client = relayClient(origin);
  if (code === undefined) return client(relay.linkByEmail, { body: { email: email ?? '', name } });
  try {
    return await client(relay.claimPairingCode, { body: { code, name } });
  } catch (cause) {
    if (wasRefusedWith(cause, 'gone', 'not_found', 'invalid_request'))
      throw new Problem(
        'pairing_failed',
        'The code is wrong, used up, or older than 10 minutes; make a new one',
        {
          cause,
        },
      );
    throw cause;
  }
}

/** Unlinks this home; every memory stays. Answers how many changes no other device has. */
export async function unlinkHome(deps: LinkingDeps): Promise<{ unsent: number; told_relay: boolean }> {
  const { store, secrets, link, log } = deps;
  const row = store.read(findLink);
  if (!row) throw notLinked();
  const unsent = store.read(pendingByNamespace).reduce((sum, { pending }) => sum + pending, 0);
  const left = store.read(listSynced).reduce((sum, one) => sum + one.upload_total - one.upload_done, 0);
  let told = false;
  if (row.device !== null)
    try {
      await (
        await link.client()
      )(relay.revokeDevice, { params: { id: row.device } });
      told = true;
    } catch (err) {
      log.warn({ err }, 'the relay was not told that this device is unlinked');
    }
  link.tell({ type: 'unlinked' });
  const namespaces = store.read(listSynced);
  store.write((db) => deleteLink(db));
  for (const { id } of namespaces) deps.replicas.forget(id);
  await secrets.delete('relay');
  deps.changed();
  return { unsent: unsent + left, told_relay: told };
}

/** Pauses the link, or lets it go on; what is written meanwhile waits. */
export function pauseLink({ store, link }: LinkingDeps, paused: boolean): void {
  if (!store.read(findLink)) throw notLinked();
  store.write((db) => savePaused(db, paused));
  link.tell({ type: paused ? 'paused' : 'resumed' });
  link.wake();
}

/** How long a trigger waits for everything to be confirmed, ms. */
const PATIENCE = 10_000;

/** Syncs now; says `synced` only when the relay confirmed everything that waited. */
export async function triggerLink({
  store,
  link,
  clock,
}: LinkingDeps): Promise<{ ok: boolean; status: 'synced' | 'sync_started' | 'sync_not_active' }> {
  const row = store.read(findLink);
  if (!row || row.paused === 1) return { ok: false, status: 'sync_not_active' };
  link.tell({ type: 'retried' });
  link.wake();
  const until = clock.now() + PATIENCE;
  for (let waited = 0; waited < PATIENCE && clock.now() <= until; waited += 20) {
    if (link.isSettled()) return { ok: true, status: 'synced' };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { ok: true, status: 'sync_started' };
}
