import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailure, type Prompt } from '../../models/language-model.ts';
import { ask, type AskDeps } from './ask.service.ts';
import type { AskMemories, AskSearch } from './ports.ts';
import { evidenceDeps, memory, scope, tagWords } from './testing/asking.ts';

const NOTES = [
  memory({ id: 1, key: 'lease', value: 'The flat is let until 30 June 2027. The rent is 940 euro a month.' }),
  memory({ id: 2, key: 'lena', value: 'Lena does not eat fish. She likes mushrooms.' }),
];

/** Memories in an array, found by each word that they have. */
const memories: AskMemories = {
  byId: (_, ids) => new Map(NOTES.filter(({ id }) => ids.includes(id)).map((note) => [note.id, note])),
  newest: (_, limit) => NOTES.map(({ id }) => id).slice(0, limit),
  changedSince: () => [],
  around: () => [],
};
const hits = (text: string) =>
  NOTES.map(({ id, value }) => {
    const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    return { id, chunk: id, score: words.filter((word) => value.toLowerCase().includes(word)).length };
  })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
const search: AskSearch = {
  expand: () => [],
  vectors: (_, [text = '']) => hits(text),
  words: (_, [text = '']) => hits(text),
  rank: (_, text) => hits(text).map(({ id, score }) => ({ id, score: Math.min(0.9, 0.3 * score) })),
  rarity: (_, words) => words.map(() => 1),
};

interface Options {
  model?: LanguageModel;
  timeoutMs?: number;
  recalled?: AskDeps['recalled'];
}

function asked(question: string, { model, timeoutMs = 5_000, recalled = () => undefined }: Options = {}) {
  const deps: AskDeps = {
    ...evidenceDeps,
    memories,
    search,
    facts: undefined,
    tagger: () => Promise.resolve(tagWords),
    elapsed: () => 0,
    now: () => Date.parse('2026-11-20T12:00:00Z'),
    recalled,
    model: () => model,
    timeoutMs,
  };
  return ask(deps, scope.account, { question, namespace: 'home', limit: 6, explain: true });
}

/** A model that gives each prompt the same answer, through its schema as the port promises. */
function says(answer: unknown): LanguageModel {
  return {
    model: 'fake-1',
    generate<T>({ schema }: Prompt<T>) {
      const parsed = schema.safeParse(answer);
      return parsed.success
        ? Promise.resolve({ value: parsed.data, tokens: 1 })
        : Promise.reject(new ModelFailure('garbage', 'It wrote no answer'));
    },
  };
}

const RENT = 'How much is the rent of the flat?';
const QUOTED = '"The rent is 940 euro a month." — lease';

describe('with a model', () => {
  it('the answer is its own, with the model’s name, and cites', async () => {
    const model = says({ sentences: [{ text: 'You pay 940 euro a month.', sources: [1] }] });
    const reply = await asked(RENT, { model });
    expect(reply).toMatchObject({ answer: 'You pay 940 euro a month. [1]', model: 'fake-1', found: true });
    expect(reply.citations[0]?.key).toBe('lease');
  });

  it('its rewordings are looked for, too', async () => {
    const reply = await asked(RENT, {
      model: says({ queries: ['monthly payment for the apartment'], sentences: [] }),
    });
    expect(reply.understood?.queries).toEqual(['monthly payment for the apartment']);
  });

  it.each<[string, LanguageModel]>([
    [
      'is down',
      { model: 'down', generate: () => Promise.reject(new ModelFailure('unreachable', 'No answer')) },
    ],
    ['writes rubbish', says('I like trains')],
    ['says nothing', says({ sentences: [] })],
    [
      'cites what does not exist',
      says({ sentences: [{ text: 'The rent is 940 euro a month.', sources: [42] }] }),
    ],
    ['invents', says({ sentences: [{ text: 'The rent is 1,500 euro a month.', sources: [1] }] })],
  ])('that %s, the answer is quoted', async (_, model) => {
    const reply = await asked(RENT, { model });
    expect(reply).toMatchObject({ answer: QUOTED, model: null, found: true });
    expect(reply.understood?.model_failed).not.toBe(undefined);
  });

  it('that is slow, the answer is quoted within the time limit', async () => {
    const slow: LanguageModel = { model: 'slow', generate: () => new Promise(() => undefined) };
    expect(await asked(RENT, { model: slow, timeoutMs: 1 })).toMatchObject({ answer: QUOTED, model: null });
  });

  it('an error that is none of the model’s is not hidden', async () => {
    const broken: LanguageModel = { model: 'x', generate: () => Promise.reject(new TypeError('a bug')) };
    await expect(asked(RENT, { model: broken })).rejects.toThrow('a bug');
  });

  it('it is not asked for an answer that is not in memory', async () => {
    let prompts = 0;
    const counts: LanguageModel = {
      model: 'x',
      generate: (prompt) => {
        prompts += 1;
        return says({ queries: [], sentences: [{ text: 'Ulan Bator.', sources: [1] }] }).generate(prompt);
      },
    };
    const reply = await asked('What is the capital of Mongolia?', { model: counts });
    expect(reply).toMatchObject({ found: false, citations: [] });
    expect(prompts).toBe(1);
  });
});

describe('without a model', () => {
  it('what is cited counts as recalled, and nothing else', async () => {
    const counted: unknown[] = [];
    await asked(RENT, { recalled: (...what) => void counted.push(what) });
    expect(counted).toHaveLength(1);
  });

  it('says what is known of a question whose answer is missing', async () => {
    const reply = await asked('What is the telephone number of Lena?');
    expect(reply).toMatchObject({ found: false, citations: [], model: null });
    expect(reply.answer).toMatch(/^Nothing in memory answers this\. It mentions “Lena”, but not “telephone”/);
  });
});
