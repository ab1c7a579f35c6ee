import { expect, it, vi } from 'vitest';
import { type LanguageModel, ModelFailure } from '../../../models/language-model.ts';
import { type Candidate, type Look, lookFor, type LookingDeps } from '../look.ts';
import type { AskMemory } from '../ports.ts';
import { memory, no, says, scope, storeOf, tagWords, yes } from '../testing/asking.ts';
import { decide } from './deciding.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const RENT = 'How much is the rent of the flat?';
const OLD = memory({ id: 1, key: 'old', value: 'The rent of the flat is 900 euro monthly.' });
const NEWER = memory({
  id: 2,
  key: 'newer',
  value: 'Since July 940 euro monthly.',
  created_at: '2026-07-01T10:00:00.000Z',
});
/** More flats than a sheet shows or a look ranks. */
const FLATS = Array.from({ length: 60 }, (_, at) =>
  memory({
    id: at + 10,
    key: `flat-${at}`,
    value: `The flat ${at} is empty. ${'So it is. '.repeat(40)}`,
  }),
);

async function decided(
  notes: readonly AskMemory[],
  model: LanguageModel & { prompts?: string[] },
  {
    maySee = () => true,
    signal = new AbortController().signal,
    onLook = () => undefined,
  }: {
    maySee?: (one: Candidate) => boolean;
    signal?: AbortSignal;
    onLook?: (wordings: readonly string[]) => void;
  } = {},
) {
  const deps: LookingDeps = {
    ...storeOf(notes),
    facts: undefined,
    yieldToOthers: () => Promise.resolve(),
    elapsed: () => 0,
  };
  const look = (wordings: readonly string[]): Promise<Look> => lookFor(deps, { scope, wordings, now: NOW });
  const first = await look([RENT]);
  const looked = (wordings: readonly string[]) => {
    onLook(wordings);
    return look(wordings);
  };
  return decide({ model, signal, tagWords, lookFor: looked, maySee }, { text: RENT, now: NOW }, first);
}

const shown = (prompt = '') =>
  [...prompt.matchAll(/^\[\d+\] [^:\n]*, ([a-z0-9-]+):/gmu)].map(([, key]) => key);

it('what is newer of the same subject is on the first sheet, though the question does not find it', async () => {
  const model = says(yes('It is 940 euro.', ['newer', '940 euro']));
  const { sentences, looks } = await decided([...FLATS, OLD, NEWER], model);
  expect(shown(model.prompts[0]).at(-1)).toBe('newer');
  expect(shown(model.prompts[0])).toContain('old');
  expect(sentences.map(({ text }) => text)).toEqual(['It is 940 euro.']);
  // Whoever tells what is still there has to know of it.
  expect(looks.flatMap(({ ranked }) => ranked).map(({ memory: { key } }) => key)).toContain('newer');
  expect(model.prompts).toHaveLength(1);
});

it('what the model may not see is on no sheet, and nothing is looked for in its words', async () => {
  const wordings: string[] = [];
  const model = says(no('monthly'));
  await decided([OLD, NEWER, FLATS[0] as AskMemory], model, {
    maySee: ({ memory: { key } }) => key !== 'old',
    onLook: (some) => wordings.push(...some),
  });
  expect(model.prompts.flatMap(shown)).not.toContain('old');
  expect(wordings.join(' ')).not.toContain('900');
});

it('what it would look for is looked for, and shown beside the best of before', async () => {
  const landlord = memory({ id: 5, key: 'landlord', value: 'Tenancy: 940 euro, due on the third.' });
  const model = says(no('tenancy due'), yes('You pay 940 euro.', ['landlord', '940 euro']));
  const { sentences, phrases } = await decided([...FLATS, landlord], model);
  expect(shown(model.prompts[0])).not.toContain('landlord');
  expect(shown(model.prompts[1])).toContain('landlord');
  expect(shown(model.prompts[1])).toHaveLength(4);
  expect({ phrases, texts: sentences.map(({ text }) => text) }).toEqual({
    phrases: ['tenancy due'],
    texts: ['You pay 940 euro.'],
  });
});

