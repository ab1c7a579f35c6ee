import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/agents/recalls';
import type { Mount } from '@reverie/shared/http/mount';
import { evaluate, lastEvaluation } from './evaluation.service.ts';
import { judgeRecall, pageOfRecalls, recordRecall, type RecallsDeps } from './recalls.service.ts';

export function recallRoutes(mount: Mount<Caller>, deps: RecallsDeps): void {
  mount(contract.recordRecall, ({ body, caller }) => ({
    id: recordRecall(deps, caller, {
      ...body,
      agent: body.agent ?? caller.key.name,
      session: body.session ?? null,
      query: body.query ?? null,
    }),
  }));
  mount(contract.listRecalls, ({ query, caller }) =>
    pageOfRecalls(deps, caller, {
      namespace: query.namespace ?? null,
      agent: query.agent ?? null,
      session: query.session ?? null,
      verdict: query.verdict ?? null,
      before: query.cursor ?? null,
      limit: query.limit,
    }),
  );
  mount(contract.judgeRecall, ({ params, body, caller }) =>
    judgeRecall(deps, caller, { id: params.id, ...body }),
  );
  mount(contract.evaluateRecalls, ({ caller }) => evaluate(deps, caller.account, 'asked'));
  mount(contract.lastEvaluation, ({ caller }) => lastEvaluation(deps, caller.account));
}
