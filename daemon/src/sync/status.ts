import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SyncFailure, SyncStatus } from '@reverie/shared/contract/sync';
import type { Store } from '../db/open-store.ts';
import { stayingOf } from './choices.ts';
import { findDefault } from './choices.store.ts';
import { countConflicts } from './conflicts.store.ts';
import { countQuarantined } from './documents.store.ts';
import type { RelayLink } from './link.ts';
import type { Failure, LinkState } from './link-state.ts';
import { findLink, type LinkRow } from './link.store.ts';
import { lostOf } from './lost.service.ts';
import { listSynced, memoryCounts, type SyncedRow } from './namespaces.store.ts';
import { pendingByNamespace } from './outbox.store.ts';
import type { RelayTime } from './relay-time.ts';

const iso = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString());

const advice: Readonly<Record<Failure['code'], string>> = {
  unreachable: 'Check the connection and the address of the relay; it is tried again by itself.',
  silent: 'It is tried again by itself.',
  storage: 'Free some space on this disk; `reverie doctor` says more. It is tried again by itself.',
  later: 'It is tried again by itself.',
  rate_limited: 'It goes on by itself in a while.',
  quota:
    'Nothing is lost here: changes wait until there is room. What was overwritten or deleted leaves the relay by itself, soon where a second device is online to confirm that it may, else after 14 days; deleting more does not make room at once. If it stays full, ask who runs the relay for more space (`RELAY_QUOTA_MB`).',
  revoked: 'This device was removed. Unlink it, and link it anew: every memory is still here.',
  gone: 'Unlink this device, and link it anew: every memory is still here.',
  version: 'Update Reverie, or the relay: they do not understand each other.',
  forbidden: 'Ask who runs the relay.',
  malformed: 'Update Reverie, or the relay; if it stays so, report it.',
  clock_ahead:
    'Set the clock of this machine: it runs ahead. What was written here is stamped anew and sent again by itself.',
  stale_epoch: 'It is said again in the new epoch by itself.',
  too_large: 'Report it: an entry is too large for the relay.',
  invalid: 'Report it: the relay refuses an entry.',
};

function failureOf(failure: Failure): SyncFailure {
  const code = failure.code === 'unreachable' ? 'relay_unreachable' : failure.code;
  const at = new Date(failure.at).toISOString();
  return { code, message: failure.detail, advice: advice[failure.code], at };
}

/** That this machine's clock is ahead, while it is: what is written meanwhile is stamped by the relay's. */
function clockFailure(time: RelayTime, now: number): SyncFailure | undefined {
  const minutes = Math.round(time.ahead() / 60_000);
  if (minutes === 0) return undefined;
  const detail = `The clock of this machine is ${minutes} minutes ahead of the relay's, which is used in its place`;
  return failureOf({ code: 'clock_ahead', detail, at: now });
}

/** How the memories of an account stand to those of its other devices; those that are not linked are dormant. */
export function statusOf(
  { store, link, time, now }: { store: Store; link: RelayLink; time: RelayTime; now: number },
  account: AccountId,
): SyncStatus {
  const row = store.read(findLink);
  const { memories, last_update } = store.read((db) => memoryCounts(db, account));
  const conflicts = store.read((db) => countConflicts(db, account, null));
  const chosen = store.read((db) => ({
    stays: stayingOf(db, account),
    new_namespaces: findDefault(db, account).synced ? ('sync' as const) : ('stay' as const),
    lost: lostOf(db, account),
  }));
  if (row?.account !== account) {
    return { ...nothing, memories, last_update: iso(last_update), conflicts, ...chosen };
  }
  const state = link.state();
  const session = link.session();
  const synced = store.read(listSynced);
  const pendings = new Map(store.read(pendingByNamespace).map((one) => [one.namespace_id, one]));
  const namespaces = synced.map((one) => ({
    namespace: one.name,
    role: one.role,
    shared: one.members > 1,
    pending: (pendings.get(one.id)?.pending ?? 0) + (one.upload_total - one.upload_done),
    behind: session ? session.behind(one) : null,
  }));
  const pending = namespaces.reduce((sum, one) => sum + one.pending, 0);
  const behind =
    !link.knowsRooms() || namespaces.some((one) => one.behind === null)
      ? null
      : namespaces.reduce((sum, one) => sum + (one.behind ?? 0), 0);
  const oldest = Math.min(...[...pendings.values()].map((one) => one.oldest ?? Infinity));
  const refusal = session?.refusal();
  const error =
    'failure' in state && state.failure
      ? failureOf(state.failure)
      : refusal
        ? failureOf({ code: refusal.code, detail: refusal.detail, at: now })
        : clockFailure(time, now);
  return {
    memories,
    last_update: iso(last_update),
    peers: link
      .devices()
      .all.filter(({ id }) => id !== row.device)
      .map(({ id, name, last_seen }) => ({ id, name, last_seen })),
    daemon_live: state.kind === 'open',
    state: stateOf(state, { isBusy: pending > 0 || behind !== 0, isRefused: refusal !== undefined, row }),
    pending,
    last_sync_at: iso(row.last_sync_at),
    relay: row.relay,
    ...(error && { error }),
    paused: row.paused === 1,
    waiting_for: row.device === null ? 'approval' : row.confirm_by === null ? null : 'confirmation',
    device: row.device === null ? null : { id: row.device, name: row.device_name },
    email: row.email,
    oldest_pending_at: Number.isFinite(oldest) ? iso(oldest) : null,
    behind,
    upload: progress(synced, ({ upload_done, upload_total }) => [upload_done, upload_total]),
    download: progress(synced, ({ cursor, first_head }) => [
      Math.min(cursor, first_head ?? 0),
      first_head ?? 0,
    ]),
    quarantined: store.read(countQuarantined),
    conflicts,
    namespaces,
    ...chosen,
  };
}

function stateOf(
  state: LinkState,
  { isBusy, isRefused, row }: { isBusy: boolean; isRefused: boolean; row: LinkRow },
): SyncStatus['state'] {
  switch (state.kind) {
    case 'dormant':
    case 'paused':
      return 'dormant';
    case 'connecting':
      if (state.failure?.code === 'storage') return 'error';
      return state.attempt > 0 && row.device !== null ? 'offline' : 'connecting';
    case 'waiting':
      return state.failure.code === 'storage' ? 'error' : 'offline';
    case 'stopped':
      return state.failure.code === 'revoked' || state.failure.code === 'gone' ? 'unauthorized' : 'error';
    case 'open':
      return isRefused ? 'error' : isBusy ? 'syncing' : 'live';
  }
}

/** The sum over the namespaces that have not ended; null when all have. */
function progress(
  rows: readonly SyncedRow[],
  of: (row: SyncedRow) => [done: number, total: number],
): { done: number; total: number } | null {
  const all = rows.map(of);
  if (all.every(([done, total]) => done >= total)) return null;
  return {
    done: all.reduce((sum, [done]) => sum + done, 0),
    total: all.reduce((sum, [, total]) => sum + total, 0),
  };
}

const nothing: SyncStatus = {
  memories: 0,
  last_update: null,
  peers: [],
  daemon_live: false,
  state: 'dormant',
  pending: 0,
  last_sync_at: null,
  relay: null,
  paused: false,
  waiting_for: null,
  device: null,
  email: null,
  oldest_pending_at: null,
  behind: null,
  upload: null,
  download: null,
  quarantined: 0,
  conflicts: 0,
  namespaces: [],
  stays: [],
  new_namespaces: 'sync',
  lost: [],
};
