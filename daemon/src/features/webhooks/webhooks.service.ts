import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { Parsed } from '@reverie/shared/contract/route';
import type { registerWebhook, updateWebhook, Webhook } from '@reverie/shared/contract/events/webhooks';
import { invalidRequest } from '@reverie/shared/http/problem-reply';
import type { ReadDb, Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { newUlid } from '../../platform/ids.ts';
import {
  type AddressPolicy,
  isOfMachine,
  literalAddress,
  NO_TARGET,
  refusalOf,
} from './sending/address-rules.ts';
import { countDeliveries, oldestPending } from './deliveries.store.ts';
import { checkedAddresses, RefusedAddress, type TargetRules } from './sending/target.ts';
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  saveWebhook,
  type WebhookRow,
  webhooksOf,
} from './webhooks.store.ts';

export interface WebhookDeps {
  store: Store;
  clock: Clock;
  rules: TargetRules;
  /** The last `seq` of the event log: a new webhook begins after it. */
  newest: (db: ReadDb) => number;
  accounts: WebhookAccounts;
}

/** What webhooks need to know of accounts, and who is told of a change. */
export interface WebhookAccounts {
  isMachine: (account: AccountId) => boolean;
  changed: (account: AccountId, webhookId: string) => void;
}

type Registration = Parsed<typeof registerWebhook>['body'];
type Update = Parsed<typeof updateWebhook>['body'];

const MOST = 100;
const DEFAULT_RATE = 50;

/** Refuses whoever may not handle webhooks of the account that a request is about. */
export function allowWebhooks({ accounts }: Pick<WebhookDeps, 'accounts'>, { account, key }: Caller): void {
  if (accounts.isMachine(account) && key.scope !== 'owner')
    throw new Problem(
      'forbidden_scope',
      `Webhooks of the machine's own account need a key of scope owner; this one has ${key.scope}`,
    );
}

/** What a caller's webhooks may connect to. */
function policyFor(
  { accounts }: Pick<WebhookDeps, 'accounts'>,
  caller: Caller,
  isPrivate: boolean,
): AddressPolicy {
  return { loopback: accounts.isMachine(caller.account), privateNetwork: isPrivate };
}

function refusePrivate({ key }: Caller, asked: boolean | undefined): void {
  if (asked === true && key.scope !== 'owner')
    throw new Problem('forbidden_scope', 'Only an owner key may set allow_private_network');
}

function refuseUrl(message: string): Problem {
  return invalidRequest([{ path: 'url', message }]);
}

/**
 * Resolves the name of a URL and refuses one that leads where it may not. A name that has no address now is
 * let through for the machine's own account: every connection is checked again. For others it is refused alike, so that
 * nobody learns which names there are. `isPrivate` is whether private networks are to be allowed from now on; undefined
 * where the request says nothing of it, and the webhook of `id` keeps what it has.
 */
export async function checkUrl(
  deps: WebhookDeps,
  caller: Caller,
  { url, isPrivate, id }: { url: string; isPrivate: boolean | undefined; id: string | undefined },
): Promise<void> {
  allowWebhooks(deps, caller);
  const before = id === undefined ? undefined : deps.store.read((db) => findWebhook(db, caller.account, id));
  const policy = policyFor(deps, caller, isPrivate ?? keepsPrivate(caller, before, url));
  await checkedAddresses(deps.rules, new URL(url), policy).catch((cause: unknown) => {
    if (!isOfMachine(policy)) throw refuseUrl(NO_TARGET);
    if (cause instanceof RefusedAddress) throw refuseUrl(cause.message);
  });
}

/**
 * Refuses an address that stands in the URL itself. `checkUrl` has refused it before, with names, but could not do so in
 * the transaction: names are looked up, and no transaction waits. What needs no look-up is held here against what the webhook may as it is then.
 */
function refuseLiteral(url: string, policy: AddressPolicy): void {
  const literal = literalAddress(new URL(url));
  const refused = literal === undefined ? undefined : refusalOf(literal, policy);
  if (refused !== undefined) throw refuseUrl(isOfMachine(policy) ? refused : NO_TARGET);
}

