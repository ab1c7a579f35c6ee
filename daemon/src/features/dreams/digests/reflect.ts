import { readNamespace, type ReadMemory, type ReadNamespace } from '../notes/reading.ts';
import type { CitedAnswer, Proposal, Strategy } from '../strategies/strategy.ts';
import { firstSentence, shorten } from '../notes/day-and-quote.ts';

/** Answers the job's question from the namespace with citations; without a question it has nothing to say. */
export const reflect: Strategy = {
  name: 'reflect',
  async run(view, { task, ask }) {
    if (task === undefined || !ask) return [];
    const answer = answerOf(task, await ask(task), readNamespace(view));
    return answer ? [answer] : [];
  },
};

/** Only what stands in the namespace counts; an answer that cites nothing of it is none. */
function answerOf(
  task: string,
  { answer, found, citations }: CitedAnswer,
  reading: ReadNamespace,
): Proposal | undefined {
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
function unanswered(task: string, cited: readonly ReadMemory[], reading: ReadNamespace): string[] {
  const words = [...new Set(task.match(/(?<=[^.!?]\s)\p{Lu}[\p{L}\p{N}-]{2,}/gu) ?? [])];
  return words.filter((word) => {
    const lower = word.toLowerCase();
    const isThere = ({ memory }: ReadMemory) =>
      `${memory.key}\n${memory.value}`.toLowerCase().includes(lower);
    return !cited.some(isThere) && reading.frequency(lower) === 0;
  });
}
