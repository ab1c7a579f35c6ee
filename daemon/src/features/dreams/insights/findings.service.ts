import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Finding } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import type { Author } from '../../../db/change.ts';
import { objectIn } from '../../../db/json-column.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { saidAt } from '../../../language/notes/noted-day.ts';
import { newJob } from '../jobs/job-state.ts';
import { insertJob, type Job, jobOf, saveJob } from '../jobs/jobs.store.ts';
import type { Proposal } from '../proposal.ts';
import type { DreamMemories, InsightDeps, MemoryPlace, Sheets } from '../deps.ts';
import { type QuotableNote, toProposal } from './findings.ts';
import { hasNoteNamed } from './insights.store.ts';
import { propose, type Proposed } from './proposing.service.ts';
import { rankJob } from './tournament.service.ts';

interface FindingsDeps extends InsightDeps {
  /** Counts what an account holds; throws `storage_exceeded` where it may hold no more. */
  makeRoom: (db: WriteDb, account: AccountId, bytes: number) => void;
  sheets: Pick<Sheets, 'read'>;
}

interface Found {
  namespace: string;
  findings: readonly Finding[];
  sheet?: string | undefined;
}

/**
 * Proposes what an agent found, each finding in a transaction of its own; answers of each, in order, whether it was taken, and why not. What
 * is taken belongs to a job that stands for this call, and is ranked as the proposals of a dream are. Throws `storage_exceeded`; what was
 * taken before stays then, and is a double the next time.
 */
export async function proposeFindings(
  deps: FindingsDeps,
  author: Author,
  { namespace, findings, sheet }: Found,
): Promise<Proposed[]> {
  const { account } = author;
  const { store, clock, memories } = deps;
  const createdAt = clock.now();
  // It is over when it begins.
  const state = { ...newJob([]), status: 'complete', startedAt: createdAt, completedAt: createdAt } as const;
  let job = jobOf({ account, namespace, startedBy: 'agent', createdAt, state });
  const answers: Proposed[] = [];
  for (const finding of findings) {
    const made = store.read((db) =>
      toProposal(finding, { ...notesFor(db, memories, { account, namespace }), now: clock.now() }),
    );
    if ('why' in made) answers.push({ taken: false, ...made });
    else {
      const { proposal } = made;
      const proposed = store.write((db) => {
        const result = propose(db, deps, { job, proposal, author });
        if (!result.taken) return result;
        const holding = withOne(job, proposal.strategy);
        if (job.state.strategies.length === 0) insertJob(db, holding);
        else saveJob(db, holding);
        deps.makeRoom(db, account, bytesOf(proposal));
        db.afterCommit(() => (job = holding));
        return result;
      });
      answers.push(proposed);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The winner is one of a dream: here nothing was dreamt.
  if (job.state.strategies.length > 0) await rankJob(store, job, { hasWinner: false });
  if (sheet !== undefined) deps.sheets.read(account, namespace, sheet);
  return answers;
}

/** Finds the memories of a namespace that may be evidence: what is hidden, and what came of a dream, is none; and whether one has a name. */
export function notesFor(
  db: ReadDb,
  { find }: Pick<DreamMemories, 'find'>,
  { account, namespace }: Omit<MemoryPlace, 'key'>,
): { noteOf: (key: string) => QuotableNote | undefined; isNamed: (name: string) => boolean } {
  return {
    noteOf(key) {
      const memory = find(db, { account, namespace, key });
      if (!memory || memory.hidden !== null || memory.class === 'dream') return undefined;
      return { ...memory, time: saidAt({ ...memory, metadata: objectIn(memory.metadata) }) };
    },
    isNamed: (name) => hasNoteNamed(db, { account, namespace }, name),
  };
}

/** The job with one more insight of a strategy. */
function withOne({ state, ...job }: Job, strategy: Strategy): Job {
  const before = state.strategies.find((one) => one.strategy === strategy)?.insights ?? 0;
  const count = before + 1;
  const record = { strategy, state: 'complete', done: count, total: count, insights: count, ms: 0 } as const;
  const others = state.strategies.filter((one) => one.strategy !== strategy);
  return { ...job, state: { ...state, strategies: [...others, record] } };
}

function bytesOf({ title, body, evidence }: Proposal): number {
  const sentences = evidence.map(({ sentence }) => sentence);
  return [title, body, ...sentences].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
