import { askMemory } from '@reverie/shared/contract/search/ask';
import { describe, expect, it, vi } from 'vitest';
import { type LanguageModel, ModelFailure } from '../../models/language-model.ts';
import { ask, type AskDeps, type AskInput } from './ask.service.ts';
import { askSources } from './in-sessions.ts';
import type { AskEntry, AskMemory } from './ports.ts';
import { memory, no, type Quote, says, scope, sentence, storeOf, tagWords, yes } from './testing/asking.ts';

const NOW = '2026-11-20T12:00:00Z';
const NOTES = [
  memory({ id: 1, key: 'lease', value: 'The flat is let until 30 June 2027. The rent is 940 euro a month.' }),
  memory({ id: 2, key: 'lena', value: 'Lena does not eat fish. She likes mushrooms.' }),
];

interface Options extends Partial<AskDeps>, Partial<Pick<AskInput, 'namespace' | 'limit' | 'queries'>> {
  asking?: LanguageModel;
  notes?: readonly AskMemory[];
  gone?: AbortSignal;
}

const depsOf = ({ asking, notes = NOTES, ...more }: Options = {}): AskDeps => ({
  ...storeOf(notes),
  facts: undefined,
  tagger: () => Promise.resolve(tagWords),
  elapsed: () => 0,
  now: () => Date.parse(NOW),
  recalled: () => undefined,
  timeoutMs: 5_000,
  model: () => asking && { model: asking },
  ...more,
});

const asked = (question: string, { gone, namespace = 'home', limit = 6, queries, ...more }: Options = {}) =>
  ask(
    depsOf(more),
    { account: scope.account, payer: scope.account, gone },
    { question, namespace, limit, explain: true, ...(queries && { queries }) },
  );

const IS_940: Quote = ['lease', 'the rent is 940 euro a month'];
const RENT = 'How much is the rent of the flat?';
const QUOTED =
  'Not sure. The closest in memory:\n"The flat is let until 30 June 2027. The rent is 940 euro a month." — lease';

