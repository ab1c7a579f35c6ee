import { lastEvaluation, listRecalls } from '@reverie/shared/contract/agents/recalls';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** Receipts are no events, so they are looked for. */
const LOOK_EVERY_MS = 10_000;
const A_PAGE = 30;

export const recallsQuery = infiniteQueryOptions({
  queryKey: ['recalls'],
  queryFn: ({ signal, pageParam }) =>
    call(
      listRecalls,
      { query: { limit: A_PAGE, ...(pageParam !== null && { cursor: pageParam }) } },
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  refetchInterval: LOOK_EVERY_MS,
});

export const evaluationQuery = queryOptions({
  queryKey: ['recalls', 'evaluation'],
  queryFn: ({ signal }) => call(lastEvaluation, {}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
});
