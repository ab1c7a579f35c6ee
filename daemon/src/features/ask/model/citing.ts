import { titleOf } from '../../../language/title.ts';
import type { Citation } from '@reverie/shared/contract/ask';
import { passageAt, type TextSpan } from '../../../language/passage-at.ts';
import { dateOf, quoteFrom } from '../answer.ts';
import type { MemoryQuote, AnswerSentence } from './composing.ts';
import type { Answering } from '../reading/reranking.ts';
import type { AskState } from '../state.ts';

/** An answer in a model's words, with the memories that its marks name: `[1]` is the first of them. */
export interface Cited {
  readonly answer: string;
  readonly memories: readonly CitedMemory[];
}

/** A memory that is cited; `quote` is the sentence that answers, where that is not its best passage. */
export interface CitedMemory extends Answering {
  readonly quote?: string;
}

/**
 * Joins sentences into an answer, each with the marks of its memories behind it (`[1]` is the memory that is named first), so that no
 * sentence stands without its source.
 */
export function citedAnswer(sentences: readonly AnswerSentence[]): Cited {
  const memories = quotedMemories(sentences.flatMap(({ quotes }) => quotes));
  const places = new Map(memories.map(({ memory }, at) => [memory.id, at + 1]));
  const marked = sentences.map(({ text, quotes }) => {
    const marks = new Set(quotes.map(({ from }) => `[${places.get(from.memory.id)}]`));
    return `${text} ${[...marks].join('')}`;
  });
  return { answer: marked.join(' '), memories };
}

/** Each memory once, with the words of it that a model quotes. */
export function quotedMemories(quotes: readonly MemoryQuote[]): CitedMemory[] {
  const byMemory = Map.groupBy(quotes, ({ from }) => from.memory.id);
  return [...byMemory.values()].flatMap((some) => {
    const words = [...new Set(some.map((one) => one.words))];
    const longer = words.filter((one) => !words.some((other) => other !== one && other.includes(one)));
    return some.slice(0, 1).map(({ from }) => ({ ...from, quote: longer.join(' … ') }));
  });
}

/** Where a memory has what is quoted of it: its own words, or else what the signs chose, such as a row that is quoted with its head. */
function placeOf({ memory, evidence, quote }: CitedMemory): TextSpan | undefined {
  const [words = ''] = (quote ?? '').split(' … ');
  const shape = words
    .split(/\s+/u)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'))
    .join('[\\s>]+');
  const found = words.trim() === '' ? null : new RegExp(shape, 'u').exec(memory.value);
  if (found) return { start: found.index, end: found.index + found[0].length };
  return evidence.quote ?? evidence.passage;
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

/** A memory as a citation of the contract; with `explain` also how it was found, by the first of the states that ranked it. */
export function citationOf(cited: CitedMemory, states: readonly AskState[], explain: boolean): Citation {
  const { memory, score, evidence, boosts, quote } = cited;
  const { key, value, namespace, metadata, created_at, updated_at, id } = memory;
  const finds = (one: AskState) => one.ranked.some((ranked) => ranked.memory.id === id);
  const state = states.find(finds) ?? states[0];
  const place = placeOf(cited);
  const sought = (state?.question.words ?? []).flatMap(({ role, stem }) =>
    role === 'scaffold' ? [] : [[stem]],
  );
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
    ...{ key, title: titleOf(value, metadata), value, score, namespace, metadata, created_at, updated_at },
    quote: quote ?? quoteFrom({ evidence }) ?? quotedBySigns({ memory, evidence }),
    ...(place && { passage: passageAt(value, place, sought) }),
    ...(date !== undefined && { date }),
    ...(explain && { why: { streams, boosts: [...boosts], ...(facts.length > 0 && { facts }) } }),
  };
}