it('two calls are the most, whatever it would still look for', async () => {
  const landlord = memory({ id: 5, key: 'landlord', value: 'Tenancy: 940 euro, due on the third.' });
  const model = says(no('tenancy due'));
  expect(await decided([...FLATS, landlord], model)).toMatchObject({ sentences: [], failed: undefined });
  expect(model.prompts).toHaveLength(2);
});

it('there is no second call where nothing comes that it has not seen whole', async () => {
  const model = says(no('monthly', 'flat'));
  await decided([OLD, NEWER], model);
  expect(model.prompts).toHaveLength(1);
});

it('beside an answer it is asked again only for something newer, and sees what it quoted again', async () => {
  const before = { id: 5, key: 'older', value: 'Tenancy: 800.', created_at: '2026-01-01T10:00:00.000Z' };
  const first = { ...yes('It is 900 euro.', ['old', '900 euro']), search: ['tenancy'] };
  const stale = says(first);
  const kept = await decided([...FLATS, OLD, memory(before)], stale);
  expect(stale.prompts).toHaveLength(1);
  expect(kept.sentences.map(({ text }) => text)).toEqual(['It is 900 euro.']);
  const after = memory({ ...before, key: 'later', created_at: '2026-09-01T10:00:00.000Z' });
  const model = says(first, yes('It is 800.', ['later', '800']));
  const { sentences } = await decided([...FLATS, OLD, after], model);
  expect(shown(model.prompts[1])).toEqual(['old', 'later']);
  expect(sentences.map(({ text }) => text)).toEqual(['It is 800.']);
});

it('a note that was cut is shown again with more of it; one that was whole only if it was quoted', async () => {
  const filler = 'And so it goes on. '.repeat(70);
  const long = memory({
    id: 5,
    key: 'long',
    value: `The rent of the flat changes. ${filler}The deposit is 2,820 euro.`,
  });
  const model = says(no('deposit'), yes('It is 2,820 euro.', ['long', 'The deposit is 2,820 euro']));
  const { sentences } = await decided([long, OLD], model);
  expect(model.prompts[0]).not.toContain('2,820');
  expect(model.prompts[1]).toContain('2,820');
  expect(sentences).toHaveLength(1);
});

it.each<[string, unknown]>([
  ['a failure', new ModelFailure('unreachable', 'No answer')],
  ['rubbish', 'rubbish'],
  ['a "no"', no()],
])('a second reply that is %s leaves the first answer', async (_, second) => {
  const after = memory({ id: 5, key: 'later', value: 'Tenancy.', created_at: '2026-09-01T10:00:00.000Z' });
  const model = says({ ...yes('It is 900 euro.', ['old', '900 euro']), search: ['tenancy'] }, second);
  const { sentences, failed } = await decided([...FLATS, OLD, after], model);
  expect(model.prompts).toHaveLength(2);
  expect({ texts: sentences.map(({ text }) => text), failed }).toEqual({
    texts: ['It is 900 euro.'],
    failed: undefined,
  });
});

it('nothing is looked for once the time is over', async () => {
  const limit = new AbortController();
  const onLook = vi.fn();
  const model = says(no('tenancy'));
  const { generate } = model;
  const ending: LanguageModel = {
    ...model,
    async generate(prompt) {
      const reply = await generate(prompt);
      limit.abort();
      return reply;
    },
  };
  expect(await decided([OLD, NEWER], ending, { signal: limit.signal, onLook })).toMatchObject({
    phrases: [],
  });
  // What is newer was, before the first call.
  expect(onLook).toHaveBeenCalledOnce();
  const late = await decided(
    [OLD],
    { model: 'x', generate: () => new Promise(() => undefined) },
    { signal: limit.signal },
  );
  expect(late.failed).toBe('The language model took too long');
});
