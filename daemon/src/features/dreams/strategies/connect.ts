import { SURE, type Link, linksOf, valueOf } from './links.ts';
import { type SharedWord, sharedWords } from './shared-words.ts';
import { readingOf } from './reading.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 30;
/** What a link is worth of which only a model says that it is one. */
const TOLD = 0.6;

/** Finds memories that both mention one rare thing (a part number, a library, a name) that no third one does, and are not of one thread. */
export const connect: Strategy = {
  name: 'connect',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const watch = { isStopped: cancelled, step: (done: number) => progress(done, reading.memories.length) };
    const links = linksOf(reading, watch, view);
    progress(1, 1);
    return sure(links).map(proposalOf);
  },
  nominees(view, { cancelled }) {
    const links = linksOf(readingOf(view), { isStopped: cancelled, step: () => undefined }, view);
    const proposed = new Set(sure(links));
    const doubtful = links.filter((link) => !proposed.has(link)).map(proposalOf);
    const known = new Set(links.map(({ a, b }) => `${a.memory.id} ${b.memory.id}`));
    const bare = sharedWords(readingOf(view)).filter(
      ({ a, b }) => !known.has(`${a.memory.id} ${b.memory.id}`),
    );
    return [...doubtful, ...bare.map(bareProposal)];
  },
};

function sure(links: readonly Link[]): Link[] {
  return links.filter(({ strength }) => strength >= SURE).slice(0, MOST);
}

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

function bareProposal({ a, b, written, sentences }: SharedWord): Proposal {
  return {
    strategy: 'connect',
    title: shorten(`${written} stands in "${a.memory.key}" and in "${b.memory.key}"`, 200),
    body: `"${a.memory.key}" (${dayOf(a)}) and "${b.memory.key}" (${dayOf(b)}) both name ${written}, which no other memory does.`,
    evidence: [
      { key: a.memory.key, sentence: sentences[0] },
      { key: b.memory.key, sentence: sentences[1] },
    ],
    confidence: TOLD,
    change: { kind: 'link', from: a.memory.key, to: b.memory.key },
    content: `link ${written.toLowerCase()}`,
  };
}
