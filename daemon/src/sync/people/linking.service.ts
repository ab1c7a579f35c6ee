import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import type { ChosenNamespaces, NewNamespaces, rebuildSync } from '@reverie/shared/contract/sync/sync';
import type { Reply } from '@reverie/shared/contract/route';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { chooseAtLink, isToSync, keepHere } from '../namespaces/choices.ts';
import { type RelayLink } from '../link.ts';
import {
  notLinked,
  findLink,
  insertLink,
  type LinkRow,
  type NewLink,
  saveCa,
  savePaused,
  saveProved,
} from '../link.store.ts';
import { findLost } from '../namespaces/lost.store.ts';
import { insertSynced, listSynced, namespacesToUpload } from '../namespaces/namespaces.store.ts';
import { pendingByNamespace } from '../replica/outbox.store.ts';
import type { PresentState } from './present-state.ts';
import { enterAgain } from './recovering.service.ts';
import { endLink } from '../namespaces/stranded.ts';
import { askProof } from '../relay/relay-proof.ts';
import { refuseUnlessCertificates } from '../relay/relay-agent.ts';
import { refusePlainHttp, relayClient, wasRefusedWith } from '../relay/relay-client.ts';
import type { Replicas } from '../replica/replicas.ts';
import os from 'node:os';
import * as relay from '@reverie/shared/contract/relay/relay';

export interface LinkingDeps {
  store: Store;
  clock: Clock;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
  link: RelayLink;
  replicas: Replicas;
  present: PresentState;
  /** Told that another account, or none, is linked now. */
  changed: () => void;
}

interface LinkWanted {
  relay: string;
  email?: string | undefined;
  code?: string | undefined;
  name?: string | undefined;
  /** In PEM. */
  ca?: string | undefined;
  /** A code that enters an account whose devices are all lost. */
  recover?: string | undefined;
  /** Leaves the relay that this home is linked to. */
  anew?: boolean | undefined;
  /** What is synced; as was chosen before where it is missing. */
  namespaces?: ChosenNamespaces | undefined;
  new_namespaces?: NewNamespaces | undefined;
}

/** Links this home to a relay; what it holds is uploaded in the background. */
export async function linkHome(deps: LinkingDeps, account: AccountId, wanted: LinkWanted): Promise<void> {
  const { store, clock, secrets, log } = deps;
  const before = store.read(findLink);
  if (wanted.ca !== undefined) refuseUnlessCertificates(wanted.ca);
  if (before?.relay === wanted.relay && wanted.ca !== undefined && isCaAlone(wanted)) {
    const { ca } = wanted;
    store.write((db) => saveCa(db, ca));
    deps.link.tell({ type: 'retried' });
    return deps.link.wake();
  }
  if (before && wanted.anew !== true) throw alreadyLinked(before);
  if (isCaAlone(wanted))
    throw new Problem(
      'not_linked',
      `This machine is not linked to ${wanted.relay} yet: give an e-mail or a code with the certificate`,
    );
  refusePlainHttp(wanted.relay);
  const name = wanted.name ?? (os.hostname() || 'a machine');
  const proof = await askProof({ relay: wanted.relay, ca: wanted.ca ?? null });
  // Else its own device would be the one that has to let it in.
  if (before && before.relay_key === (proof?.key ?? '') && deps.link.state().kind === 'open')
    throw new Problem(
      'already_linked',
      `This machine is linked to this relay, and in sync with it. To begin anew all the same, \`reverie unlink\` first`,
    );
  const old = before?.device == null ? undefined : await oldClient(deps);
  const answer = await enter(deps, wanted, name);
  // Before the new key is kept: it must not be sent to the relay that is left.
  if (before) leave(deps, before);
  await secrets.set('relay', answer.status === 'linked' ? answer.key : answer.secret);
  const isIn = answer.status === 'linked';
  const row: NewLink = {
    account,
    relay: wanted.relay,
    ca: wanted.ca,
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
    if (proof)
      saveProved(db, {
        relay_key: proof.key,
        log_id: proof.log_id,
        addresses: JSON.stringify(proof.addresses),
      });
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
  if (old && before?.device != null)
    old(relay.revokeDevice, { params: { id: before.device } }).catch((err: unknown) =>
      log.warn({ err }, 'the relay that was left was not told'),
    );
}

const isCaAlone = ({ email, code }: LinkWanted) => email === undefined && code === undefined;

/** Ends a link here; what belongs to others stays, and is not sent elsewhere. */
function leave({ store, clock, link, replicas }: LinkingDeps, { linked_at }: LinkRow): void {
  link.tell({ type: 'unlinked' });
  const namespaces = store.read(listSynced);
  store.write((db) => {
    if (findLink(db)?.linked_at !== linked_at)
      throw new Problem('already_linked', 'This machine was linked elsewhere meanwhile');
    endLink(db, clock.now());
  });
  for (const { id } of namespaces) replicas.forget(id);
}

function alreadyLinked({ relay: at }: LinkRow): Problem {
  return new Problem(
    'already_linked',
    `This machine is linked to ${at} already. If that relay moved, \`reverie link --move NEW-ADDRESS\`; to leave it and begin at another one, add --anew`,
  );
}

/** A client of the relay that is left, with this device's key; undefined where that does not answer, or another one does. */
async function oldClient({ link, log }: LinkingDeps): Promise<Client | undefined> {
  return link.client().catch((err: unknown) => {
    log.warn({ err }, 'the relay that is left will not be told');
    return undefined;
  });
}

async function enter(
  deps: Pick<LinkingDeps, 'store' | 'clock' | 'secrets'>,
  wanted: LinkWanted,
  name: string,
): Promise<relay.LinkedDevice | relay.AwaitedDevice> {
  const { relay: origin, email, code, recover, ca } = wanted;
  const at = { relay: origin, ca: ca ?? null };
  const client = relayClient(at);
  if (recover !== undefined) return enterAgain(deps, { ...at, email: email ?? '', code: recover, name });
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
  leave(deps, row);
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

/** Makes the memories of every synced namespace anew from its documents, a namespace a turn. Throws `not_linked`. */
export async function rebuildAll({
  store,
  replicas,
}: Pick<LinkingDeps, 'store' | 'replicas'>): Promise<Reply<typeof rebuildSync>> {
  if (!store.read(findLink)) throw notLinked();
  const all: ReturnType<typeof replicas.rebuild>[] = [];
  for (const { id } of store.read(listSynced)) {
    await turnOfOnesOwn();
    all.push(replicas.rebuild(id));
  }
  const sum = (of: 'memories' | 'differed') => all.reduce((total, one) => total + one[of], 0);
  return { memories: sum('memories'), differed: sum('differed') };
}
