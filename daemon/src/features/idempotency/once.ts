import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { MountOptions } from '@reverie/shared/http/mount';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { findRemembered, forgetBefore, remember } from './idempotency.store.ts';

const KEPT = 86_400_000;

/**
 * Runs a storing request once for its `Idempotency-Key`: the reply is kept for 24 h in the transaction
 * of the write itself, so that neither is ever without the other. Only successes are kept.
 */
export function createOnce({ store, clock }: { store: Store; clock: Clock }): MountOptions<Caller>['once'] {
  return (caller, { route, key, bodyHash }, run) =>
    store.write((db) => {
      const now = clock.now();
      forgetBefore(db, now - KEPT);
      // Who has some namespaces only neither is answered what others were, nor learns that they asked.
      const { account, within } = caller;
      const name = { account, route, key: within === null ? key : JSON.stringify([within, key]) };
      const before = findRemembered(db, name);
      if (before) {
        if (!before.body_hash.equals(bodyHash))
          throw new Problem(
            'conflict',
            `The Idempotency-Key ${JSON.stringify(key)} was used with another body; use a new one`,
          );
        return JSON.parse(before.response) as never;
      }
      const answer = run();
      // A transaction is synchronous; a handler that is not cannot be idempotent, and must not claim it.
      if (answer instanceof Promise) throw new Error(`The route ${route} is idempotent, but not synchronous`);
      remember(db, name, { body_hash: bodyHash, response: JSON.stringify(answer), created_at: now });
      return answer as never;
    });
}
