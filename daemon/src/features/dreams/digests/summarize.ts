import { readNamespace, type ReadNamespace } from '../notes/reading.ts';
import type { Proposal, Strategy } from '../strategies/strategy.ts';
import { dayOf, shorten } from '../notes/day-and-quote.ts';
import { type NamedThing, namedThings } from './named-things.ts';
import { centralSentences } from './whole-sentences.ts';

const MOST = 8;
const SENTENCES = 5;
const LEAST = 3;

/** Sums up what stands under a tag, a project or a heading, in sentences of its own notes, word for word, each with its source. */
export const summarize: Strategy = {
  name: 'summarize',
  run(view, { leaves, progress }) {
    const reading = readNamespace(view);
    const summaries = namedThings(reading).flatMap((thing) => summaryOf(thing, reading) ?? []);
    progress(1, 1);
    leaves?.('Topics without a name are left out; a language model would find them.');
    return summaries.slice(0, MOST);
  },
};

function summaryOf({ name, members }: NamedThing, reading: ReadNamespace): Proposal | undefined {
  const sentences = centralSentences(members, reading, SENTENCES);
  if (sentences.length < LEAST) return undefined;
  return {
    strategy: 'summarize',
    title: shorten(`${name}: ${members.length} notes in ${sentences.length} sentences`, 200),
    body: [
      'In their own words:',
      ...sentences.map(({ text, of }) => `- ${text} ("${of.memory.key}", ${dayOf(of)})`),
    ].join('\n'),
    evidence: sentences.map(({ text, of }) => ({ key: of.memory.key, sentence: text })),
    confidence: Number(Math.min(0.8, 0.5 + members.length * 0.025).toFixed(2)),
    content: `summary ${name.toLowerCase()}`,
  };
}
