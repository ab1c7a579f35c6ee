import type { FastifyReply } from 'fastify';
import { Problem } from '../contract/problems.ts';

/** How a bucket of requests stands. `resetAt` in Unix seconds, UTC. */
export interface Bucket {
  limit: number;
  remaining: number;
  resetAt: number;
  exceeded: boolean;
}

/** Writes the `X-RateLimit-` headers that every response carries. */
export function sendBucket(reply: FastifyReply, bucket: Bucket): void {
  reply.headers(bucketHeaders(bucket));
}

export function bucketHeaders(bucket: Bucket): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(bucket.limit),
    'X-RateLimit-Remaining': String(bucket.remaining),
    'X-RateLimit-Reset': String(bucket.resetAt),
  };
}

/** The 429 of an exceeded bucket. `now` in milliseconds. */
export function rateLimited(bucket: Bucket, now: number): Problem {
  const wait = Math.max(1, Math.ceil(bucket.resetAt - now / 1000));
  return new Problem(
    'rate_limited',
    `The limit of ${bucket.limit} requests is reached; it is counted anew in ${wait} seconds`,
    {
      headers: { 'Retry-After': String(wait) },
    },
  );
}

/** A quota as the IETF draft tells of it: `quota` in `windowS` seconds, `remaining` for `resetS` seconds more. */
export interface Policy {
  name: string;
  quota: number;
  windowS: number;
  remaining: number;
  resetS: number;
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), one item for each policy. */
export function policyHeaders(policies: readonly Policy[]): Record<string, string> {
  if (policies.length === 0) return {};
  return {
    'RateLimit-Policy': policies
      .map(({ name, quota, windowS }) => `"${name}";q=${quota};w=${windowS}`)
      .join(', '),
    RateLimit: policies
      .map(({ name, remaining, resetS }) => `"${name}";r=${remaining};t=${resetS}`)
      .join(', '),
  };
}

/** How many requests of an address were counted in the window that began at `since`, ms since 1970. */
export interface AddressWindow {
  address: string;
  since: number;
  used: number;
}

export interface AddressBuckets {
  /** Counts a request. */
  count(address: string, now: number): Bucket;
  /** The bucket as it stands, without counting. */
  peek(address: string, now: number): Bucket;
  /** Windows that were counted in since they were saved. */
  unsaved(): AddressWindow[];
  saved(windows: readonly AddressWindow[]): void;
}

const HOUR = 3_600_000;

/** Counted together: an IPv4 address by itself, and the 2^64 IPv6 addresses that one connection gets. */
export function addressGroup(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase();
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (v4 !== undefined) return v4;
  if (!bare.includes(':')) return bare;
  const [head = '', tail] = bare.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/**
 * Counts requests by address in windows of an hour, in memory, going on from `saved`. At most `maxAddresses` are kept: the
 * oldest window goes first, so that a flood of addresses cannot grow memory.
 */
export function createAddressBuckets({
  limit,
  windowMs = HOUR,
  maxAddresses = 10_000,
  saved = [],
}: {
  limit: number;
  windowMs?: number;
  maxAddresses?: number;
  saved?: readonly AddressWindow[];
}): AddressBuckets {
  const windows = new Map<string, { since: number; used: number; saved: number }>(
    saved.map(({ address, since, used }) => [address, { since, used, saved: used }]),
  );

  function current(group: string, now: number) {
    const window = windows.get(group);
    // Where the clock was set back, a window lasts its time from now, not until the clock has come there again.
    if (window) window.since = Math.min(window.since, now);
    return window && now - window.since < windowMs ? window : undefined;
  }
  function toBucket({ since, used }: { since: number; used: number }): Bucket {
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetAt: Math.ceil((since + windowMs) / 1000),
      exceeded: used > limit,
    };
  }

  return {
    peek: (address, now) => toBucket(current(addressGroup(address), now) ?? { since: now, used: 0 }),
    count(address, now) {
      const group = addressGroup(address);
      let window = current(group, now);
      if (!window) {
        windows.delete(group);
        const oldest = windows.keys().next();
        if (windows.size >= maxAddresses && !oldest.done) windows.delete(oldest.value);
        window = { since: now, used: 0, saved: 0 };
        windows.set(group, window);
      }
      window.used += 1;
      return toBucket(window);
    },
    unsaved: () =>
      [...windows]
        .filter(([, window]) => window.used !== window.saved)
        .map(([address, { since, used }]) => ({ address, since, used })),
    saved(given) {
      for (const { address, used } of given) {
        const window = windows.get(address);
        if (window) window.saved = used;
      }
    },
  };
}
