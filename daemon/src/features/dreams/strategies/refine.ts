import { exactGroups, nearDuplicates } from './duplicates.ts';
import { mergeEqual, mergeNear } from './merging.ts';
import { type Moved, movedValues } from './moved.ts';
import { readingOf } from './reading.ts';
import { refineSheets } from './refine-sheets.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = { exact: 40, near: 20, moved: 10 } as const;

/**
 * Merges memories that say the same: exactly, or in nearly the same words with all figures, names and negations equal. Brings an older one up
 * to date where a newer one says in nearly the same words that a value changed.
 */
export const refine: Strategy = {
  name: 'refine',
  sheets: refineSheets,
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
