import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Place } from '../../platform/place.ts';
import type { MemoryAddress } from './address.ts';
import { isListing, lookedIn } from './list/operators.ts';
import { classOf, type ListView } from './queries.ts';

/** What an address says is looked at: a list, the memory that is open of it, and how. */
export interface Looking {
  /** One, or `*` for every one: the chosen one, if the query does not look elsewhere. */
  namespace: string;
  query: string;
  view: ListView;
  /** Tells the lists apart of which each has its own selection. */
  listId: string;
  /** Whether all of a view are listed, rather than what a search found. */
  isBrowsing: boolean;
  isTrash: boolean;
  mode: Place['mode'];
  /** Which memory is open, if any; one of the trash is none. */
  open: MemoryAddress | undefined;
  /** Whether something is open, a new memory or one of the trash included. */
  isDetail: boolean;
}

/** What is looked at in a namespace, or in every one (`*`). */
export function lookingAt(place: Place, chosen: string): Looking {
  const { mode } = place;
  const query = place.q ?? '';
  const namespace = lookedIn(query, chosen);
  const isBrowsing = query === '' || isListing(query, namespace);
  const view: ListView = {
    namespace,
    class: classOf(place.class),
    operators: isBrowsing ? query : '',
    order: place.order ?? 'updated',
  };
  const isTrash = mode === 'trash';
  const open = openOf(namespace, place);
  return {
    namespace,
    query,
    view,
    isBrowsing,
    isTrash,
    mode,
    open,
    listId: JSON.stringify([view, query]),
    isDetail:
      (isTrash && place.key !== undefined) || open !== undefined || mode === 'new' || place.day !== undefined,
  };
}

/** Which memory an address opens, if any; of every namespace it names the memory's own besides. */
function openOf(namespace: string, place: Place): MemoryAddress | undefined {
  const where = namespace === EVERY_NAMESPACE ? place.in : namespace;
  if (place.key === undefined || where === undefined || place.mode === 'trash') return undefined;
  return { namespace: where, key: place.key };
}

/** The address of a memory in the list that is shown: of every namespace it names the memory's own besides. */
export function placeInList(shown: string, { namespace, key }: MemoryAddress) {
  return { namespace: shown, key, in: shown === EVERY_NAMESPACE ? namespace : undefined };
}

/** The address of a memory: in the list that is shown, where it stands there, else in its own namespace. */
export function placeOfMemory(shown: string, memory: MemoryAddress) {
  return placeInList(shown === EVERY_NAMESPACE ? shown : memory.namespace, memory);
}
