import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { allSearched, findSearched } from '../ranking/candidates.store.ts';
import type { Searched } from '../ranking/frequencies.ts';
import type { Segments } from '../vectors/segments.ts';

/** One namespace of an account, or `*` for every one that may be read. */
interface Place {
  account: AccountId;
  namespace: string;
  readable?: Readable | undefined;
}

/** Control characters before a name: where the indexes have what is hidden, no request can name it. */
const LEAD = /^[\u0001-\u001f]*/u;

const leadOf = (name: string): string => LEAD.exec(name)?.[0] ?? '';

/**
 * The namespaces that a scope names, and how many chunks they have; undefined where there are none. A `*` behind control characters means
 * every namespace with just these before its name, such as those that hold what is hidden.
 */
export function searchedIn(
  db: ReadDb,
  { account, namespace, readable = () => true }: Place,
): Searched | undefined {
  const lead = leadOf(namespace);
  if (namespace.slice(lead.length) !== EVERY_NAMESPACE) {
    const found = findSearched(db, account, namespace);
    return found && { namespaces: [found.id], chunks: found.chunks };
  }
  const all = allSearched(db, account).filter(({ name }) => leadOf(name) === lead);
  const namespaces = all.filter(({ name }) => readable(name.slice(lead.length)));
  if (namespaces.length === 0) return undefined;
  return {
    namespaces: namespaces.map(({ id }) => id),
    chunks: namespaces.reduce((sum, { chunks }) => sum + chunks, 0),
    isAll: namespaces.length === all.length,
  };
}

/** Loads the vectors of a scope into memory beforehand, so that no search has to load them while everybody waits. */
export async function loadVectors(
  { store, segments }: { store: Pick<Store, 'read'>; segments: Segments },
  scope: Place,
): Promise<void> {
  const { namespaces = [] } = store.read((db) => searchedIn(db, scope)) ?? {};
  const [only] = namespaces;
  if (only === undefined) return;
  if (namespaces.length === 1) await segments.load(store, only);
  else await segments.loadSeveral(store, { account: scope.account, ids: namespaces });
}
