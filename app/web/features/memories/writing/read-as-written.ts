import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { QueryClient } from '@tanstack/react-query';
import { memoryQuery } from '../queries.ts';

/** Has a memory read as it was written, also before that is stored; one that is gone stays so. */
export function readAsWritten(
  queries: QueryClient,
  { namespace, key, value }: Pick<Memory, 'namespace' | 'key' | 'value'>,
): void {
  const { queryKey } = memoryQuery(namespace, key);
  if (queries.getQueryState(queryKey)?.status !== 'success') return;
  queries.setQueryData(queryKey, (now) => now && { ...now, value });
}
