import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store } from '../db/open-store.ts';
import type { Secrets } from '../platform/secrets.ts';
import { notLinked } from './link.ts';
import { findLink } from './link.store.ts';
import { relayClient } from './relay-client.ts';

/** Makes clients of the relay with this device's key. They throw `not_linked`. */
export function linkedClient({
  store,
  secrets,
}: {
  store: Store;
  secrets: Pick<Secrets, 'get'>;
}): () => Promise<Client> {
  return async () => {
    const row = store.read(findLink);
    if (!row?.device) throw notLinked();
    const key = await secrets.get('relay');
    if (key === undefined) throw new Problem('not_linked', "The relay's key is lost: unlink, and link anew");
    return relayClient(row.relay, key);
  };
}
