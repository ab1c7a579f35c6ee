import type { Citation } from '@reverie/shared/contract/ask';
import { sentencesOf } from '../../../language/sentences.ts';
import { dateOf, quoteFrom } from '../answer.ts';
import type { Sentence } from './composing.ts';
import { wordsOf } from '../question/content-words.ts';
import type { Answering } from '../reading/reranking.ts';
import type { AskState } from '../state.ts';

/** An answer in a model's words, with the memories that its marks name: `[1]` is the first of them. */
export interface Cited {
  readonly answer: string;
  readonly memories: readonly CitedMemory[];
}

/** A memory with the sentence that answers, where another one does than the signs chose. */
export interface CitedMemory extends Answering {
  readonly quote?: string;
}

/** Puts marks behind sentences, in the order in which their memories are named. All are cited: no sentence stands without its source. */
export function citedAnswer(sentences: readonly Sentence[]): Cited {
  const all = new Map(sentences.flatMap(({ from }) => from.map((one) => [one.memory.id, one] as const)));
  const memories = [...all.values()];
  const places = new Map(memories.map(({ memory }, at) => [memory.id, at + 1]));
  const marked = sentences.map(
    ({ text, from }) => `${text} ${from.map(({ memory }) => `[${places.get(memory.id)}]`).join('')}`,
  );
  const saidFrom = ({ memory }: Answering) =>
    sentences.filter(({ from }) => from.some((one) => one.memory.id === memory.id)).map(({ text }) => text);
  return {
    answer: marked.join(' '),
    memories: memories.map((one) => ({ ...one, quote: quoteOf(one, saidFrom(one).join('\n')) })),
  };
}

/** Characters of a memory in which the quote of a model's sentence is looked for. */
const MOST_READ = 12_000;

/** The sentence of a memory that has most of the words of what a model says from it; of equal ones that of the signs. */
function quoteOf({ memory, evidence }: Answering, said: string): string {
  const stems = new Set(wordsOf(said).map(({ stem }) => stem));
  const shared = (text: string) => wordsOf(text).filter(({ stem }) => stems.has(stem)).length;
  const texts = sentencesOf(memory.value.slice(0, MOST_READ))
    .map(({ text }) => text)
    .filter((text) => text.isWellFormed());
  return texts.reduce(
    (best, text) => (shared(text) > shared(best) ? text : best),
    quotedBySigns({ memory, evidence }),
  );
}

function quotedBySigns({ memory, evidence }: Pick<Answering, 'memory' | 'evidence'>): string {
  return (
    evidence.passage?.text ??
    memory.value
      .slice(0, 600)
      .replace(/[\ud800-\udbff]$/u, '')
      .toWellFormed()
  );
}

/** A memory as it is cited; with `explain` by what the states say that found it. */
export function citationOf(
  { memory, score, evidence, boosts, quote }: CitedMemory,
  states: readonly AskState[],
  explain: boolean,
): Citation {
  const { key, value, namespace, metadata, created_at, updated_at, id } = memory;
  const finds = (one: AskState) => one.ranked.some((ranked) => ranked.memory.id === id);
  const state = states.find(finds) ?? states[0];
  const date = state && dateOf(memory, state.question);
  const streams = (state?.found ?? []).flatMap(({ name, hits }) => {
    const at = hits.findIndex((hit) => hit.id === id);
    return at < 0 ? [] : [{ name, rank: at + 1 }];
  });
  const facts = (state?.facts ?? [])
    .filter(({ memoryId }) => memoryId === id)
    .map(({ subject, predicate, object, valid_from, superseded }) => ({
      subject,
      predicate,
      object,
      superseded,
      ...(valid_from !== undefined && { valid_from }),
    }));
  return {
    ...{ key, value, score, namespace, metadata, created_at, updated_at },
    quote: quote ?? quoteFrom({ evidence }) ?? quotedBySigns({ memory, evidence }),
    ...(date !== undefined && { date }),
    ...(explain && { why: { streams, boosts: [...boosts], ...(facts.length > 0 && { facts }) } }),
  };
}
