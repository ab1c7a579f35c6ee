import { findModels, listSheets, modelsState } from '@reverie/shared/contract/system/models';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../../platform/daemon/api.ts';

/** What is under way is looked at often; else it is enough to see that a model went away, or what another tab did. */
const MOVING_MS = 1_000;
const CALM_MS = 5_000;
/** While nothing is found somebody may be installing it; else a server may have been started, or another model got. */
const WAITING_MS = 3_000;
const FOUND_MS = 15_000;

/** How models stand: what each part uses, and what was got and examined last. */
export type ModelsState = z.infer<typeof modelsState.response>;

export const modelsQuery = queryOptions({
  queryKey: ['models', 'state'],
  queryFn: ({ signal }) => call(modelsState, {}, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.pull?.status === 'running' || data?.examination?.status === 'running' ? MOVING_MS : CALM_MS,
});

/** Looks on this machine, as long as somebody looks at the view: a hidden page asks for nothing. */
export const foundQuery = queryOptions({
  queryKey: ['models', 'found'],
  queryFn: ({ signal }) => call(findModels, {}, { signal }),
  refetchInterval: ({ state: { data } }) => (data && data.servers.length > 0 ? FOUND_MS : WAITING_MS),
});

/** What is installed changes seldom: views that only offer a model look once in so long, ms. */
const OFFERED_MS = 300_000;

/** The same for a view that offers what was found, and does not wait for it. */
export const offerQuery = queryOptions({ ...foundQuery, refetchInterval: false, staleTime: OFFERED_MS });

/** Receipts are no events, so they are looked for. */
const SHEETS_MS = 10_000;

export const sheetsQuery = infiniteQueryOptions({
  queryKey: ['models', 'sheets'],
  queryFn: ({ signal, pageParam }) =>
    call(listSheets, { query: { limit: 30, ...(pageParam !== null && { cursor: pageParam }) } }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  refetchInterval: SHEETS_MS,
});
