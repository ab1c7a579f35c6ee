import type { EvaluatedCase, Recall, RecallWay } from '@reverie/shared/contract/agents/recalls';
import { countOf } from '../../platform/format.ts';

const WAYS: Readonly<Record<RecallWay, string>> = {
  search: 'searched',
  ask: 'asked',
  get: 'read a memory',
  start: 'began a session',
  compact: 'went on after summing up its talk',
  prompt: 'was shown what fits a task',
};

/** What an agent did, as a sentence begins: `codex searched`. */
export function doneBy({ agent, way }: Pick<Recall, 'agent' | 'way'>): string {
  return `${agent} ${WAYS[way]}`;
}

/** How many memories of a recall have been deleted or moved to the trash since, in words; empty where none has. */
export function goneSince({ shown, memories }: Pick<Recall, 'shown' | 'memories'>): string {
  const gone = shown - memories.length;
  return gone > 0 ? `${countOf(gone, 'memory is', 'memories are')} deleted since, or in the trash` : '';
}

/** Where a judged memory stands now, and stood before. */
export function rankWords({ verdict, now, before }: EvaluatedCase): string {
  const place = (rank: number | null) => (rank === null ? 'not found' : `at place ${rank}`);
  const was = before ? `, before ${place(before.rank)}` : '';
  return `${verdict === 'helped' ? 'it helped' : 'it misled'}; now ${place(now.rank)}${was}`;
}
