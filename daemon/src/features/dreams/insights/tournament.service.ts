import type { ReadDb, Store } from '../../../db/open-store.ts';
import { evidenceOf, type InsightRow, listInsightRows, sessionsOf } from './insights.store.ts';
import { isActionable } from './kinds.ts';
import type { Job } from '../jobs/jobs.store.ts';
import type { Contestant } from './tournament.ts';

/** Rows that are read at once. */
const PAGE = 50;
/** The newest accepted insights that novelty is measured against. */
const KNOWN = 100;

/** Who takes part in the tournament of a dream, and the words of what was accepted before. */
export async function contestantsOf(
  store: Store,
  job: Pick<Job, 'id' | 'account' | 'namespace'>,
): Promise<{ contestants: Contestant[]; accepted: string[][] }> {
  const of = {
    account: job.account,
    namespace: job.namespace,
    within: null,
    strategy: null,
    waits: null,
    waitingAt: 0,
    decidedSince: null,
  };
  const newest = (
    filter: { job: string | null; status: 'accepted' | 'proposed'; limit: number },
    after: string | null,
  ) =>
    store.read((db) =>
      listInsightRows(db, { ...of, ...filter }, { order: 'newest', after }).map((row) => ({
        contestant: toContestant(db, row),
        at: row.at,
      })),
    );
  const accepted = newest({ job: null, status: 'accepted', limit: KNOWN }, null);
  const contestants: Contestant[] = [];
  for (let after: string | null = null; ;) {
    const rows = newest({ job: job.id, status: 'proposed', limit: PAGE }, after);
    contestants.push(...rows.map(({ contestant }) => contestant));
    if (rows.length < PAGE)
      return { contestants, accepted: accepted.map(({ contestant }) => [...contestant.words]) };
    after = rows.at(-1)?.at ?? null;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function toContestant(db: ReadDb, row: InsightRow): Contestant {
  return {
    id: row.id,
    strategy: row.strategy,
    confidence: row.confidence,
    isActionable: isActionable(row.strategy, row.change),
    sources: evidenceOf(db, row.id).map(({ key }) => key),
    sessions: sessionsOf(db, row.id),
    words: wordsOf(row),
  };
}

/** Different words, at most a hundred: enough to tell what it is about. */
function wordsOf({ title, body }: { title: string; body: string }): string[] {
  const words = `${title} ${body.slice(0, 2000)}`.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(words)].slice(0, 100);
}
