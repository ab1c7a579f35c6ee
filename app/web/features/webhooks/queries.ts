import { listWebhooks } from '@reverie/shared/contract/webhooks';
import { getDelivery, listDeliveries, type deliveryStatuses } from '@reverie/shared/contract/deliveries';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Deliveries are no events, so what becomes of them is looked up; only while the view is there. */
const LOOK_EVERY_MS = 2_500;
const PAGE = 50;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal }) => (await call(listWebhooks, {}, { signal })).webhooks,
});

/** The webhooks, fetched again every `LOOK_EVERY_MS` while a view shows them. */
export const watchedWebhooksQuery = queryOptions({ ...webhooksQuery, refetchInterval: LOOK_EVERY_MS });

export function deliveriesQuery(webhookId: string, status: DeliveryStatus | undefined) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', webhookId, status ?? 'all'],
    queryFn: ({ signal, pageParam }) =>
      call(
        listDeliveries,
        {
          query: {
            webhook_id: webhookId,
            limit: PAGE,
            ...(status && { status }),
            ...(pageParam !== undefined && { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: LOOK_EVERY_MS,
  });
}

export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: ({ signal }) => call(getDelivery, { params: { id } }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
}
