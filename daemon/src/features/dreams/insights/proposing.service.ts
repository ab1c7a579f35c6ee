import type { InsightChange } from '@reverie/shared/contract/dreams/dreams';
import type { Author } from '../../../db/change.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newUlid } from '../../../platform/ids.ts';
import { fingerprintOf, formerFingerprintOf, keysOf, valueDigest } from './fingerprint.ts';
import { insightEvent } from './insight-event.ts';
import { disagreementOf } from './disagreement.ts';
import { shorten } from '../structure/words.ts';
import { hasFingerprint, takeFingerprint } from './fingerprints.store.ts';
import { type EvidenceRow, type InsightRow, insertInsight, restsOnSame } from './insights.store.ts';
import type { Job } from '../jobs/jobs.store.ts';
import type { Proposal } from '../proposal.ts';
import type { InsightDeps } from '../deps.ts';

interface Proposing extends Pick<InsightDeps, 'memories' | 'record'> {
  clock: Pick<Clock, 'now'>;
}

/** A title is one line of a list. */
const TITLE = 200;

/** What became of a proposal; `why` is a sentence for people. */
export type Proposed = { taken: true; id: string } | { taken: false; why: string };

interface ToPropose {
  job: Pick<Job, 'id' | 'account' | 'namespace'>;
  proposal: Proposal;
  /** Who proposes; the job where it is left out. */
  author?: Author | undefined;
}

const DOUBLE = 'The same was proposed over the same memories before, and is decided on once';

/** Keeps a proposal as an insight and tells of it, unless the same was proposed before, or its evidence does not, or no longer, hold. */
export function propose(db: WriteDb, deps: Proposing, { job, proposal, author }: ToPropose): Proposed {
  const evidence = checkedEvidence(db, deps, { job, proposal });
  if (!Array.isArray(evidence)) return evidence;
  const { account, namespace } = job;
  const { strategy } = proposal;
  const due_on = proposal.dueOn ?? null;
  const fingerprint = fingerprintOf(proposal, due_on);
  const memories = evidence.map(({ memory_id }) => memory_id);
  // Two questions may have their answers in the same notes.
  const isDouble =
    (strategy !== 'reflect' && restsOnSame(db, { account, namespace, strategy, due_on, memories })) ||
    hasFingerprint(db, job, formerFingerprintOf(proposal)) ||
    !takeFingerprint(db, job, fingerprint);
  if (isDouble) return refused(DOUBLE);
  const now = deps.clock.now();
  const sides = { account, namespace, keys: keysOf(evidence), statedOn: proposal.statedOn };
  const { change = strategy === 'contradict' ? disagreementOf(db, deps.memories, sides) : null } = proposal;
  const row: InsightRow = {
    id: `ins_${newUlid(now)}`,
    account,
    namespace,
    job_id: job.id,
    strategy,
    title: shorten(proposal.title, TITLE),
    body: proposal.body.toWellFormed(),
    confidence: proposal.confidence,
    score: 0,
    winner: false,
    status: 'proposed',
    change,
    undo: null,
    stale: [],
    due_on,
    snoozed_until: null,
    fingerprint,
    created_at: now,
    decided_at: null,
  };
  insertInsight(db, row, evidence);
  const by: Author = author ?? { account, actor: { kind: 'job', id: job.id }, origin: 'local' };
  for (const type of ['dream.insight', 'insight.generated'] as const)
    deps.record(db, insightEvent(row, { type, author: by, before: null, evidence }));
  return { taken: true, id: row.id };
}

function refused(why: string): Proposed & { taken: false } {
  return { taken: false, why };
}

/** The evidence with what it was taken from; a refusal where a sentence does not stand where it should, or a change touches other memories. */
function checkedEvidence(
  db: ReadDb,
  { memories }: Pick<Proposing, 'memories'>,
  { job: { account, namespace }, proposal }: { job: Pick<Job, 'account' | 'namespace'>; proposal: Proposal },
): EvidenceRow[] | (Proposed & { taken: false }) {
  const rows: EvidenceRow[] = [];
  for (const { key, sentence } of proposal.evidence) {
    const memory = memories.find(db, { account, namespace, key });
    if (!memory || memory.hidden !== null || memory.class === 'dream')
      return refused(
        `There is no memory ${JSON.stringify(key)} to rest on; what is hidden, or came of a dream, is none`,
      );
    if (sentence.trim() === '' || !memory.value.includes(sentence))
      return refused(`The quote does not stand in the memory ${JSON.stringify(key)}, letter by letter`);
    rows.push({ memory_id: memory.id, key, sentence, digest: valueDigest(memory.value) });
  }
  const keys = new Set(rows.map(({ key }) => key));
  if (rows.length === 0) return refused('It rests on no memory');
  if (proposal.title.trim() === '' || !Number.isFinite(proposal.confidence))
    return refused('It has no title, or says not how sure it is');
  if (proposal.change && !isCovered(proposal.change, keys))
    return refused('It would change a memory that it does not rest on');
  return rows;
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
