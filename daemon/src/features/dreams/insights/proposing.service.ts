import type { InsightChange } from '@reverie/shared/contract/dreams';
import type { Author } from '../../../db/change.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newUlid } from '../../../platform/ids.ts';
import { fingerprintOf, valueDigest } from './fingerprint.ts';
import { insightEvent } from './insight-event.ts';
import { disagreementOf } from './disagreement.ts';
import { takeFingerprint } from './fingerprints.store.ts';
import { type EvidenceRow, type InsightRow, insertInsight } from './insights.store.ts';
import type { Job } from '../jobs/jobs.store.ts';
import type { Proposal } from '../strategies/strategy.ts';
import type { InsightDeps } from '../deps.ts';

interface Proposing extends Pick<InsightDeps, 'memories' | 'record'> {
  clock: Pick<Clock, 'now'>;
}

/** A title is one line of a list. */
const TITLE = 200;

/**
 * Keeps a proposal as an insight and tells of it; false where the same was proposed before, or its evidence does not, or no longer, hold.
 */
export function propose(
  db: WriteDb,
  deps: Proposing,
  { job, proposal }: { job: Pick<Job, 'id' | 'account' | 'namespace'>; proposal: Proposal },
): boolean {
  const evidence = checkedEvidence(db, deps, { job, proposal });
  if (!evidence) return false;
  const { account, namespace } = job;
  const fingerprint = fingerprintOf(proposal);
  if (!takeFingerprint(db, job, fingerprint)) return false;
  const now = deps.clock.now();
  const change = proposal.change ?? sidesOf(db, deps, { job, proposal });
  const row: InsightRow = {
    id: `ins_${newUlid(now)}`,
    account,
    namespace,
    job_id: job.id,
    strategy: proposal.strategy,
    title: proposal.title.replaceAll(/\s+/gu, ' ').trim().slice(0, TITLE).toWellFormed(),
    body: proposal.body.toWellFormed(),
    confidence: Math.min(1, Math.max(0, proposal.confidence)),
    score: 0,
    winner: false,
    status: 'proposed',
    change,
    undo: null,
    stale: [],
    due_on: dueOf(proposal),
    fingerprint,
    created_at: now,
    decided_at: null,
  };
  insertInsight(db, row, evidence);
  const author: Author = { account, actor: { kind: 'job', id: job.id }, origin: 'local' };
  for (const type of ['dream.insight', 'insight.generated'] as const)
    deps.record(db, insightEvent(row, { type, author, before: null, evidence }));
  return true;
}

/** Two memories that a contradiction names are the sides of a disagreement. */
function sidesOf(
  db: ReadDb,
  { memories }: Pick<Proposing, 'memories'>,
  {
    job,
    proposal: { strategy, evidence, statedOn },
  }: { job: Pick<Job, 'account' | 'namespace'>; proposal: Proposal },
): InsightChange | null {
  if (strategy !== 'contradict') return null;
  const keys = [...new Set(evidence.map(({ key }) => key))];
  return disagreementOf(db, memories, { ...job, keys, statedOn });
}

/** The day that comes up; one that a strategy does not name stands in what it says. */
function dueOf({ strategy, dueOn, content }: Proposal): number | null {
  if (strategy !== 'forecast') return null;
  const said = Date.parse(/\d{4}-\d{2}(?:-\d{2})?$/u.exec(content)?.[0] ?? '');
  return dueOn ?? (Number.isNaN(said) ? null : said);
}

/** The evidence with what it was taken from; undefined where a sentence does not stand where it should, or a change touches other memories. */
function checkedEvidence(
  db: ReadDb,
  { memories }: Pick<Proposing, 'memories'>,
  { job: { account, namespace }, proposal }: { job: Pick<Job, 'account' | 'namespace'>; proposal: Proposal },
): EvidenceRow[] | undefined {
  const rows: EvidenceRow[] = [];
  for (const { key, sentence } of proposal.evidence) {
    const memory = memories.find(db, { account, namespace, key });
    if (!memory || memory.hidden !== null || memory.class === 'dream') return undefined;
    if (sentence.trim() === '' || !memory.value.includes(sentence)) return undefined;
    rows.push({ memory_id: memory.id, key, sentence, digest: valueDigest(memory.value) });
  }
  const keys = new Set(rows.map(({ key }) => key));
  const isWhole = rows.length > 0 && proposal.title.trim() !== '' && Number.isFinite(proposal.confidence);
  return isWhole && (!proposal.change || isCovered(proposal.change, keys)) ? rows : undefined;
}

function isCovered(change: InsightChange, keys: ReadonlySet<string>): boolean {
  switch (change.kind) {
    case 'merge':
      return (
        keys.has(change.keep) &&
        change.hide.length > 0 &&
        !change.hide.includes(change.keep) &&
        change.hide.every((key) => keys.has(key))
      );
    case 'archive':
      return change.keys.length > 0 && change.keys.every((key) => keys.has(key));
    case 'update':
      return keys.has(change.key) && change.value !== '';
    case 'link':
      return keys.has(change.from) && keys.has(change.to);
    case 'disagree':
      return (
        change.older.key !== change.newer.key && keys.has(change.older.key) && keys.has(change.newer.key)
      );
  }
}
