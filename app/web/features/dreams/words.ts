import type { DreamJob, Insight, Strategy } from '@reverie/shared/contract/dreams';
import type { Tone } from '../../ui/Badge.tsx';

/** What each strategy looks for, for people. */
export const LOOKS_FOR: Readonly<Record<Strategy, string>> = {
  refine: 'duplicates, and values that moved',
  contradict: 'what cannot both be true',
  pattern: 'what keeps coming back',
  connect: 'memories that belong together',
  summarize: 'topics, in sentences of yours',
  synthesize: 'what is known about one thing, in one place',
  reflect: 'a question, or the biggest topics, answered',
  sleep: 'what to keep at hand, what to archive',
  rem: 'distant things that touch',
  forecast: 'what is due next',
};

/** What accepting does, in a sentence; undefined where it only keeps the insight. */
export function changeWords({ change }: Insight): string | undefined {
  switch (change?.kind) {
    case 'merge':
      return `Accepting hides ${listed(change.hide)} behind ${change.keep}. Nothing is deleted; undo brings it back.`;
    case 'archive':
      return `Accepting archives ${listed(change.keys)}: lists and searches leave it out. Undo brings it back.`;
    case 'update':
      return `Accepting changes ${change.key} to the text below. Undo restores what it says now.`;
    case 'link':
      return `Accepting keeps a link between ${change.from} and ${change.to}.`;
    case undefined:
      return undefined;
  }
}

function listed(keys: readonly string[]): string {
  if (keys.length <= 3) return keys.join(', ');
  return `${keys.slice(0, 2).join(', ')} and ${keys.length - 2} others`;
}

/** How a job stands, in a word. */
export function stateOf(job: DreamJob): { tone: Tone; word: string } {
  if (job.status === 'complete') return { tone: 'good', word: 'complete' };
  if (job.status === 'running') return { tone: 'accent', word: 'dreaming' };
  if (job.status === 'queued') return { tone: 'plain', word: 'queued' };
  return job.error?.code === 'cancelled'
    ? { tone: 'plain', word: 'cancelled' }
    : { tone: 'bad', word: 'failed' };
}

/** How far a job is, 0..1: finished strategies, and the share of the one that runs. */
export function progressOf(job: DreamJob): number {
  if (job.strategies.length === 0) return job.status === 'complete' ? 1 : 0;
  const shares = job.strategies.map(({ state, done, total }) =>
    state === 'complete' ? 1 : state === 'running' && total > 0 ? Math.min(1, done / total) : 0,
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
