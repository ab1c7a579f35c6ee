import type { Citation } from '@reverie/shared/contract/search/ask';
import { isoDay } from '../../../language/notes/noted-day.ts';
import { passageAt, type TextSpan } from '../../../language/passage-at.ts';
import { titleOf } from '../../../language/notes/title.ts';
import type { Candidate, Look } from '../look.ts';
import { timeOf } from '../notes.ts';
import type { AnswerSentence, ModelQuote } from './composing.ts';

/** A memory that is cited; `quote` is what was quoted of it, where that is not what fits best. */
export interface CitedMemory extends Candidate {
  readonly quote?: string;
}

/**
 * Joins sentences into an answer, each with the marks of its memories behind it (`[1]` is the memory that is named first), so that no
 * sentence stands without its source.
 */
export function citedAnswer(sentences: readonly AnswerSentence[]): {
  answer: string;
  memories: readonly CitedMemory[];
} {
  const memories = quotedMemories(sentences.flatMap(({ quotes }) => quotes));
  const places = new Map(memories.map(({ memory }, at) => [memory.id, at + 1]));
  const marked = sentences.map(({ text, quotes }) => {
    const marks = new Set(quotes.map(({ from }) => `[${places.get(from.memory.id)}]`));
    return `${text} ${[...marks].join('')}`;
  });
  return { answer: marked.join(' '), memories };
}

/** Each memory once, with the words of it that a model quotes. */
export function quotedMemories(quotes: readonly ModelQuote[]): CitedMemory[] {
  const byMemory = Map.groupBy(quotes, ({ from }) => from.memory.id);
  return [...byMemory.values()].flatMap((some) => {
    const words = [...new Set(some.map((one) => one.words))];
    const longer = words.filter((one) => !words.some((other) => other !== one && other.includes(one)));
    return some.slice(0, 1).map(({ from }) => ({ ...from, quote: longer.join(' … ') }));
  });
}

/** Where a memory has some words; undefined where they stand in its label. */
function placeOf({ memory }: CitedMemory, words: string): TextSpan | undefined {
  if (words.trim() === '') return undefined;
  const shape = words
    .split(/\s+/u)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'))
    .join('[\\s>]+');
  const found = new RegExp(shape, 'u').exec(memory.value);
  return found ? { start: found.index, end: found.index + found[0].length } : undefined;
}

/** Characters of a memory that are quoted where nothing of it is closest. */
const BEGINNING = 600;

/** A memory as a citation of the contract; with `explain` also how it was found, by the first of the looks that found it. */
export function citationOf(cited: CitedMemory, looks: readonly Look[], explain: boolean): Citation {
  const { memory, score, read, boosts, quote } = cited;
  const { key, value, namespace, metadata, created_at, updated_at, noted, id } = memory;
  const look = looks.find(({ ranked }) => ranked.some((one) => one.memory.id === id));
  // What a model had looked for is no wording of who asks.
  const wording = looks[0]?.ranked.find((one) => one.memory.id === id)?.wording;
  const quoted = (quote ?? '').split(' … ').filter((words) => placeOf(cited, words) !== undefined);
  const place = placeOf(cited, quoted[0] ?? '');
  const date = timeOf(memory);
  const streams = (look?.found ?? []).flatMap(({ name, hits }) => {
    const at = hits.findIndex((hit) => hit.id === id);
    return at < 0 ? [] : [{ name, rank: at + 1 }];
  });
  const facts = (look?.facts ?? []).flatMap(({ memoryId, ...fact }) => (memoryId === id ? [fact] : []));
  const passage = place ? passageAt(value, place, []) : read?.passage;
  return {
    key,
    title: titleOf(value, metadata),
    value,
    score,
    namespace,
    metadata,
    created_at,
    updated_at,
    ...(noted && { noted_at: isoDay(noted.on) }),
    quote: (quoted.join(' … ') || read?.quote) ?? value.slice(0, BEGINNING).toWellFormed(),
    ...(passage && { passage }),
    ...(date !== undefined && { date }),
    ...(wording !== undefined && { wording }),
    ...(explain && { why: { streams, boosts: [...boosts], ...(facts.length > 0 && { facts }) } }),
  };
}
