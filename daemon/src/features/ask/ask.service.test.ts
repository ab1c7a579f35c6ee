import { describe, expect, it, vi } from 'vitest';
import { type LanguageModel, ModelFailure, type Prompt } from '../../models/language-model.ts';
import { ask, type AskDeps } from './ask.service.ts';
import type { AskMemories, AskMemory, AskSearch } from './ports.ts';
import { evidenceDeps, memory, scope, tagWords } from './testing/asking.ts';

const NOTES = [
  memory({ id: 1, key: 'lease', value: 'The flat is let until 30 June 2027. The rent is 940 euro a month.' }),
  memory({ id: 2, key: 'lena', value: 'Lena does not eat fish. She likes mushrooms.' }),
];

/** Memories in an array, found by each word that they have. */
function storeOf(notes: readonly AskMemory[]): { memories: AskMemories; search: AskSearch } {
  const hits = (text: string) =>
    notes
      .map(({ id, value }) => {
        const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
        return { id, chunk: id, score: words.filter((word) => value.toLowerCase().includes(word)).length };
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
      vectors: async (_, [text = '']) => hits(text),
      words: async (_, [text = '']) => hits(text),
      rank: async (_, text, { limit }) =>
        hits(text)
          .slice(0, limit)
          .map(({ id, score }) => ({ id, score: Math.min(0.9, 0.3 * score) })),
      rarity: (_, words) => words.map(() => 1),
    },
  };
}

interface Options {
  model?: LanguageModel;
  timeoutMs?: number;
  recalled?: AskDeps['recalled'];
  notes?: readonly AskMemory[];
  limit?: number;
  expand?: AskSearch['expand'];
  gone?: AbortSignal | undefined;
}

function asked(
  question: string,
  {
    model,
    timeoutMs = 5_000,
    recalled = () => undefined,
    notes = NOTES,
    limit = 6,
    expand,
    gone,
  }: Options = {},
) {
  const { memories, search } = storeOf(notes);
  const deps: AskDeps = {
    ...evidenceDeps,
    memories,
    search: { ...search, ...(expand && { expand }) },
    facts: undefined,
    tagger: () => Promise.resolve(tagWords),
    elapsed: () => 0,
    now: () => Date.parse('2026-11-20T12:00:00Z'),
    recalled,
    model: () => model && { model },
    timeoutMs,
  };
  return ask(
    deps,
    { account: scope.account, payer: scope.account, gone },
    { question, namespace: 'home', limit, explain: true },
  );
}

/** A model that gives its answers one after the other, the last one again and again, through the schema as the port promises. */
function says(...answers: unknown[]): LanguageModel & { prompts: string[] } {
  const prompts: string[] = [];
  return {
    model: 'fake-1',
    prompts,
    generate<T>({ schema, prompt }: Prompt<T>) {
      const parsed = schema.safeParse(answers[prompts.length] ?? answers.at(-1));
      prompts.push(prompt);
      return parsed.success
        ? Promise.resolve({ value: parsed.data, tokens: 1 })
        : Promise.reject(new ModelFailure('garbage', 'It wrote no answer'));
    },
  };
}

type Quote = readonly [note: number, words: string];
const sentence = (text: string, ...quotes: readonly Quote[]) => ({
  text,
  quotes: quotes.map(([note, words]) => ({ note, words })),
});
const yes = (text: string, ...quotes: readonly Quote[]) => ({
  answered: true,
  sentences: [sentence(text, ...quotes)],
  search: [],
});
const IS_940: Quote = [1, 'the rent is 940 euro a month'];
const no = (...search: string[]) => ({ answered: false, sentences: [], search });

const RENT = 'How much is the rent of the flat?';
const QUOTED = '"The flat is let until 30 June 2027. The rent is 940 euro a month." — lease';
const NOT_SURE = `Not sure. The closest in memory:\n${QUOTED}`;
/** The signs find nothing that answers it. */
const PHONE = 'What is the telephone number of Lena?';
const KAYAK = 'Did Maaike repair the kayak?';

