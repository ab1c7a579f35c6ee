import type { Passage } from '@reverie/shared/contract/search/passage';
import type { TagWords } from '../../../language/words/parts-of-speech.ts';
import { type LanguageModel, ModelFailure, type Prompt } from '../../../models/language-model.ts';
import { type Candidate, type Look, quotedFrom } from '../look.ts';
import type { AskMemories, AskMemory, AskScope, AskSearch, ReadText } from '../ports.ts';

/** Every word without a capital is a noun, but for a few verbs. */
export const tagWords: TagWords = (text) =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({
    text: word,
    tags: new Set([/^(?:does|eat|eats|live|lives|like|likes|cost|teaches)$/.test(word) ? 'Verb' : 'Noun']),
  }));

export const scope: AskScope = {
  account: 1 as AskScope['account'],
  namespace: 'home',
  asOf: undefined,
  among: undefined,
};

export function memory(given: Partial<AskMemory> & Pick<AskMemory, 'key' | 'value'>): AskMemory {
  const created_at = '2026-05-01T10:00:00.000Z';
  return {
    id: 1,
    namespace: 'home',
    metadata: {},
    created_at,
    updated_at: given.created_at ?? created_at,
    ...given,
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];

/** What of a text fits: its sentence with the most of the words, with these marked. */
export function readIn(value: string, text: string): ReadText {
  const words = wordsOf(text);
  const sentences = [...value.matchAll(/[^.!?\n]+[.!?]?/gu)].map(({ 0: said, index }) => {
    const marks = words.flatMap((word): [number, number][] => {
      const at = said.toLowerCase().indexOf(word);
      return at < 0 ? [] : [[index + at, index + at + word.length]];
    });
    return { text: said, start: index, end: index + said.length, marks };
  });
  const [best] = sentences.sort((a, b) => b.marks.length - a.marks.length);
  const passage: Passage = best ?? { text: value, start: 0, end: value.length, marks: [] };
  return { passage, row: undefined, fit: () => 0.5 };
}

/** A memory as a candidate, read for a question. */
export function candidate(
  given: Parameters<typeof memory>[0],
  { question = '', score = 0.5 }: { question?: string; score?: number } = {},
): Candidate {
  const made = memory(given);
  return { memory: made, score, boosts: [], read: quotedFrom(made.value, readIn(made.value, question)) };
}

/** A look that found these. */
export const lookOf = (ranked: readonly Candidate[], queries: readonly string[] = ['']): Look => ({
  scope,
  queries,
  ranked,
  found: [],
  facts: [],
  stages: [],
});

/** Memories in an array, found by each long word that they have: 0.3 for each. */
export function storeOf(notes: readonly AskMemory[]): { memories: AskMemories; search: AskSearch } {
  const hits = (text: string) =>
    notes
      .map(({ id, value }) => {
        const words = wordsOf(text).filter((word) => value.toLowerCase().includes(word));
        return { id, chunk: id, score: words.length };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
  return {
    memories: {
      byId: (_, ids) => new Map(notes.filter(({ id }) => ids.includes(id)).map((note) => [note.id, note])),
      newest: (_, limit) => notes.map(({ id }) => id).slice(0, limit),
      existing: () => undefined,
      changedSince: () => [],
      around: () => [],
    },
    search: {
      expand: () => [],
      vectors: async (_, queries) => queries.flatMap(hits),
      words: async (_, queries) => queries.flatMap(hits),
      rank: async (_, text, { limit }) =>
        hits(text)
          .slice(0, limit)
          .map(({ id, score }) => ({ id, score: Math.min(0.9, 0.3 * score), boosts: [] })),
      read: async (_, text, { texts }) => new Map(texts.map(({ id, value }) => [id, readIn(value, text)])),
      wordsOf(_, text) {
        const all = wordsOf(text);
        return { all, unknown: all.filter((word) => hits(word).length === 0) };
      },
    },
  };
}

export type Quote = readonly [note: number | string, words: string];

/** What a model says: a sentence with the words that it quotes of notes, by number or by key. */
export const sentence = (text: string, ...quotes: readonly Quote[]) => ({
  text,
  quotes: quotes.map(([note, words]) => ({ note, words })),
});
export const yes = (text: string, ...quotes: readonly Quote[]) => ({
  answered: true,
  sentences: [sentence(text, ...quotes)],
  search: [] as string[],
});
export const no = (...search: string[]) => ({ answered: false, sentences: [], search });

/** A model that gives its answers one after the other, the last one again and again, through the schema as the port promises. */
export function says(...answers: unknown[]): LanguageModel & { prompts: string[] } {
  const prompts: string[] = [];
  return {
    model: 'fake-1',
    prompts,
    generate<T>({ schema, prompt }: Prompt<T>) {
      const answer = answers[Math.min(prompts.length, answers.length - 1)];
      prompts.push(prompt);
      if (answer instanceof Error) return Promise.reject(answer);
      const parsed = schema.safeParse(numbered(answer, prompt));
      return parsed.success
        ? Promise.resolve({ value: parsed.data, tokens: 1 })
        : Promise.reject(new ModelFailure('garbage', 'It wrote no answer'));
    },
  };
}

/** An answer with the numbers of its notes where it has their keys. */
function numbered(answer: unknown, prompt: string): unknown {
  const given = answer as { sentences?: { quotes?: unknown }[] } | null;
  if (!Array.isArray(given?.sentences)) return answer;
  const numberOf = (note: unknown) =>
    typeof note === 'string' && /^[a-z][a-z-]+$/u.test(note)
      ? Number(new RegExp(String.raw`^\[(\d+)\] [^:\n]*, ${note}:`, 'mu').exec(prompt)?.[1] ?? 99)
      : note;
  const sentences = given.sentences.map((one) =>
    Array.isArray(one.quotes)
      ? {
          ...one,
          quotes: (one.quotes as { note?: unknown }[]).map((quote) =>
            typeof quote === 'object' ? { ...quote, note: numberOf(quote.note) } : quote,
          ),
        }
      : one,
  );
  return { ...given, sentences };
}
