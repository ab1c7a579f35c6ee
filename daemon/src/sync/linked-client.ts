import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import type { Store } from '../db/open-store.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type RelayBlobs, relayBlobs } from './files/relay-blobs.ts';
import { notLinked } from './link.ts';
import { findLink } from './link.store.ts';
import type { RelayAt } from './relay-agent.ts';
import { relayClient } from './relay-client.ts';

interface Linked {
  store: Store;
  secrets: Pick<Secrets, 'get'>;
}

/** Makes clients of the relay with this device's key. They throw `not_linked`. */
export function linkedClient({ store, secrets }: Linked): () => Promise<Client> {
  return async () => {
    const { at, key } = await linkedTo({ store, secrets });
    return relayClient(at, key);
  };
}

/** Makes what sends and gets the bytes of files. Throws `not_linked`. */
export async function linkedBlobs(deps: Linked): Promise<RelayBlobs> {
  const { at, key } = await linkedTo(deps);
  return relayBlobs(at, key);
}

async function linkedTo({ store, secrets }: Linked): Promise<{ at: RelayAt; key: string }> {
  const row = store.read(findLink);
  if (!row?.device) throw notLinked();
  const key = await secrets.get('relay');
  if (key === undefined) throw new Problem('not_linked', "The relay's key is lost: unlink, and link anew");
  return { at: row, key };
}
