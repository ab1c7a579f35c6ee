import { centralSentences, clustersOf, spelled } from './clusters.ts';
import { readingOf, type ReadMemory, type Reading } from './reading.ts';
import type { Asked, Proposal, Strategy } from './strategy.ts';
import { dayOf, firstSentence, longDate, shorten } from './telling.ts';

const MOST = 3;
const LEAST = 4;

/** Answers the job's question from the namespace with citations; without one, says what the biggest topics know, and what they do not. */
export const reflect: Strategy = {
  name: 'reflect',
  async run(view, { task, ask, progress, cancelled }) {
    const reading = readingOf(view);
    if (task !== undefined)
      return ask ? [answerOf(task, await ask(task), reading)].filter((one) => one !== undefined) : [];
    const clusters = clustersOf(reading, view, { least: LEAST, isStopped: cancelled });
    progress(1, 1);
    return clusters
      .slice(0, MOST)
      .map(({ terms, members }) => topicOf(terms, members, { reading, now: view.now }));
  },
};

/** Only what stands in the namespace counts; an answer that cites nothing of it is none. */
function answerOf(task: string, { answer, found, citations }: Asked, reading: Reading): Proposal | undefined {
  const byKey = new Map(reading.memories.map((one) => [one.memory.key, one]));
  const cited = [...new Set(citations.flatMap(({ key }) => byKey.get(key) ?? []))];
  if (!found || cited.length === 0) return undefined;
  const missing = unanswered(task, cited, reading);
  return {
    strategy: 'reflect',
    title: shorten(task, 200),
    body: `${answer}${missing.length > 0 ? `\n\nNothing was found on: ${missing.join(', ')}.` : ''}`,
    evidence: cited.map((one) => ({ key: one.memory.key, sentence: quoted(one, answer) })),
    confidence: 0.7,
    content: `answer ${task.trim().toLowerCase().replaceAll(/\s+/gu, ' ')}`,
  };
}

/** The sentence of a memory that an answer quotes, else its first. */
function quoted(one: ReadMemory, answer: string): string {
  return one.sentences.find(({ text }) => answer.includes(text))?.text ?? firstSentence(one);
}

/** Names and identifiers of a question that no cited memory speaks of. */
function unanswered(task: string, cited: readonly ReadMemory[], reading: Reading): string[] {
  const words = [...new Set(task.match(/(?<=[^.!?]\s)\p{Lu}[\p{L}\p{N}-]{2,}/gu) ?? [])];
  return words.filter((word) => {
    const lower = word.toLowerCase();
    return (
      !cited.some(
        ({ memory }) =>
          memory.value.toLowerCase().includes(lower) || memory.key.toLowerCase().includes(lower),
      ) && reading.frequency(lower) === 0
    );
  });
}

function topicOf(
  terms: readonly string[],
  members: readonly ReadMemory[],
  { reading, now }: { reading: Reading; now: number },
): Proposal {
  const about = terms
    .slice(0, 2)
    .map((term) => spelled(term, members))
    .join(', ');
  const sentences = centralSentences(members, reading, 3);
  const questions = members
    .flatMap((of) => of.sentences.filter(({ text }) => text.endsWith('?')).slice(0, 1))
    .slice(0, 2);
  const last = members.at(-1);
  const days = last ? Math.round((now - last.memory.time) / 86_400_000) : 0;
  const missing = [
    ...questions.map(({ text }) => `It is asked, and not answered beside it: ${text}`),
    ...(days > 60 && last
      ? [`Nothing new since ${dayOf(last)}; as of ${longDate(now)} that is ${days} days.`]
      : []),
  ];
  const evidence = [...sentences, ...questions.filter((one) => !sentences.some(({ of }) => of === one.of))];
  return {
    strategy: 'reflect',
    title: shorten(`What is known about ${about}, and what is not`, 200),
    body: [...sentences.map(({ text, of }) => `- ${text} ("${of.memory.key}")`), ...missing].join('\n'),
    evidence: evidence.map(({ text, of }) => ({ key: of.memory.key, sentence: text })),
    confidence: 0.5,
    content: `topic ${[...terms].sort().join(' ')}`,
  };
}
