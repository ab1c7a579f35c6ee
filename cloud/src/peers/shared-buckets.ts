import { type AddressBuckets, addressGroup, createAddressBuckets } from '@reverie/shared/http/rate-limit';
import type { Counting } from './peers.ts';

const HOUR = 3_600_000;

/** Buckets of callers by address or account, in which what other nodes counted is counted, too. */
export function createSharedBuckets(name: string, limit: number, windowMs = HOUR): AddressBuckets & Counting {
  const own = createAddressBuckets({ limit, windowMs });
  /** What was counted here, as far as the others were told; and what they counted. */
  const told = new Map<string, { since: number; used: number }>();
  const others = new Map<string, number>();

  function together(address: string, bucket: ReturnType<AddressBuckets['peek']>) {
    const more = others.get(addressGroup(address)) ?? 0;
    const left = bucket.remaining - more;
    return { ...bucket, remaining: Math.max(0, left), exceeded: bucket.exceeded || left < 0 };
  }

  return {
    ...own,
    name,
    windowMs,
    count: (address, now) => together(address, own.count(address, now)),
    peek: (address, now) => together(address, own.peek(address, now)),
    exchange() {
      const counted = own.unsaved();
      own.saved(counted);
      return counted.map(({ address, since, used }) => {
        const before = told.get(address);
        const isSame = before?.since === since;
        // A window of its own begins with nothing from the others.
        if (!isSame) others.delete(address);
        told.set(address, { since, used });
        return { address, since, more: used - (isSame ? before.used : 0) };
      });
    },
    learn(sums) {
      for (const { address, used } of sums) {
        const more = used - (told.get(address)?.used ?? 0);
        if (more > 0) others.set(address, more);
      }
      // As many as the windows that are kept here.
      for (const counts of [told, others])
        for (const address of counts.keys())
          if (counts.size > MOST_ADDRESSES) counts.delete(address);
          else break;
    },
  };
}

const MOST_ADDRESSES = 10_000;
