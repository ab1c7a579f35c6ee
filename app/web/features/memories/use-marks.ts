import type { Memory } from '@reverie/shared/contract/memories';
import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../../platform/place.ts';
import type { Marks } from '../../ui/reading/layout/laid-out.ts';
import { classOf, searchQuery } from './queries.ts';

const NO_MARKS: Marks = [];

/** Where the words that were searched for stand in a memory that was found; nothing where it was changed since. */
export function useMarks({ namespace, key, updated_at }: Memory): Marks {
  const { q = '', class: only } = usePlace();
  const view = { namespace, class: classOf(only), order: 'updated' as const };
  const { data } = useQuery({ ...searchQuery(view, q), enabled: q !== '' });
  const hit = q === '' ? undefined : data?.results.find((one) => one.key === key);
  return hit?.updated_at === updated_at ? (hit.passage?.marks ?? NO_MARKS) : NO_MARKS;
}
