import type { ReadDb, Store } from '../../../db/open-store.ts';
import { evidenceOf, newestInsights, sessionsOf } from './insights.store.ts';
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
  const of = { account: job.account, namespace: job.namespace, strategy: null };
  const accepted = store
    .read((db) => newestInsights(db, { ...of, job: null, status: 'accepted', limit: KNOWN }, null))
    .map(wordsOf);
  const contestants: Contestant[] = [];
  for (let before: string | null = null; ;) {
    const rows = store.read((db) =>
      newestInsights(db, { ...of, job: job.id, status: 'proposed', limit: PAGE }, before).map((row) =>
        toContestant(db, row),
      ),
    );
    contestants.push(...rows);
    if (rows.length < PAGE) return { contestants, accepted };
    before = rows.at(-1)?.id ?? null;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function toContestant(
  db: ReadDb,
  row: Parameters<typeof wordsOf>[0] & Pick<Contestant, 'id' | 'strategy' | 'confidence'>,
): Contestant {
  return {
    id: row.id,
    strategy: row.strategy,
    confidence: row.confidence,
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
