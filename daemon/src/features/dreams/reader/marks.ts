import type { Strategy } from '@reverie/shared/contract/dream-strategies';
import { createHash } from 'node:crypto';
import { fingerprintOf } from '../insights/fingerprint.ts';
import type { DreamMemory, Proposal } from '../strategies/strategy.ts';

// What a model has judged is written down as hashes beside the fingerprints of proposals, so that it is not paid for again. Whoever changes what
// models are told of a strategy counts it up: then everything of that is judged anew.
const EDITIONS: Partial<Record<Strategy, number>> = { forecast: 2, contradict: 2 };

type Read = Pick<DreamMemory, 'key' | 'digest' | 'createdAt'>;

/** Of a proposal that a model dropped; another one once a memory that it rests on says something else. */
export function dropMark(model: string, proposal: Proposal, memories: readonly Read[]): string {
  return mark(proposal.strategy, [
    'dropped',
    model,
    fingerprintOf(proposal).toString('hex'),
    ...memories.map(stateOf).sort(),
  ]);
}

/** Of a doubtful proposal to which a model answered nothing of use, for the first time, the second, or the third. */
export function rubbishMark(
  model: string,
  proposal: Proposal,
  { memories, times }: { memories: readonly Read[]; times: number },
): string {
  return mark(proposal.strategy, [
    'rubbish',
    model,
    String(times),
    fingerprintOf(proposal).toString('hex'),
    ...memories.map(stateOf).sort(),
  ]);
}

/** Of a memory that stood on a sheet that a model read, for the first time, or for the second; and so again where it is read anew. */
export function readMark(
  model: string,
  strategy: Strategy,
  { memory, turn, anew }: { memory: Read; turn: number; anew: number },
): string {
  const times = anew === 0 ? String(turn) : `${turn} anew ${anew}`;
  return mark(strategy, ['read', model, strategy, times, stateOf(memory)]);
}

/** Of a memory that stood on a sheet to which a model answered nothing of use, for the first time, the second, or the third. */
export function missMark(
  model: string,
  strategy: Strategy,
  { memory, times }: { memory: Read; times: number },
): string {
  return mark(strategy, ['missed', model, strategy, String(times), stateOf(memory)]);
}

/** Of a proposal that was made: its fingerprint. */
export function proposalMark(proposal: Proposal): string {
  return fingerprintOf(proposal).toString('hex');
}

/** Deleted and written again is another memory: what rested on the first one went with it. */
function stateOf({ key, digest, createdAt }: Read): string {
  return JSON.stringify([key, digest, createdAt]);
}

function mark(strategy: Strategy, parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([EDITIONS[strategy] ?? 1, ...parts]))
    .digest('hex');
}
