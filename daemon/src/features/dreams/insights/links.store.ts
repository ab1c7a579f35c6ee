import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';

/** Another memory of the evidence of an insight. */
export interface InsightLink {
  memory_id: number;
  title: string;
  confidence: number;
}

/** Memories that insights name beside a given one; rejected insights, and those with much evidence, link nothing. */
export function insightLinks(
  db: ReadDb,
  of: { account: AccountId; memoryId: number; limit: number },
): InsightLink[] {
  return db
    .prepare<[object], InsightLink>(
      `SELECT o.memory_id, max(i.title) AS title, max(i.confidence) AS confidence
       FROM dream_evidence own
       CROSS JOIN dream_insights i ON i.id = own.insight_id AND i.account = @account
       CROSS JOIN dream_evidence o ON o.insight_id = i.id
       WHERE own.memory_id = @memoryId AND own.account = @account AND i.status <> 'rejected'
         AND i.strategy IN ('connect', 'rem', 'contradict', 'refine') AND o.memory_id <> @memoryId
       GROUP BY o.memory_id ORDER BY confidence DESC, o.memory_id DESC LIMIT @limit`,
    )
    .all(of);
}
