import { createHash } from 'node:crypto';
import type { Proposal } from '../strategies/strategy.ts';

/** What makes two proposals the same: the strategy, the memories that it rests on, and what it says, spelled alike. */
export function fingerprintOf({
  strategy,
  evidence,
  content,
}: Pick<Proposal, 'strategy' | 'evidence' | 'content'>): Buffer {
  const keys = [...new Set(evidence.map(({ key }) => key))].sort();
  const said = content.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  return hash(JSON.stringify([strategy, keys, said]));
}

/** Tells two values of a memory from each other. */
export function valueDigest(value: string): Buffer {
  return hash(value).subarray(0, 16);
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
