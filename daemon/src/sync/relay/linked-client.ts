import type { Client } from '@reverie/shared/client';
import { Problem } from '@reverie/shared/contract/problems';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { type RelayBlobs, relayBlobs } from '../files/relay-blobs.ts';
import { notLinked } from '../link.store.ts';
import type { RelayAt } from './relay-agent.ts';
import { relayClient } from './relay-client.ts';
import type { RelayGate } from './relay-proof.ts';

interface Linked {
  gate: Pick<RelayGate, 'proven'>;
  secrets: Pick<Secrets, 'get'>;
}

/** Makes clients of the relay with this device's key, once it proved who it is. They throw `not_linked`, and as the gate does. */
export function linkedClient(deps: Linked): () => Promise<Client> {
  return async () => {
    const { at, key } = await linkedTo(deps);
    return relayClient(at, key);
  };
}

/** Makes what sends and gets the bytes of files. Throws `not_linked`. */
export async function linkedBlobs(deps: Linked): Promise<RelayBlobs> {
  const { at, key } = await linkedTo(deps);
  return relayBlobs(at, key);
}

/** The relay that this device is linked to and that proved who it is, and the key for it. */
export async function linkedTo({ gate, secrets }: Linked): Promise<{ at: RelayAt; key: string }> {
  const row = await gate.proven();
  if (!row?.device) throw notLinked();
  const key = await secrets.get('relay');
  if (key === undefined) throw new Problem('not_linked', "The relay's key is lost: unlink, and link anew");
  return { at: row, key };
}
