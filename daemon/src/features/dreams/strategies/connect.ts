import { type Link, linksOf, valueOf } from './links.ts';
import { readingOf } from './reading.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 30;

/** Finds memories that both mention one rare thing (a part number, a library, a name) that no third one does, and are not of one thread. */
export const connect: Strategy = {
  name: 'connect',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const watch = { isStopped: cancelled, step: (done: number) => progress(done, reading.memories.length) };
    const links = linksOf(reading, watch, view);
    progress(1, 1);
    return links.slice(0, MOST).map(proposalOf);
  },
};

function proposalOf({ a, b, shared, strength }: Link): Proposal {
  const [[one, other] = []] = [...shared].sort((x, y) => valueOf(y) - valueOf(x));
  if (!one || !other) throw new RangeError('a link has something that both mention');
  const names = [...new Set(shared.map(([mention]) => mention.text))].slice(0, 3).join(', ');
  return {
    strategy: 'connect',
    title: shorten(`${one.text} stands in "${a.memory.key}" and in "${b.memory.key}"`, 200),
    body: `"${a.memory.key}" (${dayOf(a)}) and "${b.memory.key}" (${dayOf(b)}) both name ${names}, which no other memory does.`,
    evidence: [
      { key: a.memory.key, sentence: one.sentence.text },
      { key: b.memory.key, sentence: other.sentence.text },
    ],
    confidence: Number(Math.min(0.9, strength).toFixed(2)),
    change: { kind: 'link', from: a.memory.key, to: b.memory.key },
    content: `link ${one.id}`,
  };
}
