import { readNamespace, type ReadMemory } from '../notes/reading.ts';
import type { Proposal, Strategy } from '../strategies/strategy.ts';
import { dayOf, shorten } from '../notes/day-and-quote.ts';
import { type MentionLink, linksOf } from './links.ts';

const MOST = 3;
const CONFIDENCE = 0.5;

/** One step of a chain: from the middle to an end, and what both name. */
interface Step {
  readonly end: ReadMemory;
  readonly link: MentionLink;
}

/** Associations that nobody asked for: two memories that have nothing in common but a third one, which each is linked to by another name. */
export const rem: Strategy = {
  name: 'rem',
  run(view, { progress, cancelled }) {
    const reading = readNamespace(view);
    const links = linksOf(reading, {
      isStopped: cancelled,
      step: (done) => progress(done, reading.memories.length),
    });
    const steps = new Map<ReadMemory, Step[]>();
    for (const link of links.filter(({ isSure }) => isSure))
      for (const [middle, end] of [
        [link.a, link.b],
        [link.b, link.a],
      ] as const)
        steps.set(middle, [...(steps.get(middle) ?? []), { end, link }]);
    progress(1, 1);
    const known = new Set(links.map(({ a, b }) => pairOf(a, b)));
    const used = new Set<ReadMemory>();
    return [...steps]
      .sort(([a], [b]) => (a.memory.key < b.memory.key ? -1 : 1))
      .flatMap(([middle, [one, other]]): Proposal[] => {
        if (!one || !other || known.has(pairOf(one.end, other.end))) return [];
        const all = [one.end, middle, other.end];
        if (all.some((memory) => used.has(memory))) return [];
        for (const memory of all) used.add(memory);
        return [proposalOf(middle, one, other)];
      })
      .slice(0, MOST);
  },
};

function pairOf(a: ReadMemory, b: ReadMemory): string {
  return [a.memory.key, b.memory.key].sort().join('\n');
}

function proposalOf(middle: ReadMemory, one: Step, other: Step): Proposal {
  const [a, b] = [mentionsOf(one, middle), mentionsOf(other, middle)];
  const [from, to] = [one.end.memory.key, other.end.memory.key];
  return {
    strategy: 'rem',
    title: shorten(
      `From ${a.name} to ${b.name}: "${from}" and "${to}" have "${middle.memory.key}" in common`,
      200,
    ),
    body: `"${from}" (${dayOf(one.end)}) and "${middle.memory.key}" (${dayOf(middle)}) name ${a.name}; "${middle.memory.key}" and "${to}" (${dayOf(other.end)}) name ${b.name}. The two ends have nothing else in common.`,
    evidence: [
      { key: from, sentence: a.end },
      { key: middle.memory.key, sentence: a.middle },
      { key: to, sentence: b.end },
    ],
    confidence: CONFIDENCE,
    change: { kind: 'link', from, to },
    content: `by way of ${[a.id, b.id].sort().join(' and ')}`,
  };
}

/** What a step goes by, and the sentences that name it. */
function mentionsOf({ link: { a, shared } }: Step, middle: ReadMemory) {
  const [[first, second] = []] = shared;
  if (!first || !second) throw new RangeError('a link has something that both mention');
  const [inMiddle, atEnd] = a === middle ? [first, second] : [second, first];
  return { id: first.id, name: first.text, middle: inMiddle.sentence.text, end: atEnd.sentence.text };
}
