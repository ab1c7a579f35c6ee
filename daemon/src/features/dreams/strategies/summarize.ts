import { centralSentences, type Cluster, clustersOf, spelled } from './clusters.ts';
import { readingOf, type Reading } from './reading.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 8;
const LEAST = 4;
const SENTENCES = 5;

/** Sums up the largest topics in sentences of their own memories, word for word, each with its source. */
export const summarize: Strategy = {
  name: 'summarize',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const clusters = clustersOf(reading, view, { least: LEAST, isStopped: cancelled });
    progress(1, 1);
    return clusters.slice(0, MOST).flatMap((cluster) => summaryOf(cluster, reading) ?? []);
  },
};

function summaryOf({ terms, members }: Cluster, reading: Reading): Proposal | undefined {
  const sentences = centralSentences(members, reading, SENTENCES);
  if (sentences.length < 3) return undefined;
  // Two letters are mostly grammar of some language, and say nothing in a title.
  const telling = terms.filter((term) => term.length > 2);
  const about = (telling.length > 0 ? telling : terms).slice(0, 2).map((term) => spelled(term, members));
  const [first, last] = [members[0], members.at(-1)];
  return {
    strategy: 'summarize',
    title: shorten(
      `${members.length} memories about ${about.join(', ')}, in ${sentences.length} sentences`,
      200,
    ),
    body: [
      `From ${first ? dayOf(first) : ''} to ${last ? dayOf(last) : ''}, in their own words:`,
      ...sentences.map(({ text, of }) => `- ${text} ("${of.memory.key}", ${dayOf(of)})`),
    ].join('\n'),
    evidence: sentences.map(({ text, of }) => ({ key: of.memory.key, sentence: text })),
    confidence: Number(Math.min(0.8, 0.5 + members.length * 0.025).toFixed(2)),
    content: `summary ${[...terms].sort().join(' ')}`,
  };
}
