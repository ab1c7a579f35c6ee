import { askStanding } from '@reverie/shared/contract/relay';
import type { Store } from '../db/open-store.ts';
import type { Log } from '../platform/log.ts';
import type { LinkRow } from './link.store.ts';
import type { Ending } from './link-state.ts';
import { listSynced } from './namespaces.store.ts';
import { relayClient } from './relay-client.ts';
import type { RelayProof } from './relay-proof.ts';

/** Why a relay that proved who it is does not let this device in, and what the link ends with. */
interface ShutOut {
  code: Ending;
  detail: string;
}

/** Asks the relay why it refused this device's key, and compares its log with the one that this device knew. */
export async function whyShutOut(
  { store, log }: { store: Store; log: Log },
  { row, key, proof }: { row: LinkRow; key: string; proof: RelayProof | undefined },
): Promise<ShutOut> {
  const said = await relayClient(row)(askStanding, { body: { key } }).catch((err: unknown) => {
    log.debug({ err }, 'the relay did not say why it refuses this device');
    return undefined;
  });
  const on = said?.at == null ? '' : ` on ${said.at.slice(0, 16).replace('T', ' ')} UTC`;
  switch (said?.standing) {
    case 'removed':
      return { code: 'revoked', detail: `This device was removed${on}` };
    case 'recovered':
      return {
        code: 'recovered',
        detail: `The devices of this account were replaced by recovery${on}`,
      };
    case 'linked':
      return { code: 'later', detail: 'The relay refused this device, and lets it in again' };
    case 'unknown':
    case undefined:
      return ofUnknown(proof, { known: knownLog(store, row), isSure: row.relay_key !== null });
  }
}

function ofUnknown(
  proof: RelayProof | undefined,
  { known, isSure }: { known: string; isSure: boolean },
): ShutOut {
  if (!proof || known === '' || proof.log_id === known)
    return { code: 'revoked', detail: 'The relay does not know this device any more' };
  const other = isSure ? '' : ', or another one is in its place';
  return {
    code: 'restored',
    detail: `The relay was restored from a backup that does not know this device${other}`,
  };
}

/** The relay's log that this device was in last; empty where that is not known. */
function knownLog(store: Store, row: LinkRow): string {
  return row.log_id || (store.read(listSynced).find(({ seen_in }) => seen_in !== '')?.seen_in ?? '');
}