export function addWebhook(deps: WebhookDeps, caller: Caller, given: Registration): WebhookRow {
  allowWebhooks(deps, caller);
  refusePrivate(caller, given.allow_private_network);
  const policy = policyFor(deps, caller, given.allow_private_network ?? false);
  refuseLiteral(given.url, policy);
  const { account } = caller;
  return deps.store.write((db) => {
    if (webhooksOf(db, account).length >= MOST)
      throw new Problem('conflict', `There are ${MOST} webhooks already; delete one that is not needed`);
    const now = deps.clock.now();
    const row: WebhookRow = {
      id: `whk_${newUlid(now)}`,
      account,
      url: given.url,
      events: given.events,
      secret: given.secret,
      description: given.description ?? '',
      ordered: given.ordered ?? false,
      origins: given.origins ?? 'local',
      rate_per_s: given.rate_per_s ?? DEFAULT_RATE,
      allow_loopback: policy.loopback,
      allow_private_network: policy.privateNetwork,
      status: 'active',
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      last_failure_at: null,
      last_delivery_at: null,
      cursor: deps.newest(db),
      created_at: now,
      updated_at: now,
    };
    insertWebhook(db, row);
    db.afterCommit(() => deps.accounts.changed(account, row.id));
    return row;
  });
}

/** A webhook of an account; throws where there is none. */
export function getWebhookRow(db: ReadDb, account: AccountId, id: string): WebhookRow {
  const row = findWebhook(db, account, id);
  if (!row) throw new Problem('webhook_not_found', `There is no webhook ${JSON.stringify(id)}`);
  return row;
}

export function changeWebhook(
  deps: WebhookDeps,
  caller: Caller,
  { id, given }: { id: string; given: Update },
): Webhook {
  allowWebhooks(deps, caller);
  refusePrivate(caller, given.allow_private_network);
  const { account } = caller;
  return deps.store.write((db) => {
    const before = getWebhookRow(db, account, id);
    const isPrivate = given.allow_private_network ?? keepsPrivate(caller, before, given.url);
    const policy = policyFor(deps, caller, isPrivate);
    if (given.url !== undefined) refuseLiteral(given.url, policy);
    const now = deps.clock.now();
    const changed: WebhookRow = {
      ...before,
      url: given.url ?? before.url,
      events: given.events ?? before.events,
      secret: given.secret ?? before.secret,
      description: given.description ?? before.description,
      ordered: given.ordered ?? before.ordered,
      origins: given.origins ?? before.origins,
      rate_per_s: given.rate_per_s ?? before.rate_per_s,
      allow_loopback: policy.loopback,
      allow_private_network: policy.privateNetwork,
      updated_at: now,
    };
    const row = given.status === undefined ? changed : withStatus(changed, given.status);
    saveWebhook(db, row);
    db.afterCommit(() => deps.accounts.changed(account, id));
    return toWebhook(db, row);
  });
}

/**
 * Whether a webhook may go on connecting to private networks where nothing is said of it: what an owner allowed for one
 * URL does not hold for another one that somebody else puts in its place.
 */
function keepsPrivate({ key }: Caller, before: WebhookRow | undefined, url: string | undefined): boolean {
  if (!before?.allow_private_network) return false;
  return key.scope === 'owner' || url === undefined || url === before.url;
}

/** Turning a webhook on forgets why it was off, and begins to count its failures anew. */
function withStatus(row: WebhookRow, status: 'active' | 'paused'): WebhookRow {
  if (row.status === status) return row;
  return {
    ...row,
    status,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    last_failure_at: null,
  };
}

export function removeWebhook(deps: WebhookDeps, caller: Caller, id: string): void {
  allowWebhooks(deps, caller);
  deps.store.write((db) => {
    getWebhookRow(db, caller.account, id);
    deleteWebhookRow(db, caller.account, id);
    db.afterCommit(() => deps.accounts.changed(caller.account, id));
  });
}

export function listAllWebhooks(deps: WebhookDeps, caller: Caller): Webhook[] {
  allowWebhooks(deps, caller);
  return deps.store.read((db) => webhooksOf(db, caller.account).map((row) => toWebhook(db, row)));
}

export function showWebhook(deps: WebhookDeps, caller: Caller, id: string): Webhook {
  allowWebhooks(deps, caller);
  return deps.store.read((db) => toWebhook(db, getWebhookRow(db, caller.account, id)));
}

function toWebhook(db: ReadDb, row: WebhookRow): Webhook {
  const { pending, dead } = countDeliveries(db, row);
  const oldest = pending === 0 ? undefined : oldestPending(db, row.id);
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    ordered: row.ordered,
    origins: row.origins,
    rate_per_s: row.rate_per_s,
    allow_private_network: row.allow_private_network,
    status: row.status,
    disabled_reason: row.disabled_reason,
    disabled_at: time(row.disabled_at),
    failing_since: time(row.failing_since),
    last_delivery_at: time(row.last_delivery_at),
    pending,
    oldest_pending: oldest
      ? {
          since: new Date(oldest.created_at).toISOString(),
          attempts: oldest.attempts,
          next_attempt_at: oldest.next_at === null || oldest.next_at === 0 ? null : time(oldest.next_at),
          last_error: oldest.last_error,
        }
      : null,
    dead_letters: dead,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
