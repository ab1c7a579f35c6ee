import type { Caller } from '@reverie/shared/accounts/caller';
import * as contract from '@reverie/shared/contract/knowledge';
import type { Mount } from '@reverie/shared/http/mount';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Fact } from './fact.ts';
import { knowledge, listFacts } from './knowledge.store.ts';
import { normaliseEntity } from './normalise.ts';

export function knowledgeRoutes(
  mount: Mount<Caller>,
  { store, clock }: { store: Store; clock: Clock },
): void {
  mount(contract.listFacts, ({ query, caller }) => {
    const { namespace, subject, predicate, key, as_of, include_superseded, limit, cursor } = query;
    const asOf = as_of === undefined ? undefined : Date.parse(as_of);
    const page = store.read((db) =>
      listFacts(db, knowledge({ account: caller.account, namespace }, { asOf, now: clock.now() }), {
        subject: subject === undefined ? null : normaliseEntity(subject),
        predicate: predicate ?? null,
        key: key ?? null,
        superseded: include_superseded === 'true',
        before: cursor === undefined ? null : Number(cursor.slice(2)),
        limit,
      }),
    );
    const last = page.at(-1);
    return {
      facts: page.map(({ fact, key: source, supersededByKey }) => ({
        ...toReply(fact),
        namespace,
        key: source,
        superseded_by: supersededByKey,
      })),
      next: page.length === limit && last ? `f.${last.fact.id}` : null,
    };
  });
}

function toReply(fact: Fact) {
  return {
    id: `fact_${fact.id}`,
    subject: fact.subject,
    predicate: fact.predicate,
    said: fact.said,
    object: fact.object,
    value: fact.objectNorm,
    kind: fact.kind,
    negated: fact.negated,
    sentence: fact.sentence,
    confidence: fact.confidence,
    origin: fact.origin,
    observed_at: new Date(fact.observedAt).toISOString(),
    valid_from: new Date(fact.validFrom).toISOString(),
    valid_to: fact.validTo === null ? null : new Date(fact.validTo).toISOString(),
    superseded: fact.supersededBy !== null,
  };
}
