import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/events/webhooks';
import * as deliveriesContract from '@reverie/shared/contract/events/deliveries';
import type { Mount } from '@reverie/shared/http/mount';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type DeliveryDeps,
  pageOfDeadLetters,
  pageOfDeliveries,
  replayMany,
  replayOne,
  showDelivery,
} from './deliveries.service.ts';
import { probe, type ProbeDeps } from './probe.ts';
import {
  addWebhook,
  changeWebhook,
  checkUrl,
  listAllWebhooks,
  removeWebhook,
  showWebhook,
  type WebhookDeps,
} from './webhooks.service.ts';

const Target = z.object({
  url: contract.registerWebhook.body.shape.url,
  allow_private_network: z.boolean().optional(),
});
const Place = z.object({ id: z.string().optional() });

/**
 * Resolves the name of a URL that is to be registered. It is done before the handler, for that one has to be
 * synchronous: its `Idempotency-Key` is kept in the transaction of the registration itself.
 */
export function checkTargets(
  app: FastifyInstance,
  deps: WebhookDeps,
  callerOf: (request: FastifyRequest) => Caller,
): void {
  const checked: unknown[] = [contract.registerWebhook, contract.updateWebhook];
  app.addHook('preHandler', async (request) => {
    if (!checked.includes(request.routeOptions.config.route)) return;
    const target = Target.safeParse(request.body);
    // What is wrong with it is said by the route.
    if (!target.success) return;
    const { url, allow_private_network: isPrivate } = target.data;
    await checkUrl(deps, callerOf(request), { url, isPrivate, id: Place.parse(request.params).id });
  });
}

export function webhookRoutes(mount: Mount<Caller>, deps: ProbeDeps & DeliveryDeps): void {
  mount(contract.registerWebhook, ({ body, caller }) => {
    const { id, url, events, created_at } = addWebhook(deps, caller, body);
    return { id, url, events, status: 'active' as const, created_at: new Date(created_at).toISOString() };
  });
  mount(contract.listWebhooks, ({ caller }) => ({ webhooks: listAllWebhooks(deps, caller) }));
  mount(deliveriesContract.listDeliveries, ({ query, caller }) => pageOfDeliveries(deps, caller, query));
  mount(deliveriesContract.getDelivery, ({ params, caller }) => showDelivery(deps, caller, params.id));
  mount(deliveriesContract.replayDelivery, ({ params, caller }) => replayOne(deps, caller, params.id));
  mount(deliveriesContract.listDeadLetters, ({ query, caller }) => {
    const { deliveries, next } = pageOfDeadLetters(deps, caller, query);
    return { dead_letters: deliveries, next };
  });
  mount(deliveriesContract.replayDeadLetters, async ({ body, caller }) => ({
    success: true as const,
    ...(await replayMany(deps, caller, body)),
  }));
  mount(contract.getWebhook, ({ params, caller }) => showWebhook(deps, caller, params.id));
  mount(contract.updateWebhook, ({ params, body, caller }) =>
    changeWebhook(deps, caller, { id: params.id, given: body }),
  );
  mount(contract.deleteWebhook, ({ params, caller }) => {
    removeWebhook(deps, caller, params.id);
    return { success: true as const, id: params.id };
  });
  mount(deliveriesContract.testWebhook, ({ params, caller }) => probe(deps, caller, params.id));
}
