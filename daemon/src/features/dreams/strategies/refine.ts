import { exactGroups, nearDuplicates } from './duplicates.ts';
import { plainText } from './near-text.ts';
import { readingOf, type ReadMemory } from './reading.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, firstSentence } from './telling.ts';

const MOST = { exact: 40, near: 20 } as const;

/** Merges memories that say the same: exactly, or in nearly the same words with all figures, names and negations equal. */
export const refine: Strategy = {
  name: 'refine',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const total = reading.memories.length;
    const exact = exactGroups(reading);
    const taken = new Set(exact.flatMap((group) => group.map(({ memory }) => memory.id)));
    const proposals = exact.map(mergeEqual);
    const near: Proposal[] = [];
    for (const { one, other, alike } of nearDuplicates(reading, view, {
      isStopped: cancelled,
      step: (done) => progress(done, total),
    })) {
      // One of three that say the same has its proposal; the next dream sees the third.
      if (taken.has(one.memory.id) || taken.has(other.memory.id)) continue;
      taken.add(one.memory.id).add(other.memory.id);
      near.push(mergeNear([one, other], alike));
    }
    progress(total, total);
    return [...proposals.slice(0, MOST.exact), ...near.slice(0, MOST.near)];
  },
};

/** The oldest stays: other memories and people may refer to it. */
function mergeEqual(group: readonly ReadMemory[]): Proposal {
  const sorted = [...group].sort(
    (a, b) => a.memory.createdAt - b.memory.createdAt || a.memory.id - b.memory.id,
  );
  const [keep, ...others] = sorted;
  if (!keep) throw new RangeError('a group of duplicates has members');
  const hide = others.map(({ memory }) => memory.key);
  const keeps = `Keep "${keep.memory.key}", the oldest (${dayOf(keep)}), and hide ${hide.length === 1 ? 'the other' : 'the others'} behind it.`;
  return {
    strategy: 'refine',
    title: `${group.length === 2 ? 'Two' : group.length} memories say exactly the same: "${keep.memory.key}"`,
    body: `${sorted.map((one) => `"${one.memory.key}" (${dayOf(one)})`).join(', ')} have the same text, but for case and punctuation. ${keeps}`,
    evidence: sorted.map((one) => ({ key: one.memory.key, sentence: firstSentence(one) })),
    confidence: 0.99,
    change: { kind: 'merge', keep: keep.memory.key, hide },
    content: `same ${plainText(keep.memory.value).slice(0, 200)}`,
  };
}

/** Of two wordings the one that says more stays, the older where they say as much. */
function mergeNear(pair: readonly [ReadMemory, ReadMemory], alike: number): Proposal {
  const [older, newer] = [...pair].sort(
    (a, b) => a.memory.createdAt - b.memory.createdAt || a.memory.id - b.memory.id,
  ) as [ReadMemory, ReadMemory];
  const keepsNewer = newer.memory.value.length > older.memory.value.length * 1.3;
  const [keep, hide] = keepsNewer ? [newer, older] : [older, newer];
  return {
    strategy: 'refine',
    title: `Said twice: "${older.memory.key}" and "${newer.memory.key}"`,
    body: `Both say the same in ${alike > 0.9 ? 'nearly the same' : 'different'} words, with the same numbers, names and dates. Keep "${keep.memory.key}" (${dayOf(keep)}), ${keepsNewer ? 'which says more' : 'the older'}, and hide "${hide.memory.key}" (${dayOf(hide)}) behind it.`,
    evidence: [older, newer].map((one) => ({ key: one.memory.key, sentence: firstSentence(one) })),
    confidence: Number((0.6 + 0.35 * alike).toFixed(2)),
    change: { kind: 'merge', keep: keep.memory.key, hide: [hide.memory.key] },
    content: 'near duplicate',
  };
}
