import { createHash } from 'node:crypto';
import type { Proposal } from '../proposal.ts';

type Fingerprinted = Pick<Proposal, 'strategy' | 'evidence' | 'content'>;

/**
 * Makes one of what two proposals have in common that are the same in other words: the strategy and the memories that they rest on; of what
 * comes up also its day (milliseconds since 1970), of an answer its question.
 */
export function fingerprintOf(proposal: Fingerprinted, dueOn: number | null): Buffer {
  const { strategy, evidence } = proposal;
  const question = strategy === 'reflect' ? [saidIn(proposal)] : [];
  return hash(JSON.stringify([strategy, keysOf(evidence).sort(), dueOn, ...question]));
}

/**
 * Makes the fingerprint that homes of before have, with the words of the proposal in it. It alone knows a refusal whose insight went with a
 * source of it; whatever still has its row is compared by its memories.
 */
export function formerFingerprintOf(proposal: Fingerprinted): Buffer {
  return hash(JSON.stringify([proposal.strategy, keysOf(proposal.evidence).sort(), saidIn(proposal)]));
}

/** The keys of evidence, each once, as they come first. */
export function keysOf(evidence: readonly { readonly key: string }[]): string[] {
  return [...new Set(evidence.map(({ key }) => key))];
}

function saidIn({ content }: Fingerprinted): string {
  return content.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

/** Tells two values of a memory from each other. */
export function valueDigest(value: string): Buffer {
  return hash(value).subarray(0, 16);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
