import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { memoryQuery } from '../queries.ts';
import { readAsWritten } from './read-as-written.ts';

test('what is left is read as it was written, and what was deleted meanwhile does not come back', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { queryKey } = memoryQuery('n', 'a');
  const stored = {
    namespace: 'n',
    key: 'a',
    value: 'before',
    metadata: {},
    class: 'note',
    title: '',
    created_at: '2026-11-20T09:00:00.000Z',
    updated_at: '2026-11-20T09:00:00.000Z',
  } as const;
  queries.setQueryData(queryKey, stored);
  readAsWritten(queries, { namespace: 'n', key: 'a', value: 'after' });
  expect(queries.getQueryData(queryKey)).toEqual({ ...stored, value: 'after' });

  const gone = () => Promise.reject(new Error('memory_not_found'));
  await queries.query({ queryKey, queryFn: gone, staleTime: 0 }).catch(() => undefined);
  readAsWritten(queries, { namespace: 'n', key: 'a', value: 'again' });
  expect(queries.getQueryState(queryKey)).toMatchObject({ status: 'error', data: { value: 'after' } });
});
