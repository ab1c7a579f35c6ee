import type { DreamMemory, Proposal, Strategy } from './strategy.ts';

/** Merges memories that say exactly the same, white space and case aside. */
export const refine: Strategy = {
  name: 'refine',
  run(view, { progress }) {
    const memories = view.memories();
    const same = Map.groupBy(memories, ({ digest }) => digest);
    progress(memories.length, memories.length);
    return [...same.values()].filter((group) => group.length > 1).map(merge);
  },
};

/** The oldest stays: other memories and people may refer to it. */
function merge(group: readonly DreamMemory[]): Proposal {
  const [keep, ...others] = [...group].sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  if (!keep) throw new RangeError('a group of duplicates has members');
  const hide = others.map(({ key }) => key);
  return {
    strategy: 'refine',
    title: `${group.length} memories say the same as ${keep.key}`,
    body: `${[keep.key, ...hide].join(', ')} say exactly the same. ${keep.key} is the oldest: keep it, and hide the others behind it.`,
    evidence: [keep, ...others].map(({ key, value }) => ({ key, sentence: firstLine(value) })),
    confidence: 0.99,
    change: { kind: 'merge', keep: keep.key, hide },
    content: keep.digest,
  };
}

function firstLine(value: string): string {
  return (value.trimStart().split('\n', 1)[0] ?? '').slice(0, 600).trimEnd();
}
