import type { AuditKind } from '@reverie/shared/contract/relay/relay-operator';
import { addressGroup } from '@reverie/shared/http/rate-limit';
import type { Clock } from '@reverie/shared/time/clock';
import type { Records } from '../db/records.ts';
import { countRefusals, insertAudit, repeatRefusals } from './audit.store.ts';

type Refusal = Extract<AuditKind, `${string}.failed`>;

/**
 * Callers who were refused, by address: an audit log that waits for the disk with each of them, or grows with each, is one that
 * strangers can fill. They are counted here, written down now and then, and all of an hour from one address are one row.
 */
export interface RefusedCallers {
  /** A caller was refused; `account` where it is known whose key it was. */
  note(kind: Refusal, address: string, account?: string): void;
  save(): Promise<void>;
}

/** Addresses that are told apart between two saves, and rows of them in an hour; what is beyond is counted as from `others`. */
const ADDRESSES = 200;
const OTHERS = 'others';
const HOUR = 3_600_000;

interface Counted {
  kind: Refusal;
  address: string;
  account: string | undefined;
  times: number;
}

export function createRefusedCallers({ records, clock }: { records: Records; clock: Clock }): RefusedCallers {
  let unsaved = new Map<string, Counted>();
  return {
    note(kind, from, account) {
      const group = addressGroup(from);
      const address = unsaved.size < ADDRESSES || unsaved.has(`${kind} ${group}`) ? group : OTHERS;
      const name = `${kind} ${address}`;
      const counted = unsaved.get(name) ?? { kind, address, account, times: 0 };
      counted.times += 1;
      if (counted.account !== account) counted.account = undefined;
      unsaved.set(name, counted);
    },
    async save() {
      if (unsaved.size === 0) return;
      const counted = [...unsaved.values()];
      unsaved = new Map();
      const at = clock.now();
      const since = at - HOUR;
      await records.write(function* () {
        for (const one of counted) {
          const { kind, times } = one;
          if (yield* repeatRefusals(one.address, { kind, times, at, since })) continue;
          const isFull = (yield* countRefusals(since)) >= ADDRESSES;
          const address = isFull ? OTHERS : one.address;
          if (isFull && (yield* repeatRefusals(address, { kind, times, at, since }))) continue;
          yield* insertAudit({
            at,
            kind,
            address,
            times,
            account: (isFull ? undefined : one.account) ?? null,
            by_account: null,
            by_device: null,
            by_operator: null,
            device: null,
            room: null,
            subject: null,
            role: null,
          });
        }
      });
    },
  };
}
