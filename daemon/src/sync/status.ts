import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SyncFailure, SyncStatus } from '@reverie/shared/contract/sync/sync';
import type { ReadDb, Store } from '../db/open-store.ts';
import { stayingOf } from './namespaces/choices.ts';
import { findDefault } from './namespaces/choices.store.ts';
import { countConflicts, countOfOthers } from './conflicts/conflicts.store.ts';
import { countQuarantined } from './replica/documents.store.ts';
import type { RelayLink } from './link.ts';
import type { Failure, LinkState } from './relay/link-state.ts';
import { findLink, type LinkRow } from './link.store.ts';
import { lostOf } from './namespaces/lost.service.ts';
import { listSynced, memoryCounts } from './namespaces/namespaces.store.ts';
import { pendingByNamespace } from './replica/outbox.store.ts';
import { listHandedOver, listRecovered } from './people/people.store.ts';
import type { RelayTime } from './relay/relay-time.ts';

/** How long it is told that somebody was recovered, or handed something over, ms. */
const TOLD_MS = 30 * 86_400_000;

const iso = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString());

const advice: Readonly<Record<Failure['code'], string>> = {
  unreachable: 'Check the connection and the address of the relay; it is tried again by itself.',
  certificate: 'It is tried again by itself.',
  silent: 'It is tried again by itself.',
  storage: 'Free some space on this disk; `reverie doctor` says more. It is tried again by itself.',
  later: 'It is tried again by itself.',
  rate_limited: 'It goes on by itself in a while.',
  quota:
    'Nothing is lost here: changes wait until there is room. What was overwritten or deleted leaves the relay by itself, soon where a second device is online to confirm that it may, else after 14 days; deleting more does not make room at once. If it stays full, ask who runs the relay for more space (`RELAY_QUOTA_MB`).',
  revoked:
    'Every memory is still here. To come back, `reverie link RELAY --anew --email E-MAIL` (or `--code`), and let this device in on another one.',
  recovered:
    'Every memory is still here. If it was not you, tell who runs the relay, and the people you share with. To come back, `reverie link RELAY --anew --email E-MAIL`, and let this device in on the new one.',
  restored:
    'Every memory is still here, and it is tried again by itself. Ask to be let in again: `reverie link RELAY --anew --email E-MAIL` (or `--code`), and if none of your devices is left, with `--recover`. What the relay lost is sent to it again.',
  another_relay:
    'Nothing is lost. Wait: it goes on by itself once your relay answers there again. If it moved, `reverie link --move NEW-ADDRESS`. To leave it and begin here on purpose, `reverie link RELAY --anew --email E-MAIL`.',
  unproven:
    'Nothing is lost, and it is tried again by itself: a proxy, or a page to sign in to a network, may stand before the relay. If it moved, `reverie link --move NEW-ADDRESS`.',
  gone: 'Every memory is still here. To come back, `reverie link RELAY --anew --email E-MAIL`.',
  version: 'Update Reverie, or the relay: they do not understand each other.',
  forbidden: 'Ask who runs the relay. Every memory is still here, and what is written meanwhile waits.',
  malformed: 'Update Reverie, or the relay; if it stays so, report it.',
  clock_ahead:
    'Set the clock of this machine: it runs ahead. What was written here is stamped anew and sent again by itself.',
  stale_epoch: 'It is said again in the new epoch by itself.',
  too_large: 'Report it: an entry is too large for the relay.',
  invalid: 'Report it: the relay refuses an entry.',
};

const codes: Readonly<Partial<Record<Failure['code'], string>>> = {
  unreachable: 'relay_unreachable',
  certificate: 'relay_certificate',
};

function failureOf(failure: Failure): SyncFailure {
  const code = codes[failure.code] ?? failure.code;
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

interface StatusDeps {
  store: Store;
  link: RelayLink;
  time: RelayTime;
  /** Sessions whose sharing ended without anybody here ending it. */
  endings: (db: ReadDb, account: AccountId) => SyncStatus['sessions_ended'];
  now: number;
}

/** How the memories of an account stand to those of its other devices; those that are not linked are dormant. */
export function statusOf({ store, link, time, endings, now }: StatusDeps, account: AccountId): SyncStatus {
  const row = store.read(findLink);
  const { memories, last_update } = store.read((db) => memoryCounts(db, account));
  const conflicts_of_others = store.read((db) => countOfOthers(db, account));
  const conflicts = store.read((db) => countConflicts(db, account, null)) - conflicts_of_others;
  const chosen = store.read((db) => ({
    stays: stayingOf(db, account),
    new_namespaces: findDefault(db, account).synced ? ('sync' as const) : ('stay' as const),
    lost: lostOf(db, account),
  }));
  if (row?.account !== account) {
    return { ...nothing, memories, last_update: iso(last_update), conflicts, conflicts_of_others, ...chosen };
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
  const firstSync = link.firstSync(state.kind === 'open');
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
      .map(({ id, name, last_seen, online }) => ({
        id,
        name,
        last_seen,
        // What was so when the relay was heard last says nothing of now.
        online: online && state.kind === 'open',
      })),
    daemon_live: state.kind === 'open',
    state: stateOf(state, {
      isBusy: pending > 0 || behind !== 0 || firstSync.download !== null,
      isRefused: refusal !== undefined,
      row,
    }),
    pending,
    last_sync_at: iso(row.last_sync_at),
    relay: row.relay,
    relay_key: row.relay_key,
    ...(error && { error }),
    paused: row.paused === 1,
    waiting_for: row.device === null ? 'approval' : row.confirm_by === null ? null : 'confirmation',
    device: row.device === null ? null : { id: row.device, name: row.device_name },
    email: row.email,
    oldest_pending_at: Number.isFinite(oldest) ? iso(oldest) : null,
    behind,
    ...firstSync,
    quarantined: store.read(countQuarantined),
    conflicts,
    conflicts_of_others,
    namespaces,
    recovered: store
      .read((db) => listRecovered(db, account, now - TOLD_MS))
      .map(({ email, at }) => ({ email, at: new Date(at).toISOString() })),
    handed_over: store
      .read((db) => listHandedOver(db, account, now - TOLD_MS))
      .map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() })),
    sessions_ended: store.read((db) => endings(db, account)),
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
      return (
        (state.failure && standing(state.failure)) ??
        (state.attempt > 0 && row.device !== null ? 'offline' : 'connecting')
      );
    case 'waiting':
      return standing(state.failure) ?? 'offline';
    case 'stopped':
      return standing(state.failure) ?? 'error';
    case 'open':
      return isRefused ? 'error' : isBusy ? 'syncing' : 'live';
  }
}

/** What a failure says whether it is tried again or not; undefined of one that passes. */
function standing({ code }: Failure): 'unauthorized' | 'error' | undefined {
  if (['revoked', 'recovered', 'restored', 'gone'].includes(code)) return 'unauthorized';
  return ['storage', 'certificate', 'forbidden', 'another_relay', 'unproven'].includes(code)
    ? 'error'
    : undefined;
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
  relay_key: null,
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
  conflicts_of_others: 0,
  namespaces: [],
  recovered: [],
  handed_over: [],
  sessions_ended: [],
  stays: [],
  new_namespaces: 'sync',
  lost: [],
};
