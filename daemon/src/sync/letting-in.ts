import { awaitApproval } from '@reverie/shared/contract/relay';
import type { Store } from '../db/open-store.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';
import { deleteLink, type LinkRow, saveDevice } from './link.store.ts';
import { relayClient, wasRefusedWith } from './relay-client.ts';

interface LettingInDeps {
  store: Store;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
}

/** Asks whether a linked device let this one in; `again` where nobody has answered, `refused` where the link is over. */
export async function askToBeLetIn(
  { store, log, secrets }: LettingInDeps,
  row: LinkRow,
): Promise<'in' | 'again' | 'refused'> {
  const secret = await secrets.get('relay');
  const request = row.request ?? '';
  try {
    const answer = await relayClient(row)(awaitApproval, {
      params: { request },
      body: { secret: secret ?? '' },
    });
    if (answer.status === 'awaits_approval') return 'again';
    if (answer.status === 'linked') {
      await secrets.set('relay', answer.key);
      const confirmBy = answer.confirm_by === null ? null : Date.parse(answer.confirm_by);
      store.write((db) => saveDevice(db, answer.device, confirmBy));
      return 'in';
    }
  } catch (cause) {
    if (!wasRefusedWith(cause, 'gone')) {
      log.debug({ err: cause }, 'the relay did not say whether this device was let in');
      return 'again';
    }
  }
  log.warn('no linked device let this one in');
  store.write((db) => deleteLink(db));
  await secrets.delete('relay');
  return 'refused';
}