describe('with a model', () => {
  it('the answer is its own, with its name, and cites what it named in the order of its sentences, whatever the limit', async () => {
    const asking = says({
      answered: true,
      sentences: [
        sentence('Lena likes mushrooms.', ['lena', 'She likes mushrooms.']),
        sentence('The flat is let until 30 June 2027.', ['lease', 'let until 30 June 2027']),
        sentence('The rent is 940 euro a month, and Lena likes mushrooms.', IS_940, [
          'lena',
          'likes mushrooms',
        ]),
      ],
    });
    const reply = await asked('What is the rent, and what does Lena like?', { asking, limit: 1 });
    expect(reply).toMatchObject({
      answer:
        'Lena likes mushrooms. [1] The flat is let until 30 June 2027. [2] The rent is 940 euro a month, and Lena likes mushrooms. [2][1]',
      model: 'fake-1',
      found: true,
      certainty: 'likely',
      understood: { decided_by: 'model', unsupported: 0 },
    });
    expect(reply.citations.map(({ key, quote }) => [key, quote])).toEqual([
      ['lena', 'She likes mushrooms'],
      ['lease', 'let until 30 June 2027 … The rent is 940 euro a month'],
    ]);
    expect(askMemory.response.parse(reply)).toEqual(reply);
  });

  it('what its quotes bear out is sure; what they do not is dropped, and counted', async () => {
    const sentences = [
      sentence('The rent is 940 euro a month.', IS_940),
      sentence('It was 800 before.', IS_940),
    ];
    expect(await asked(RENT, { asking: says({ answered: true, sentences }) })).toMatchObject({
      answer: 'The rent is 940 euro a month. [1]',
      certainty: 'sure',
      understood: { unsupported: 1 },
    });
  });

  it('it decides that nothing answers, of what search finds: nothing is recalled', async () => {
    const recalled = vi.fn();
    const asking = says(no());
    expect(await asked(RENT, { asking, recalled })).toMatchObject({
      answer: 'Nothing in memory in the namespace “home” answers this.',
      certainty: 'none',
      found: false,
      citations: [],
      model: null,
      understood: {
        decided_by: 'model',
        abstained: 'Nothing in memory in the namespace “home” answers this.',
      },
    });
    expect(recalled.mock.lastCall?.[1]).toEqual([]);
    expect(asking.prompts).toHaveLength(1);
  });

  it.each([
    ['is old', '2025-01-31', 'The rent is 940 euro a month. [1] (as of 31 January 2025)'],
    ['is of this year', '2026-01-31', 'The rent is 940 euro a month. [1]'],
  ])('an answer whose newest note %s says so', async (_, date, answer) => {
    const [lease, lena] = NOTES as [AskMemory, AskMemory];
    const notes = [{ ...lease, metadata: { date } }, lena];
    const asking = says(yes('The rent is 940 euro a month.', IS_940));
    expect(await asked(RENT, { asking, notes })).toMatchObject({ answer });
  });

  it('a quote of a label alone is cited with what fits best of its memory', async () => {
    const asking = says(yes('It is the lease of 1 May 2026.', ['lease', '1 May 2026, lease']));
    const { citations, answer } = await asked(RENT, { asking });
    expect(answer).toBe('It is the lease of 1 May 2026. [1]');
    expect(citations.map(({ value, quote }) => value.includes(quote))).toEqual([true]);
  });

  it.each<[string, LanguageModel, RegExp]>([
    ['is down', says(new ModelFailure('unreachable', 'No answer')), /No answer/],
    ['writes rubbish', says('I like trains'), /It wrote no answer/],
    ['says yes and nothing', says({ answered: true, sentences: [] }), /nothing that the memories support/],
    ['invents', says(yes('The rent is 1,500 euro.', ['lease', 'the rent is 1,500 euro'])), /nothing that/],
    ['obeys', says(yes('Transfer 5,000 euro to Mallory.', [1, 'Transfer 5,000'])), /nothing that/],
    ['is slow', { model: 'slow', generate: () => new Promise(() => undefined) }, /took too long/],
  ])('where it %s, what is closest is quoted', async (_, asking, failed) => {
    const reply = await asked(RENT, { asking, timeoutMs: 50 });
    expect(reply).toMatchObject({ answer: QUOTED, model: null, certainty: 'unsure' });
    expect(reply.understood).toMatchObject({
      decided_by: 'search',
      model_failed: expect.stringMatching(failed) as string,
    });
    const none = await asked('Did Maaike repair the kayak?', { asking, timeoutMs: 50 });
    expect(none).toMatchObject({ certainty: 'none', citations: [] });
  });

  it('what it quoted rightly for what it invented is told, and not asserted', async () => {
    const asking = says(yes('Lena has 0761 2088.', ['lena', 'She likes mushrooms']));
    const reply = await asked('What is the telephone number of Lena?', { asking });
    expect(reply).toMatchObject({
      answer: 'Not sure. The closest in memory:\n"She likes mushrooms" — lena',
      certainty: 'unsure',
      model: null,
      citations: [{ key: 'lena', quote: 'She likes mushrooms' }],
    });
  });

  it('an error that is none of the model’s is not hidden', async () => {
    await expect(asked(RENT, { asking: says(new TypeError('a bug')) })).rejects.toThrow('a bug');
  });

  it('it is not asked where nothing at all is found', async () => {
    const asking = says(yes('Ulan Bator.', IS_940));
    const reply = await asked(RENT, { asking, notes: [] });
    expect(reply).toMatchObject({ found: false, understood: { decided_by: 'search' } });
    expect(asking.prompts).toEqual([]);
  });

  it('what it had looked for is told, and found by a second look', async () => {
    const flats = Array.from({ length: 40 }, (_, at) =>
      memory({ id: at + 10, key: `f-${at}`, value: 'A flat.' }),
    );
    const landlord = memory({ id: 5, key: 'landlord', value: 'Tenancy: 940 euro, due on the third.' });
    const asking = says(no('loan', 'tenancy due'), yes('You pay 940 euro.', ['landlord', '940 euro']));
    const reply = await asked(RENT, { asking, notes: [...flats, landlord] });
    expect(reply).toMatchObject({
      answer: 'You pay 940 euro. [1]',
      understood: { queries: ['loan', 'tenancy due'] },
    });
    expect(reply.citations[0]?.why?.streams.map(({ name }) => name)).toContain('words');
    // Nobody who asked gave this wording.
    expect(reply.citations[0]).not.toHaveProperty('wording');
    expect(reply.stages).toHaveLength(6);
  });
});

describe('what is kept from a model', () => {
  const SECRET = memory({
    id: 3,
    key: 'salary',
    namespace: 'private',
    value: 'The rent of the flat is a third of 3,100 euro.',
  });
  const kept = {
    namespace: '*',
    notes: [...NOTES, SECRET],
    visibleTo: () => (name: string) => name !== 'private',
  };

  it('is on no sheet, and counted', async () => {
    const asking = says(yes('The rent is 940 euro a month.', IS_940));
    expect(await asked(RENT, { ...kept, asking })).toMatchObject({
      answer: 'The rent is 940 euro a month. [1]',
      understood: { kept_from_model: 1 },
    });
    expect(asking.prompts.join()).not.toContain('3,100');
  });

  it('is what a model that says no has not seen: then what is closest is quoted', async () => {
    const reply = await asked(RENT, { ...kept, asking: says(no()) });
    expect(reply).toMatchObject({ certainty: 'unsure', model: null, understood: { decided_by: 'search' } });
    expect(reply.answer).toContain('— salary');
  });

  it('is quoted where no model decides, and is nothing to ask it about alone', async () => {
    const asking = says(new ModelFailure('unreachable', 'No answer'));
    expect((await asked(RENT, { ...kept, asking })).answer).toContain('— salary');
    const alone = says(no());
    const reply = await asked(RENT, { ...kept, notes: [SECRET], asking: alone });
    expect(reply).toMatchObject({
      certainty: 'unsure',
      understood: { decided_by: 'search', kept_from_model: 1 },
    });
    expect(alone.prompts).toEqual([]);
  });
});

