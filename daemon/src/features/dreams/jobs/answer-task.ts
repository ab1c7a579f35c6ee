import type { Log } from '../../../platform/log.ts';
import type { CitedAnswer, Proposal } from '../proposal.ts';
import type { Job } from './jobs.store.ts';
import type { Minds } from './run-deps.ts';

/** Answers the question of a dream from its namespace, with the sentences that it rests on; or says why there is nothing to propose. */
export async function answerTask(
  { minds: { ask }, log }: { minds: Pick<Minds, 'ask'>; log: Pick<Log, 'warn'> },
  { id, account, namespace, clock, task }: Pick<Job, 'id' | 'account' | 'namespace' | 'clock' | 'task'>,
): Promise<{ proposal: Proposal } | { note: string }> {
  if (task === null) return { note: 'it answers the question of a dream, and this one has none' };
  if (!ask) return { note: 'asking is not built in' };
  try {
    const now = clock === null ? {} : { now: new Date(clock).toISOString() };
    return proposalOf(task, await ask(account, { question: task, namespace, ...now }));
  } catch (err) {
    log.warn({ err, job: id }, 'a dream could not ask');
    return { note: 'asking failed; the log says why' };
  }
}

/** Only what stands in the namespace counts; an answer that cites nothing of it is none. */
function proposalOf(
  task: string,
  { answer, found, citations }: CitedAnswer,
): { proposal: Proposal } | { note: string } {
  const quoted = new Map(citations.map(({ key, quote }) => [key, quote]));
  if (!found || quoted.size === 0) return { note: 'the notes do not answer the question' };
  return {
    proposal: {
      strategy: 'reflect',
      title: task,
      body: answer,
      evidence: Array.from(quoted, ([key, sentence]) => ({ key, sentence })),
      confidence: 0.7,
      content: `answer ${task.trim().toLowerCase().replaceAll(/\s+/gu, ' ')}`,
    },
  };
}
