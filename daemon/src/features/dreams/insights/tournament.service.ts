import type { ReadDb, Store } from '../../../db/open-store.ts';
import { evidenceOf, type InsightRow, listInsightRows, saveScore, sessionsOf } from './insights.store.ts';
import { isActionable } from './kinds.ts';
import type { Job } from '../jobs/jobs.store.ts';
import { type Contestant, rank, type RankedInsight } from './tournament.ts';

/** Rows that are read at once, and scores that are written at once: requests get their turn between two. */
const PAGE = { read: 50, written: 200 } as const;
/** The newest accepted insights that novelty is measured against. */
const KNOWN = 100;

/**
 * Ranks the open proposals of a dream, against what was accepted before, and keeps how strong each is; answers the strongest, which is marked as
 * the winner where a dream has one. Throws the signal's reason.
 */
export async function rankJob(
  store: Store,
  job: Pick<Job, 'id' | 'account' | 'namespace'>,
  { hasWinner, signal }: { hasWinner: boolean; signal?: AbortSignal },
): Promise<RankedInsight | null> {
  const accepted = newestOf(store, job, { status: 'accepted', limit: KNOWN });
  const contestants: Contestant[] = [];
  for (let after: string | null = null; ;) {
    const page = newestOf(store, job, { status: 'proposed', job: job.id, limit: PAGE.read, after });
    contestants.push(...page.map(({ contestant }) => contestant));
    if (page.length < PAGE.read) break;
    after = page.at(-1)?.at ?? null;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const ranked = rank(
    contestants,
    accepted.map(({ contestant }) => contestant.words),
  );
  const first = ranked[0] ?? null;
  for (let from = 0; from < ranked.length; from += PAGE.written) {
    signal?.throwIfAborted();
    store.write((db) => {
      for (const { id, score } of ranked.slice(from, from + PAGE.written))
        saveScore(db, id, { score, winner: hasWinner && id === first?.id });
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  signal?.throwIfAborted();
  return first;
}

interface Wanted {
  readonly status: 'accepted' | 'proposed';
  readonly job?: string | null;
  readonly limit: number;
  readonly after?: string | null;
}

function newestOf(
  store: Store,
  { account, namespace }: Pick<Job, 'account' | 'namespace'>,
  { status, job = null, limit, after = null }: Wanted,
): { contestant: Contestant; at: string }[] {
  const all = { within: null, strategy: null, waits: null, waitingAt: 0, decidedSince: null };
  return store.read((db) =>
    listInsightRows(db, { ...all, account, namespace, status, job, limit }, { order: 'newest', after }).map(
      (row) => ({ contestant: toContestant(db, row), at: row.at }),
    ),
  );
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
