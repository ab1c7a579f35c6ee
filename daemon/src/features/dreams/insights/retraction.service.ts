import type { AccountId } from '@reverie/shared/accounts/caller';
import { objectIn } from '../../../db/json-column.ts';
import type { Author } from '../../../db/change.ts';
import type { WriteDb } from '../../../db/open-store.ts';
import { renamedIn } from './changes.ts';
import { valueDigest } from './fingerprint.ts';
import { memoryKeyOf } from './insight-event.ts';
import { dropFingerprint } from './fingerprints.store.ts';
import {
  deleteInsight,
  dropNamespaceInsights,
  eraseText,
  type InsightRow,
  insightsOn,
  saveEvidenceKey,
  saveDecision,
} from './insights.store.ts';
import type { InsightDeps } from '../deps.ts';

type Retracting = Pick<InsightDeps, 'memories' | 'record' | 'redact'>;

const ERASED = 'A memory that this rested on was deleted';

/** A source has another value now: what was proposed from the old one is withdrawn, what was accepted is stale. */
export function sourceOverwritten(
  db: WriteDb,
  deps: Retracting,
  { memoryId, value }: { memoryId: number; value: string },
): void {
  const insights = insightsOn(db, memoryId);
  if (insights.length === 0) return;
  const digest = valueDigest(value);
  for (const insight of insights) {
    if (digest.equals(insight.digest)) continue;
    if (insight.status === 'proposed') retract(db, deps, insight);
    else if (insight.status === 'accepted') markStale(db, deps, { insight, key: insight.key });
  }
}

/** A source was renamed: proposals about it still use its old name, and are withdrawn. */
export function sourceRenamed(
  db: WriteDb,
  deps: Retracting,
  { memoryId, from, to }: { memoryId: number; from: string; to: { namespace: string; key: string } },
): void {
  for (const insight of insightsOn(db, memoryId)) {
    if (insight.status === 'proposed') retract(db, deps, insight);
    else if (insight.undo !== null && insight.namespace === to.namespace) {
      const undo = renamedIn(insight.undo, { from, to: to.key });
      saveDecision(db, insight.id, { ...insight, undo });
    }
  }
  saveEvidenceKey(db, memoryId, to);
}

/** A source is in the trash: nothing is proposed about it. What was accepted or refused stays until it is deleted for good. */
export function sourceTrashed(db: WriteDb, deps: Retracting, memoryId: number): void {
  for (const insight of insightsOn(db, memoryId))
    if (insight.status === 'proposed') retract(db, deps, insight);
}

/** A source is about to be deleted: nothing of what it said stays in what dreams kept. */
export function sourceDeleted(db: WriteDb, deps: Retracting, memoryId: number): void {
  for (const insight of insightsOn(db, memoryId)) {
    if (insight.status === 'proposed') retract(db, deps, insight);
    else if (insight.status === 'rejected') {
      // Its fingerprint stays: what was refused is not proposed again.
      deleteInsight(db, insight.id);
      deps.redact(db, placeOf(insight));
    } else {
      eraseText(db, insight.id, { memoryId, title: ERASED, ...keptOf(insight) });
      deps.redact(db, placeOf(insight));
      markStale(db, deps, { insight: { ...insight, ...keptOf(insight) }, key: insight.key });
    }
  }
}

/** All of a namespace is about to be deleted, and with it what was proposed, accepted and refused there. */
export function namespaceCleared(
  db: WriteDb,
  { redact }: Pick<Retracting, 'redact'>,
  at: { account: AccountId; namespace: string },
): void {
  for (const id of dropNamespaceInsights(db, at)) redact(db, { ...at, key: memoryKeyOf(id) });
}

function placeOf({ account, namespace, id }: InsightRow) {
  return { account, namespace, key: memoryKeyOf(id) };
}

function retract(db: WriteDb, deps: Retracting, insight: InsightRow): void {
  deleteInsight(db, insight.id);
  dropFingerprint(db, insight, insight.fingerprint);
  deps.redact(db, placeOf(insight));
  deps.record(db, {
    ...byRetraction(insight),
    type: 'insight.rejected',
    namespace: insight.namespace,
    key: memoryKeyOf(insight.id),
    before: { id: insight.id, status: 'proposed' },
    after: { id: insight.id, job_id: insight.job_id, strategy: insight.strategy, status: 'retracted' },
  });
}

function byRetraction({ account }: InsightRow): Author {
  return { account, actor: { kind: 'system', id: 'retraction' }, origin: 'upkeep' };
}

/** What of change and undo holds keys only; an update's hold values. */
function keptOf({ change, undo }: InsightRow): Pick<InsightRow, 'change' | 'undo'> {
  return { change: change?.kind === 'update' ? null : change, undo: undo?.kind === 'restore' ? null : undo };
}

/** Says on the insight, and on the memory that it became, that a source is not as it was. */
function markStale(
  db: WriteDb,
  { memories }: Pick<Retracting, 'memories'>,
  { insight, key }: { insight: InsightRow; key: string },
): void {
  if (insight.stale.includes(key)) return;
  const stale = [...insight.stale, key];
  saveDecision(db, insight.id, { ...insight, stale });
  const memory = memories.find(db, placeOf(insight));
  if (!memory) return;
  const metadata = objectIn(memory.metadata);
  memories.write(db, byRetraction(insight), {
    namespace: insight.namespace,
    key: memory.key,
    value: memory.value,
    metadata: { ...metadata, stale: stale.slice(0, 100) },
    ...(memory.expires_at !== null && { expires_at: new Date(memory.expires_at).toISOString() }),
  });
}