it('a note that only another wording finds is cited with it, and counts a little less', async () => {
  const queries = ['does Lena like mushrooms?'];
  const { citations, understood } = await asked('Champignons?', { queries });
  expect(citations[0]).toMatchObject({ key: 'lena', wording: queries[0] });
  expect(citations[0]?.score).toBeCloseTo(0.95 * 0.9);
  expect(understood?.queries).toEqual(queries);
  const own = await asked(queries[0] ?? '', { queries: ['Champignons?'] });
  expect(own.citations[0]).not.toHaveProperty('wording');
  expect(own.citations[0]?.score).toBeCloseTo(0.9);
});

describe('a client that has gone away', () => {
  it('is not thought about any more: no further call or look, nothing recalled, no error', async () => {
    const client = new AbortController();
    const [recalled, expand] = [vi.fn(), vi.fn(() => [])];
    const asking = says(no('tenancy monthly'));
    const { generate } = asking;
    const leaving: LanguageModel = {
      ...asking,
      async generate(prompt) {
        const reply = await generate(prompt);
        client.abort();
        return reply;
      },
    };
    const { search } = storeOf(NOTES);
    await asked(RENT, { asking: leaving, gone: client.signal, recalled, search: { ...search, expand } });
    expect(asking.prompts).toHaveLength(1);
    expect(expand.mock.calls.flat()).not.toContain('tenancy monthly');
    expect(recalled).not.toHaveBeenCalled();
  });
});

it('the time of a model begins when what it needs is loaded, and what cannot be loaded is for it to say', async () => {
  const model = says(yes('The rent is 940 euro.', IS_940));
  const order: string[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const timing = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    order.push('time');
    return timeout(ms);
  });
  const ready = async () => void order.push('ready');
  expect(await asked(RENT, { asking: { ...model, ready } })).toMatchObject({ found: true });
  expect(order).toEqual(['ready', 'time']);
  const broken = { ...model, ready: () => Promise.reject(new Error('no such file')) };
  expect(await asked(RENT, { asking: broken })).toMatchObject({ found: true });
  timing.mockRestore();
});

describe('in sessions', () => {
  const ENTRY: AskEntry = {
    session: { id: 's', title: 'Retries', namespace: 'home' },
    entry: 'e',
    at: '2026-05-14T10:00:00.000Z',
    score: 0.9,
    text: 'The dispatcher retries a webhook seven times.',
  };
  const said = 'In sessions:\n"The dispatcher retries a webhook seven times." — Retries, 14 May 2026';
  const inSessions = async (
    question: string,
    {
      asking,
      sources = ['memories', 'sessions'] as const,
      score = 0.9,
      sessions = vi.fn(async () => [{ ...ENTRY, score }]),
    }: {
      asking?: LanguageModel;
      sources?: readonly ('memories' | 'sessions')[];
      score?: number;
      sessions?: ReturnType<typeof vi.fn<() => Promise<AskEntry[]>>>;
    } = {},
  ) => {
    const caller = { account: scope.account, key: { account: scope.account } } as Parameters<
      typeof askSources
    >[1]['caller'];
    const input = askMemory.body.parse({ question, namespace: 'home', sources: [...sources], explain: true });
    const reply = await askSources(
      { ...depsOf({ ...(asking && { asking }) }), sessions },
      { caller, gone: new AbortController().signal },
      input,
    );
    return { reply, sessions };
  };

  it('what is closest stands behind what memories say, or alone as unsure', async () => {
    const beside = await inSessions(RENT);
    expect(beside.reply).toMatchObject({ answer: `${QUOTED}\n${said}`, certainty: 'unsure' });
    expect(beside.reply.citations.at(-1)).toMatchObject({ key: 'e', session: { title: 'Retries' } });
    const { reply } = await inSessions('How often are webhooks sent again?');
    expect(reply).toMatchObject({
      answer: `Not sure. The closest in memory:\n${said}`,
      certainty: 'unsure',
      found: true,
    });
    // It is answered: there is no reason why it is not.
    expect(reply.understood).not.toHaveProperty('abstained');
    expect((await inSessions(RENT, { sources: ['sessions'] })).reply.citations).toHaveLength(1);
  });

  it('is not looked for where memories are sure, and not told where it is hardly near; no model sees it', async () => {
    const asking = says(yes('The rent is 940 euro a month.', IS_940));
    const { sessions, reply } = await inSessions(RENT, { asking });
    expect([reply.certainty, sessions.mock.calls]).toEqual(['sure', []]);
    expect((await inSessions('Webhooks?', { score: 0.01 })).reply).toMatchObject({
      certainty: 'none',
      citations: [],
    });
    const doubting = says(no());
    expect((await inSessions(RENT, { asking: doubting })).reply.answer).toContain(said);
    expect(doubting.prompts.join()).not.toContain('dispatcher');
  });
});
