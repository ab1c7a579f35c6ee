import type { AccountId } from '@reverie/shared/accounts/caller';

/** What streams may hold in memory for those that read slowly, or not at all. */
export interface StreamLimits {
  /** Streams that an account may have open. */
  streamsOf: (account: AccountId) => number;
  /** Bytes that a client may be behind before it is closed. */
  unsentOfOne: number;
  /** Bytes that all together may be behind before the slowest is. */
  unsentOfAll: number;
}

const MB = 1024 * 1024;

export const streamLimits = {
  /** Of an account that signed up, and of the machine's own one. */
  streams: 8,
  streamsOfMachine: 256,
  unsentOfOne: 8 * MB,
  unsentOfAll: 64 * MB,
} as const;

/** Says how many streams an account may have open. */
export function streamsFor(isMachine: (account: AccountId) => boolean): (account: AccountId) => number {
  return (account) => (isMachine(account) ? streamLimits.streamsOfMachine : streamLimits.streams);
}

/** A stream and what its client has not taken. */
export interface Unsent {
  account: AccountId;
  /** Told to go, and still there. */
  isClosing: boolean;
  unsent: number;
}

/**
 * Which streams to close so that the unsent bytes of the rest are within the limit: of the account that is furthest behind in all, the
 * stream that is furthest behind, and so on, so that nobody's slow clients cost another account a stream. While all of them are above twice
 * the limit, those that were told to close are dropped, the largest first.
 */
export function overdrawn<T extends Unsent>(
  streams: readonly T[],
  { unsentOfAll }: Pick<StreamLimits, 'unsentOfAll'>,
): { toClose: T[]; toDrop: T[]; left: number } {
  const bySize = streams.filter(({ unsent }) => unsent > 0).sort((a, b) => b.unsent - a.unsent);
  const open = bySize.filter(({ isClosing }) => !isClosing);
  const ofAccount = new Map<AccountId, number>();
  for (const { account, unsent } of open) ofAccount.set(account, (ofAccount.get(account) ?? 0) + unsent);
  let openBytes = sumOf(open);
  const toClose: T[] = [];
  while (openBytes > unsentOfAll) {
    const [most] = [...ofAccount].sort(([, a], [, b]) => b - a);
    const next = open.find((one) => one.account === most?.[0] && !toClose.includes(one));
    if (!most || !next) break;
    toClose.push(next);
    ofAccount.set(most[0], most[1] - next.unsent);
    openBytes -= next.unsent;
  }
  const toDrop: T[] = [];
  let left = sumOf(bySize);
  for (const one of bySize.filter((stream) => stream.isClosing || toClose.includes(stream))) {
    if (left <= 2 * unsentOfAll) break;
    toDrop.push(one);
    left -= one.unsent;
  }
  return { toClose, toDrop, left: openBytes };
}

function sumOf(streams: readonly Unsent[]): number {
  return streams.reduce((sum, { unsent }) => sum + unsent, 0);
}
