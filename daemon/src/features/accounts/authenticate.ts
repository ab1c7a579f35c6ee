import type { Caller, KeyRow } from '@reverie/shared/accounts/caller';
import { refuseUnable } from '@reverie/shared/accounts/narrower-keys';
import { namespacesOf } from '@reverie/shared/accounts/namespace-patterns';
import { hashKey, isKey } from '@reverie/shared/accounts/key-format';
import { Problem } from '@reverie/shared/contract/problems';
import { scopes, type Scope } from '@reverie/shared/contract/route';
import { botSignup } from '@reverie/shared/contract/accounts/accounts';
import {
  type AddressBuckets,
  type Bucket,
  bucketHeaders,
  type Policy,
  policyHeaders,
  rateLimited,
  sendBucket,
} from '@reverie/shared/http/rate-limit';
import { isOfForeignPage } from '@reverie/shared/http/guard';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ShedRefusal } from '@reverie/shared/http/shed';
import { LRUCache } from 'lru-cache';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { isAlive } from './account-status.ts';
import {
  type Account,
  findAccount,
  findAccountByPublicId,
  findKey,
  findKeyByHash,
} from './accounts.store.ts';
import { findSession, findSessionByHash, keyOfSession } from './page-sessions.store.ts';
import type { Usage } from './usage.ts';

export interface AuthDeps {
  store: Store;
  clock: Clock;
  usage: Usage;
  log: Log;
  buckets: Buckets;
  /** Whether a proxy tells the caller's address. */
  trustProxy: boolean;
  /** Whether the public key of the sandbox works. */
  hasSandbox: boolean;
}

/** What is counted by address. */
export interface Buckets {
  /** Requests without a valid key. */
  anonymous: AddressBuckets;
  /** Those that a browser made for a page of another site: any page could use up the hour of everything else on this machine. */
  foreign: AddressBuckets;
  /** Keys that do not work, in one second. */
  wrongKeys: AddressBuckets;
  /** Requests with the sandbox's key. */
  sandbox: AddressBuckets;
  signups: AddressBuckets;
}

/** The buckets in which a request without a working key is counted: those of pages of other sites, or those of everybody else. */
export function anonymousFor(
  buckets: Buckets,
  { headers }: { headers: IncomingHttpHeaders },
): AddressBuckets {
  return isOfForeignPage(headers) ? buckets.foreign : buckets.anonymous;
}

interface Found extends Pick<Caller, 'key' | 'session' | 'readable' | 'within'> {
  account: Account;
}

/** What a response tells of limits: the bucket that the request was counted in, and whose it is. */
interface Counted {
  bucket: Bucket;
  windowS: number;
  account: Account | undefined;
  /** Whether a recall was counted, which is taken back when the request is refused. */
  recalled: boolean;
}

const HOUR_S = 3600;
/** How long the window is in which wrong keys are counted, in seconds. */
export const WRONG_KEYS_WINDOW_S = 1;
const DAY_S = 86_400;

const NO_KEY = 'Send a key in the header `Authorization: Bearer <key>`; `reverie key create NAME` makes one';
/** Never with what was sent, which may be a key or a password. */
const NO_BEARER =
  'The header Authorization has to read `Bearer <key>`, with one space and nothing else; other schemes, such as Basic, are not understood';
const WRONG_KEY = 'The key is unknown, revoked or expired; `reverie key list` shows those that work';

/**
 * Finds out who calls, before a body is read: checksum, then hash, then account, then scope, then the
 * day's bucket. Every response gets its `X-RateLimit-` headers here. Answers how to ask for the caller
 * of a request, and `forget`, which makes an ended key stop working at once.
 */
