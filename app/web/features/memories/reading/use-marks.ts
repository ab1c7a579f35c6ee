import type { Memory } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../../../platform/place.ts';
import type { SourceMarks } from '../../../ui/reading/layout/laid-out.ts';
import { isSame } from '../address.ts';
import { isListing, lookedIn } from '../list/operators.ts';
import { classOf, searchQuery } from '../queries.ts';

const NO_MARKS: SourceMarks = [];

/** Where the words that were searched for stand in a memory that was found; nothing where it was changed since. */
export function useMarks({ namespace, key, updated_at }: Memory): SourceMarks {
  const { q = '', class: only, namespace: chosen = namespace } = usePlace();
  const listed = lookedIn(q, chosen);
  const view = { namespace: listed, class: classOf(only), operators: '', order: 'updated' as const };
  const isSearch = q !== '' && !isListing(q, listed);
  const { data } = useQuery({ ...searchQuery(view, q), enabled: isSearch });
  const hit = isSearch ? data?.results.find((one) => isSame(one, { namespace, key })) : undefined;
  return hit?.updated_at === updated_at ? (hit.passage?.marks ?? NO_MARKS) : NO_MARKS;
}
