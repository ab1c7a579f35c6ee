import { exactGroups, nearDuplicates } from './duplicates.ts';
import { type Moved, movedValues } from './moved.ts';
import { plainText } from './near-text.ts';
import { readingOf, type ReadMemory } from './reading.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, firstSentence, shorten } from './telling.ts';

const MOST = { exact: 40, near: 20, moved: 10 } as const;

/**
 * Merges memories that say the same: exactly, or in nearly the same words with all figures, names and negations equal. Brings an older one up
 * to date where a newer one says in nearly the same words that a value changed.
 */
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
    const moved: Proposal[] = [];
    for (const one of movedValues(reading, cancelled)) {
      const ids = [one.older.of.memory.id, one.newer.of.memory.id];
      if (ids.some((id) => taken.has(id))) continue;
      for (const id of ids) taken.add(id);
      moved.push(updateMoved(one));
    }
    progress(total, total);
    return [...proposals.slice(0, MOST.exact), ...near.slice(0, MOST.near), ...moved.slice(0, MOST.moved)];
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

/** The older memory with the new value in the place of the old one; the newer one stays as it is. */
function updateMoved({ older, newer, from, to, alike }: Moved): Proposal {
  const [was, is] = [older.of, newer.of];
  const at = older.text.indexOf(from);
  const written = /^\p{Lu}/u.test(from) ? to.charAt(0).toUpperCase() + to.slice(1) : to;
  const sentence = older.text.slice(0, at) + written + older.text.slice(at + from.length);
  return {
    strategy: 'refine',
    title: shorten(`"${was.memory.key}" says ${from}; since ${dayOf(is)} it is ${to}`, 200),
    body: `"${was.memory.key}" (${dayOf(was)}) says ${from}, "${is.memory.key}" (${dayOf(is)}) that it changed: ${to}. Put ${written} in its place; "${is.memory.key}" stays as it is.`,
    evidence: [older, newer].map((one) => ({ key: one.of.memory.key, sentence: one.text })),
    confidence: Number((0.55 + 0.3 * Math.min(1, alike)).toFixed(2)),
    change: {
      kind: 'update',
      key: was.memory.key,
      value: was.memory.value.replace(older.text, () => sentence),
    },
    content: `moved from ${from.toLowerCase()} to ${to.toLowerCase()}`,
  };
}
