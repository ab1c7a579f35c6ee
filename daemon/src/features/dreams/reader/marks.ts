import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import { createHash } from 'node:crypto';
import { fingerprintOf } from '../insights/fingerprint.ts';
import type { DreamMemory, Proposal } from '../strategies/strategy.ts';

// What a model has judged is written down as hashes beside the fingerprints of proposals, so that it is not paid for again. Whoever changes what
// models are told of a strategy counts it up: then everything of that is judged anew.
const EDITIONS: Partial<Record<Strategy, number>> = { forecast: 2, contradict: 2 };

type Read = Pick<DreamMemory, 'key' | 'digest' | 'createdAt'>;

interface Judged {
  readonly proposal: Proposal;
  /** That it rests on: once one of them says something else, it is another mark. */
  readonly memories: readonly Read[];
}

/** The mark of a proposal that a model dropped. */
export function dropMark(model: string, { proposal, memories }: Judged): string {
  return mark(proposal.strategy, ['dropped', model, proposalMark(proposal), ...statesOf(memories)]);
}

/** The mark of a doubtful proposal to which a model answered nothing of use, for the first time, the second, or the third. */
export function rubbishMark(
  model: string,
  { proposal, memories, times }: Judged & { times: number },
): string {
  return mark(proposal.strategy, [
    ...['rubbish', model, String(times), proposalMark(proposal)],
    ...statesOf(memories),
  ]);
}

interface OnSheet {
  readonly memory: Read;
  /** For the first time, or the second; and so again where it is read anew. */
  readonly times: number;
  readonly anew?: number;
}

/** The mark of a memory on a sheet that a model read (`read`), or to which it answered nothing of use (`missed`). */
export function sheetMark(
  what: 'read' | 'missed',
  { model, strategy }: { model: string; strategy: Strategy },
  { memory, times, anew = 0 }: OnSheet,
): string {
  const turn = anew === 0 ? String(times) : `${times} anew ${anew}`;
  return mark(strategy, [what, model, strategy, turn, ...statesOf([memory])]);
}

/** How many times in a row, counted from 1, `isKnown` is true; at most `most`. */
export function timesOf(most: number, isKnown: (times: number) => boolean): number {
  let times = 0;
  while (times < most && isKnown(times + 1)) times += 1;
  return times;
}

/** The mark of a proposal that was made: its fingerprint. */
export function proposalMark(proposal: Proposal): string {
  return fingerprintOf(proposal).toString('hex');
}

/** Deleted and written again is another memory: what rested on the first one went with it. */
function statesOf(memories: readonly Read[]): string[] {
  return memories.map(({ key, digest, createdAt }) => JSON.stringify([key, digest, createdAt])).sort();
}

function mark(strategy: Strategy, parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([EDITIONS[strategy] ?? 1, ...parts]))
    .digest('hex');
}