export function authenticate(app: FastifyInstance, deps: AuthDeps) {
  const { store, clock, usage, log, buckets } = deps;
  const callers = new WeakMap<FastifyRequest, Caller>();
  const counts = new WeakMap<FastifyRequest, Counted>();
  const known = new LRUCache<string, Found>({ max: 1000 });

  function lookUp(text: string): Found | undefined {
    if (!isKey(text)) return undefined;
    const hash = hashKey(text);
    const id = hash.toString('base64');
    const cached = known.get(id);
    if (cached) return cached;
    const found = store.read((db) => {
      const session = findSessionByHash(db, hash);
      const key = session ? keyOfSession(db, session) : findKeyByHash(db, hash);
      const account = key && findAccount(db, key.account);
      return key && account ? { ...callerWith(key, session?.id ?? null), account } : undefined;
    });
    if (found) known.set(id, found);
    return found;
  }

  function isValid({ key: { revoked_at, expires_at }, account }: Pick<Found, 'key' | 'account'>): boolean {
    const now = clock.now();
    if (account.kind === 'sandbox' && !deps.hasSandbox) return false;
    return revoked_at === null && (expires_at === null || expires_at > now) && isAlive(account, now);
  }

  app.addHook('onRequest', async (request, reply) => {
    const given = bearerOf(request);
    const found = given === undefined ? undefined : lookUp(given);
    const route = request.routeOptions.config.route;
    const now = clock.now();
    const count = (bucket: Bucket, windowS: number, account?: Account) => {
      const counted = { bucket, windowS, account, recalled: false };
      counts.set(request, counted);
      sendBucket(reply, bucket);
      if (bucket.exceeded) throw rateLimited(bucket, now);
      return counted;
    };
    if (!found || !isValid(found)) {
      if (given !== undefined) buckets.wrongKeys.count(request.ip, now);
      count(anonymousFor(buckets, request).count(request.ip, now), HOUR_S);
      if (!route || route.scope === 'public') return;
      const why = given === undefined ? NO_KEY : given === '' ? NO_BEARER : WRONG_KEY;
      throw new Problem('unauthorized', why, { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    const isSandbox = found.account.kind === 'sandbox';
    const counted = count(
      isSandbox ? buckets.sandbox.count(request.ip, now) : usage.count(found.account),
      DAY_S,
      found.account,
    );
    if (!route) return;
    usage.used(found.key.id);
    if (route.scope !== 'public' && !includes(found.key.scope, route.scope))
      throw new Problem(
        'forbidden_scope',
        `This needs a key of scope ${route.scope}; this one has ${found.key.scope}`,
      );
    refuseUnable(found.key, route);
    if (isSandbox && route.tag === 'webhooks')
      throw new Problem('forbidden_scope', 'The sandbox has no webhooks; get a key of your own');
    const account = accountAskedFor(request, found) ?? found.account;
    if (route.costs === 'recall') {
      usage.recall(found.account);
      counted.recalled = true;
    }
    const { key, session, readable, within } = found;
    callers.set(request, {
      account: account.id,
      publicId: account.public_id,
      key,
      session,
      readable,
      within,
    });
  });

  app.addHook('onSend', async (request, reply) => {
    const counted = counts.get(request);
    // Who was answered nothing, because the request was wrong or we failed, has recalled nothing.
    if (counted?.recalled && counted.account && isRefusal(reply.statusCode)) {
      counted.recalled = false;
      usage.refund(counted.account);
    }
    reply.headers(policyHeaders(policiesOf(request, counted)));
    if (request.routeOptions.config.route === botSignup)
      sendBucket(reply, buckets.signups.peek(request.ip, clock.now()));
  });

  function policiesOf(request: FastifyRequest, counted: Counted | undefined): Policy[] {
    const now = clock.now();
    if (request.routeOptions.config.route === botSignup)
      return [policyOf('signups', { bucket: buckets.signups.peek(request.ip, now), windowS: HOUR_S, now })];
    if (!counted)
      return [
        policyOf('requests', {
          bucket: anonymousFor(buckets, request).peek(request.ip, now),
          windowS: HOUR_S,
          now,
        }),
      ];
    const { bucket, windowS, account } = counted;
    return [policyOf('requests', { bucket, windowS, now }), ...(account ? usage.policies(account) : [])];
  }

  /** The account that the machine's owner looks after by the header `X-Reverie-Account`; each use is logged. */
  function accountAskedFor(request: FastifyRequest, { key, account: own }: Found): Account | undefined {
    const asked = request.headers['x-reverie-account'];
    if (asked === undefined) return undefined;
    if (key.scope !== 'owner' || own.kind !== 'machine' || typeof asked !== 'string')
      throw new Problem('forbidden_scope', 'Only an owner key of this machine may name another account');
    const account = store.read((db) => findAccountByPublicId(db, asked));
    if (!account) throw new Problem('account_not_found', `There is no account ${JSON.stringify(asked)}`);
    log.warn({ id: request.id, keyId: key.id, account: asked }, 'an owner key looked into another account');
    return account;
  }

  let told: (ShedRefusal & { bucket: Bucket; second: number }) | undefined;

  /** What is told to all of one address in one second. */
  function refusalOf(bucket: Bucket, windowS: number, now: number): ShedRefusal {
    const second = Math.floor(now / 1000);
    const isToldBefore =
      told?.second === second && told.bucket.limit === bucket.limit && told.bucket.resetAt === bucket.resetAt;
    if (!told || !isToldBefore)
      told = {
        problem: rateLimited(bucket, now),
        headers: addressHeaders(bucket, now, windowS),
        bucket,
        second,
      };
    return told;
  }

  return {
    /**
     * Refuses, before anything else is done for it, a request that shows no key that works, of an address that has used up
     * its hour, or that shows one wrong key after the other: a flood of wrong keys then costs the owner little.
     */
    shed(request: IncomingMessage): ShedRefusal | undefined {
      const now = clock.now();
      const address = addressOf(request, deps.trustProxy);
      const hour = anonymousFor(buckets, request).peek(address, now);
      const tries = buckets.wrongKeys.peek(address, now);
      if (hour.remaining > 0 && tries.remaining > 0) return undefined;
      const given = bearerOf(request);
      if (hour.remaining > 0 && given === undefined) return undefined;
      const found = given === undefined ? undefined : lookUp(given);
      if (found && isValid(found)) return undefined;
      return hour.remaining > 0 ? refusalOf(tries, WRONG_KEYS_WINDOW_S, now) : refusalOf(hour, HOUR_S, now);
    },
    /** Who made a request. Throws for one without a key, which gets as far as a public route only. */
    callerOf(request: FastifyRequest): Caller {
      const caller = callers.get(request);
      if (!caller)
        throw new Error(`${request.method} ${request.routeOptions.url} asked who calls, and anybody may`);
      return caller;
    },
    /**
     * Counts a message that came over what a request opened, as a request of the same caller: one connection would
     * else be worth any number. Throws `rate_limited`.
     */
    countMessage(request: FastifyRequest): void {
      const before = counts.get(request)?.account;
      // Its tier may be another one since.
      const account = before && store.read((db) => findAccount(db, before.id));
      if (!account) throw new Problem('unauthorized', 'The account is gone');
      const now = clock.now();
      const bucket =
        account.kind === 'sandbox' ? buckets.sandbox.count(request.ip, now) : usage.count(account);
      if (bucket.exceeded) throw rateLimited(bucket, now);
    },
    /** Whether the key of a caller still works and may do what it could, asked while a connection is open. */
    isLive({ key, session: id }: Caller): boolean {
      const row = store.read((db) => {
        if (id === null) return findKey(db, key.account, key.id);
        const session = findSession(db, id);
        return session && keyOfSession(db, session);
      });
      const account = row && store.read((db) => findAccount(db, row.account));
      return (
        row !== undefined && account !== undefined && isValid({ key: row, account }) && isAlike(row, key)
      );
    },
    forget: () => known.clear(),
  };
}

/** What a key makes of its caller. */
function callerWith(
  key: KeyRow,
  session: string | null,
): Pick<Caller, 'key' | 'session' | 'readable' | 'within'> {
  const { namespaces } = key;
  return {
    key,
    session,
    readable: namespacesOf(namespaces),
    within: namespaces && JSON.stringify(namespaces),
  };
}

/** Whether a key may do the same as before. */
function isAlike(now: KeyRow, before: KeyRow): boolean {
  const rights = ({ scope, namespaces, can }: KeyRow) => JSON.stringify([scope, namespaces, can]);
  return rights(now) === rights(before);
}

interface Told {
  bucket: Bucket;
  windowS: number;
  now: number;
}

function policyOf(name: string, { bucket: { limit, remaining, resetAt }, windowS, now }: Told): Policy {
  return { name, quota: limit, windowS, remaining, resetS: Math.max(1, Math.ceil(resetAt - now / 1000)) };
}

/** Rate-limit headers of a request that is refused before its key is looked at: they tell of the bucket of the caller's address. */
export function addressHeaders(bucket: Bucket, now: number, windowS = HOUR_S): Record<string, string> {
  return {
    ...bucketHeaders(bucket),
    ...policyHeaders([policyOf('requests', { bucket, windowS, now })]),
  };
}

/** 404 and 410 are answers to a recall; what was malformed, too large, too much at once or failed here is none. */
function isRefusal(status: number): boolean {
  return status >= 500 || [400, 403, 405, 409, 413, 415, 429].includes(status);
}

/** The caller's address, as fastify tells it: behind a proxy the last one of `X-Forwarded-For`, which the proxy wrote. */
function addressOf({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? [headers['x-forwarded-for']].flat().join().split(',').at(-1)?.trim()
    : undefined;
  return forwarded === undefined || forwarded === '' ? (socket.remoteAddress ?? '') : forwarded;
}

/** The key of a request, empty where its header has another form; a browser's WebSocket, which cannot set headers, sends it as a subprotocol. */
function bearerOf(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const header = request.headers.authorization;
  const protocols = request.headers['sec-websocket-protocol'];
  if (header === undefined) return protocols && /(?:^|,) *bearer\.([^\s,]+)/.exec(protocols)?.[1];
  return /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}

/** Whether a key's scope covers what a route needs: each scope includes the ones before it. */
export function includes(has: Scope, needs: Scope): boolean {
  return scopes.indexOf(has) >= scopes.indexOf(needs);
}
