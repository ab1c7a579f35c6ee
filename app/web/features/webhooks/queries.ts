import { listWebhooks } from '@reverie/shared/contract/events/webhooks';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** Deliveries are no events, so what becomes of them is looked up; only while the view is there. */
export const LOOK_EVERY_MS = 2_500;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal }) => (await call(listWebhooks, {}, { signal })).webhooks,
});

/** The webhooks, fetched again every `LOOK_EVERY_MS` while a view shows them. */
export const watchedWebhooksQuery = queryOptions({ ...webhooksQuery, refetchInterval: LOOK_EVERY_MS });
