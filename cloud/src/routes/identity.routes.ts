import * as contract from '@reverie/shared/contract/relay/relay';
import type { Mount } from '@reverie/shared/http/mount';
import { type AddressBuckets, rateLimited } from '@reverie/shared/http/rate-limit';
import type { Clock } from '@reverie/shared/time/clock';
import { standingOf } from '../accounts/devices.service.ts';
import type { Records } from '../db/records.ts';
import type { Identity } from '../identity.ts';
import type { Caller } from './callers.ts';

export interface IdentityRouteDeps {
  records: Records;
  clock: Clock;
  identity: Identity;
  world: {
    logId: () => string;
    addresses: readonly string[];
    /** Keys that were asked about, by address. */
    tries: AddressBuckets;
  };
}

/** Says which relay this is, and how a key stands that it does not let in. */
export function identityRoutes(mount: Mount<Caller>, deps: IdentityRouteDeps): void {
  const { records, clock, identity, world } = deps;
  mount(contract.proveIdentity, ({ body: { challenge } }) => {
    const said = { log_id: world.logId(), addresses: [...world.addresses] };
    return { key: identity.key, ...said, signature: identity.prove({ challenge, ...said }) };
  });
  mount(contract.askStanding, async ({ body: { key }, caller: { address } }) => {
    const bucket = world.tries.count(address, clock.now());
    if (bucket.exceeded) throw rateLimited(bucket, clock.now());
    return standingOf({ records, now: clock.now() }, key);
  });
}
