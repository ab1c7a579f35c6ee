import {
  getDelivery,
  listDeliveries,
  type deliveryStatuses,
} from '@reverie/shared/contract/events/deliveries';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { LOOK_EVERY_MS } from './queries.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

const PAGE = 50;

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
