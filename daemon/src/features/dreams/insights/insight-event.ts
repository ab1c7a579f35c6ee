import type { JsonObject } from '@reverie/shared/contract/fields';
import type { Author, NewEvent } from '../../../db/change.ts';
import { keysOf } from './fingerprint.ts';
import type { EvidenceRow, InsightRow } from './insights.store.ts';

/** The key of the memory that an accepted insight becomes; its events carry it, so that they are found by it. */
export function memoryKeyOf(insightId: string): string {
  return `dream:${insightId}`;
}

export interface InsightEvent {
  type: NewEvent['type'];
  author: Author;
  before: JsonObject | null;
  evidence: readonly Pick<EvidenceRow, 'key'>[];
}

/** An event about an insight: its title and the keys that it rests on, never the sentences. */
export function insightEvent(row: InsightRow, { type, author, before, evidence }: InsightEvent): NewEvent {
  return {
    ...author,
    type,
    namespace: row.namespace,
    key: memoryKeyOf(row.id),
    before,
    after: {
      id: row.id,
      job_id: row.job_id,
      strategy: row.strategy,
      title: row.title,
      confidence: row.confidence,
      evidence: keysOf(evidence),
      status: row.status,
    },
  };
}
