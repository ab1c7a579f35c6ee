import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/dreams/dreams';
import { holdDreams } from '@reverie/shared/contract/dreams/dream-hold';
import { CONSOLIDATE } from '@reverie/shared/contract/dreams/dream-strategies';
import { Problem } from '@reverie/shared/contract/problems';
import type { Mount } from '@reverie/shared/http/mount';
import { authorOf } from '../../db/change.ts';
import { cancelDream, type DreamDeps, dreamStatus, listDreams, startDream } from './dreams.service.ts';
import { namespaceHealth } from './insights/health.service.ts';
import { proposeFindings } from './insights/findings.service.ts';
import {
  acceptInsight,
  decideOnEach,
  getInsight,
  listInsights,
  rejectInsight,
  snoozeInsight,
  undoInsight,
} from './insights/insights.service.ts';
import { resolveStrategy } from './strategy-names.ts';
import type { InsightDeps, Sheets } from './deps.ts';

export interface DreamRoutesDeps {
  dreams: DreamDeps;
  insights: InsightDeps;
  sheets: Sheets;
}

export function dreamRoutes(mount: Mount<Caller>, { dreams, insights, sheets }: DreamRoutesDeps): void {
  mount(contract.startDream, ({ body: { now, ...asked }, caller }) => {
    if (now !== undefined && caller.key.scope !== 'owner')
      throw new Problem('forbidden_scope', 'Only an owner key may say at which time a dream dreams');
    const clock = now === undefined ? undefined : Date.parse(now);
    const { id, status } = startDream(dreams, caller.account, { ...asked, clock, startedBy: 'request' });
    return { id, status };
  });
  mount(contract.dreamStatus, ({ params, caller }) => dreamStatus(dreams, caller.account, params.id));
  mount(contract.listDreams, ({ query, caller }) => listDreams(dreams, caller, query));
  mount(contract.cancelDream, ({ params, caller }) => cancelDream(dreams, caller.account, params.id));
  mount(holdDreams, ({ body: { seconds, why }, caller }) => {
    if (!dreams.settings.isMachine(caller.account))
      throw new Problem('forbidden_scope', "Dreams of this machine are its owner's to hold");
    const held = dreams.hold.set(seconds * 1000, why);
    return { held_until: held ? new Date(held.until).toISOString() : null, why: held?.why ?? '' };
  });

  mount(contract.listInsights, ({ query: { strategy, ...query }, caller }) => {
    // Every insight is of some strategy: `consolidate` leaves none out.
    const only = strategy === undefined || strategy === CONSOLIDATE ? undefined : resolveStrategy(strategy);
    return listInsights(insights, caller, { ...query, strategy: only });
  });
  mount(contract.getInsight, ({ params, caller }) => getInsight(insights, caller.account, params.id));
  mount(contract.acceptInsight, ({ params, body, caller }) =>
    acceptInsight(insights, authorOf(caller), { ...params, ...body }),
  );
  mount(contract.rejectInsight, ({ params, caller }) => rejectInsight(insights, authorOf(caller), params.id));
  mount(contract.undoInsight, ({ params, caller }) => undoInsight(insights, authorOf(caller), params.id));
  mount(contract.snoozeInsight, ({ params, body, caller }) =>
    snoozeInsight(insights, caller.account, { ...params, ...body }),
  );
  mount(contract.acceptInsights, ({ body: { ids }, caller }) =>
    decideOnEach(insights, caller, {
      ids,
      decide: (id) => acceptInsight(insights, authorOf(caller), { id }),
    }),
  );
  mount(contract.rejectInsights, ({ body: { ids }, caller }) =>
    decideOnEach(insights, caller, { ids, decide: (id) => rejectInsight(insights, authorOf(caller), id) }),
  );
  mount(contract.proposeInsights, async ({ body, caller }) => {
    const { makeRoom } = dreams.settings;
    return { findings: await proposeFindings({ ...insights, makeRoom, sheets }, authorOf(caller), body) };
  });
  mount(contract.nextSheet, async ({ query: { namespace }, caller }) => ({
    sheet: await sheets.next(caller.account, namespace),
  }));
  mount(contract.dreamHealth, ({ query, caller }) =>
    namespaceHealth(insights, { ...query, account: caller.account }),
  );
}
