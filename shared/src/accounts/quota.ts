import type { Tier } from '../contract/accounts/accounts.ts';

const DAY = 86_400_000;
const MIB = 1024 * 1024;

/** What an account may take; null where there is no limit. */
export interface TierLimits {
  /** Requests in a UTC day. */
  requests: number;
  /** Calls of get, search, list and ask in a calendar month, UTC. */
  recalls: number | null;
  /** Memories written in a calendar month, UTC. */
  stores: number | null;
}

/** Requests a day of the tiers whose limit a server's own settings decide. */
export interface OwnLimits {
  machine: number;
  enterprise: number;
}

/** The limits of a tier, as the interface names them. */
export function limitsOf(tier: Tier, own: OwnLimits): TierLimits {
  switch (tier) {
    case 'free':
      return { requests: 1000, recalls: 1000, stores: 100 };
    case 'pro':
      return { requests: 100_000, recalls: null, stores: null };
    case 'enterprise':
      return { requests: own.enterprise, recalls: null, stores: null };
    case 'machine':
      return { requests: own.machine, recalls: null, stores: null };
  }
}

/** What accounts that nobody confirmed may hold in bytes: each of them, and all together. */
export const trialStorage = { each: 10 * MIB, together: 200 * MIB } as const;

/** A span that is counted by itself: its name, and its ends in milliseconds since 1970, the second one excluded. */
export interface Period {
  name: string;
  from: number;
  until: number;
}

/** The UTC day of a time: `2026-11-20`. */
export function dayOf(now: number): Period {
  const from = Math.floor(now / DAY) * DAY;
  return { name: new Date(from).toISOString().slice(0, 10), from, until: from + DAY };
}

/** The calendar month of a time, UTC: `2026-11`. */
export function monthOf(now: number): Period {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const from = Date.UTC(year, month);
  return { name: new Date(from).toISOString().slice(0, 7), from, until: Date.UTC(year, month + 1) };
}

/** Whole seconds from now to the end of a period, at least one: what `Retry-After` says. */
export function secondsLeft({ until }: Pick<Period, 'until'>, now: number): number {
  return Math.max(1, Math.ceil((until - now) / 1000));
}

/** Whether `more` still fits below a limit of which `used` is taken; a null limit takes everything. */
export function fits(limit: number | null, used: number, more: number): boolean {
  return limit === null || used + more <= limit;
}

/** What is left of a limit, never below zero; null where there is none. */
export function leftOf(limit: number | null, used: number): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}