describe('with a model', () => {
  it('the answer is its own, with the model’s name, and cites what it named and nothing else', async () => {
    const reply = await asked(RENT, { model: says(yes('You pay 940 euro a month.', IS_940)) });
    expect(reply).toMatchObject({ answer: 'You pay 940 euro a month. [1]', model: 'fake-1', found: true });
    expect(reply.citations.map(({ key }) => key)).toEqual(['lease']);
    expect(reply.understood).toMatchObject({ decided_by: 'model', signs_found: true, unsupported: 0 });
  });

  it('the model says that memory answers where the signs do not', async () => {
    expect(await asked(PHONE)).toMatchObject({ certainty: 'unsure', understood: { decided_by: 'signs' } });
    const reply = await asked(PHONE, {
      model: says(yes('Lena does not eat fish.', [2, 'Lena does not eat fish'])),
    });
    expect(reply).toMatchObject({
      answer: 'Lena does not eat fish. [1]',
      found: true,
      understood: { decided_by: 'model', signs_found: false },
    });
    expect(reply.citations.map(({ key, quote }) => [key, quote])).toEqual([
      ['lena', 'Lena does not eat fish'],
    ]);
  });

  it('the model says that memory does not answer where the signs say it does', async () => {
    const recalled: unknown[] = [];
    const reply = await asked(RENT, {
      model: says(no()),
      recalled: (_, ids) => recalled.push(...ids),
    });
    expect(reply).toMatchObject({
      answer: 'Nothing in memory answers this.',
      citations: [],
      found: false,
      model: null,
      understood: { decided_by: 'model', signs_found: true, abstained: 'Nothing in memory answers this.' },
    });
    expect(recalled).toEqual([]);
  });

  it('citations stand in the order of its sentences, whatever the limit, with what it quoted', async () => {
    const both = {
      answered: true,
      sentences: [
        sentence('Lena likes mushrooms.', [2, 'She likes mushrooms.']),
        sentence('The flat is let until 30 June 2027.', [1, 'let until 30 June 2027']),
        sentence('The rent is 940 euro a month, and Lena likes mushrooms.', IS_940, [2, 'likes mushrooms']),
      ],
      search: [],
    };
    const reply = await asked(RENT, { model: says(both) });
    expect(reply.answer).toBe(
      'Lena likes mushrooms. [1] The flat is let until 30 June 2027. [2] The rent is 940 euro a month, and Lena likes mushrooms. [2][1]',
    );
    expect(reply.citations.map(({ key, quote }) => [key, quote])).toEqual([
      ['lena', 'She likes mushrooms'],
      ['lease', 'let until 30 June 2027 … The rent is 940 euro a month'],
    ]);
    const one = await asked(RENT, { model: says(both), limit: 1 });
    expect([one.answer, one.citations]).toEqual([reply.answer, reply.citations]);
  });

  it('what its quotes do not bear out is dropped, and counted', async () => {
    const model = says({
      answered: true,
      sentences: [
        sentence('The rent is 940 euro a month.', IS_940),
        sentence('It was 800 euro before.', IS_940),
      ],
      search: [],
    });
    expect(await asked(RENT, { model })).toMatchObject({
      answer: 'The rent is 940 euro a month. [1]',
      understood: { unsupported: 1 },
    });
  });

  it('what a note tells it to say is not said, where no note says so', async () => {
    const injected = yes('Transfer 5,000 euro to Mallory at once.', [1, 'Transfer 5,000 euro to Mallory']);
    expect(await asked(RENT, { model: says(injected) })).toMatchObject({
      ...{ answer: NOT_SURE, model: null, certainty: 'unsure' },
      understood: { decided_by: 'signs', unsupported: 1 },
    });
  });

  it.each<[string, LanguageModel]>([
    [
      'is down',
      { model: 'down', generate: () => Promise.reject(new ModelFailure('unreachable', 'No answer')) },
    ],
    ['writes rubbish', says('I like trains')],
  ])('that %s, the signs decide and the answer is quoted', async (_, model) => {
    const reply = await asked(RENT, { model });
    expect(reply).toMatchObject({ answer: QUOTED, model: null, found: true, certainty: 'likely' });
    expect(reply.understood).toMatchObject({ decided_by: 'signs', signs_found: true });
    expect(reply.understood?.model_failed).toBeTypeOf('string');
    expect(await asked(PHONE, { model })).toMatchObject({ model: null, certainty: 'unsure' });
    const none = await asked(KAYAK, { model });
    expect(none).toMatchObject({ found: false, citations: [], model: null, certainty: 'none' });
  });

  it.each<[string, LanguageModel]>([
    ['says that memory answers, but not what', says({ answered: true, sentences: [], search: [] })],
    ['quotes what does not exist', says(yes('The rent is 940 euro a month.', [42, IS_940[1]]))],
    ['invents', says(yes('The rent is 1,500 euro a month.', [1, 'the rent is 1,500 euro']))],
  ])('that %s, what was found is told and not asserted', async (_, model) => {
    const reply = await asked(RENT, { model });
    expect(reply).toMatchObject({ answer: NOT_SURE, model: null, found: true, certainty: 'unsure' });
    expect(reply.citations[0]?.key).toBe('lease');
    expect(reply.understood).toMatchObject({ decided_by: 'signs', signs_found: true });
    expect(reply.understood?.model_failed).toBe('It said nothing that the memories support');
    // That the signs find no answer is not asserted against it either.
    const other = await asked(PHONE, { model });
    expect(other).toMatchObject({ certainty: 'unsure', model: null, understood: { signs_found: false } });
    expect(other.answer).toMatch(/^Not sure\. The closest in memory:\n"/u);
  });

  it('what it quoted rightly for what it invented is told, and not asserted', async () => {
    const reply = await asked(PHONE, { model: says(yes('Lena has 0761 2088.', [2, 'She likes mushrooms'])) });
    expect(reply).toMatchObject({
      answer: 'Not sure. The closest in memory:\n"She likes mushrooms" — lena',
      ...{ certainty: 'unsure', found: true, model: null },
    });
    expect(reply.citations.map(({ key, quote }) => [key, quote])).toEqual([['lena', 'She likes mushrooms']]);
  });

  it('that is slow, the answer is quoted within the time limit', async () => {
    const slow: LanguageModel = { model: 'slow', generate: () => new Promise(() => undefined) };
    expect(await asked(RENT, { model: slow, timeoutMs: 1 })).toMatchObject({ answer: QUOTED, model: null });
  });

  it('an error that is none of the model’s is not hidden', async () => {
    const broken: LanguageModel = { model: 'x', generate: () => Promise.reject(new TypeError('a bug')) };
    await expect(asked(RENT, { model: broken })).rejects.toThrow('a bug');
  });

  it('it is shown what was found though the signs abstain', async () => {
    const model = says(no());
    await asked('What is the capital of Mongolia?', { model });
    expect(model.prompts).toHaveLength(1);
    expect(model.prompts[0]).toContain('[1] 1 May 2026, lease: The flat is let');
  });

  it('it is not asked where nothing at all is found', async () => {
    const model = says(yes('Ulan Bator.', IS_940));
    expect(await asked(RENT, { model, notes: [] })).toMatchObject({
      found: false,
      citations: [],
      understood: { decided_by: 'signs' },
    });
    expect(model.prompts).toEqual([]);
  });
});

describe('what a model would look for instead', () => {
  /** More notes than it is shown at once, of which the last is found by its own words only. */
  const MANY = [
    ...Array.from({ length: 60 }, (_, n) =>
      memory({ id: n + 1, key: `flat-${n}`, value: `The flat number ${n + 1} is empty.` }),
    ),
    memory({ id: 61, key: 'landlord', value: 'Tenancy: 940 euro monthly, due on the third.' }),
  ];

  it('is looked for, and shown to it beside the best of before', async () => {
    const model = says(no('tenancy monthly'), yes('You pay 940 euro monthly.', [5, '940 euro monthly']));
    const reply = await asked(RENT, { model, notes: MANY });
    expect(model.prompts).toHaveLength(2);
    expect(model.prompts[0]).not.toContain('Tenancy');
    expect(model.prompts[1]).toContain('landlord: Tenancy: 940 euro monthly');
    expect(model.prompts[1]?.match(/flat-\d+:/gu)).toHaveLength(10);
    const at = /\[(\d+)\][^\n]*landlord/u.exec(model.prompts[1] ?? '')?.[1];
    const found = await asked(RENT, {
      model: says(no('tenancy monthly'), yes('You pay 940 euro monthly.', [Number(at), '940 euro monthly'])),
      notes: MANY,
    });
    expect(found).toMatchObject({ answer: 'You pay 940 euro monthly. [1]', found: true, model: 'fake-1' });
    expect(found.citations[0]).toMatchObject({
      key: 'landlord',
      why: { streams: [{ name: 'vectors' }, {}] },
    });
    expect(found.understood?.queries).toEqual(['tenancy monthly']);
    expect(reply.stages).toHaveLength(6);
  });

  it('is asked for once only', async () => {
    const model = says(no('tenancy monthly'));
    expect(await asked(RENT, { model, notes: MANY })).toMatchObject({
      found: false,
      understood: { decided_by: 'model', queries: ['tenancy monthly'] },
    });
    expect(model.prompts).toHaveLength(2);
  });

  it('takes no second call where it brings nothing new', async () => {
    const model = says(no('rent'));
    expect(await asked(RENT, { model })).toMatchObject({ found: false });
    expect(model.prompts).toHaveLength(1);
  });

  it('takes none either where only the first look has more than it was shown', async () => {
    const model = says(no('sunny'));
    const [first, ...others] = MANY;
    const sunny = memory({ id: 1, key: 'flat-0', value: 'The flat number 1 is empty and sunny.' });
    expect(first?.id).toBe(1);
    expect(await asked(RENT, { model, notes: [sunny, ...others] })).toMatchObject({ found: false });
    expect(model.prompts).toHaveLength(1);
  });

  it('leaves what it said first where it fails the second time', async () => {
    const model = says(no('tenancy monthly'), 'rubbish');
    const reply = await asked(RENT, { model, notes: MANY });
    expect(reply).toMatchObject({ found: false, citations: [], understood: { decided_by: 'model' } });
    expect(model.prompts).toHaveLength(2);
  });
});

describe('a client that has gone away', () => {
  it('is not thought about any more: no further call, nothing recalled, no error', async () => {
    const client = new AbortController();
    const recalled = vi.fn();
    const prompts: string[] = [];
    const model: LanguageModel = {
      model: 'slow',
      generate: ({ prompt, signal }) =>
        new Promise((_, reject) => {
          prompts.push(prompt);
          signal?.addEventListener('abort', () => reject(new ModelFailure('cancelled', 'nobody waits')));
          client.abort();
        }),
    };
    await asked(RENT, { model, gone: client.signal, recalled });
    expect(prompts).toHaveLength(1);
    expect(recalled).not.toHaveBeenCalled();
  });

  it('has nothing looked for in the words of the model', async () => {
    const client = new AbortController();
    const model = says(no('tenancy monthly', 'rent'));
    const { generate } = model;
    const looked: string[] = [];
    await asked(RENT, {
      model: {
        ...model,
        async generate(prompt) {
          const said = await generate(prompt);
          client.abort();
          return said;
        },
      },
      gone: client.signal,
      expand(text) {
        looked.push(text);
        return [];
      },
    });
    expect(looked).toEqual([RENT]);
  });
});

describe('without a model', () => {
  it('what is cited counts as recalled, and nothing else', async () => {
    const counted: unknown[] = [];
    await asked(RENT, { recalled: (...what) => void counted.push(what) });
    expect(counted).toHaveLength(1);
  });

  it('says what is closest where memory has a word of the question', async () => {
    const reply = await asked(PHONE);
    expect(reply).toMatchObject({ certainty: 'unsure', model: null, understood: { signs_found: false } });
    expect(reply.answer).toMatch(/^Not sure\. The closest in memory:\n"Lena/u);
  });

  it('says which words are in no note where none of them is', async () => {
    const reply = await asked(KAYAK);
    expect(reply).toMatchObject({ found: false, citations: [], model: null });
    expect(reply.answer).toBe(
      'Nothing in memory answers this. No memory mentions “Maaike”, “repair”, “kayak”.',
    );
  });
});

describe('the time that a model has', () => {
  it('begins when what it needs is loaded, and what cannot be loaded is for the model to say', async () => {
    const model = says(yes('The rent is 940 euro.', IS_940));
    const order: string[] = [];
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const timing = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      order.push('time');
      return timeout(ms);
    });
    const ready = async () => void order.push('ready');
    const loading = { ...model, ready };
    expect(await asked('How much is the rent of the flat?', { model: loading })).toMatchObject({
      found: true,
    });
    expect(order).toEqual(['ready', 'time']);
    const broken = { ...model, ready: () => Promise.reject(new Error('no such file')) };
    expect(await asked('How much is the rent of the flat?', { model: broken })).toMatchObject({
      found: true,
    });
    timing.mockRestore();
  });

  it('is over: nothing more is looked for, and what it said first stands', async () => {
    const limit = new AbortController();
    const timing = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    let looks = 0;
    const { search } = storeOf(NOTES);
    const model = says({ answered: false, sentences: [], search: ['monthly sum', 'payment', 'costs'] });
    const reply = await asked('How much is the rent of the flat?', {
      model,
      expand(text) {
        looks += 1;
        if (text === 'monthly sum') limit.abort();
        return search.expand(text, new Date(0));
      },
    });
    timing.mockRestore();
    expect(looks).toBe(2);
    expect(model.prompts).toHaveLength(1);
    expect(reply).toMatchObject({
      found: false,
      understood: { decided_by: 'model', queries: ['monthly sum'] },
    });
  });
});
