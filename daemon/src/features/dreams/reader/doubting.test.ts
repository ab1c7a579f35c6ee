import type { Strategy as StrategyName } from '@reverie/shared/contract/dream-strategies';
import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailure, type Prompt } from '../../../models/language-model.ts';
import { createJudge } from './judge.ts';
import { judgedWhole } from '../testing.ts';
import { connect } from '../linked/connect.ts';
import { contradictSheets } from '../disagreeing/sheets.ts';
import { dueSheets } from '../coming-up/sheets.ts';
import { quotesBelow, quotesOn } from '../testing/quoting.ts';
import { viewOf } from '../testing/view.ts';
import type { DreamView, Proposal, SheetTask, Strategy, StrategyContext } from '../strategies/strategy.ts';

/** What is answered to a prompt; what is no function is answered to any. */
const answerTo = (answer: unknown, prompt: string): unknown =>
  typeof answer === 'function' ? (answer as (prompt: string) => unknown)(prompt) : answer;

/** A model with an answer for sheets and one for claims; what is no answer of the schema is rubbish. */
function modelOf(onSheets: unknown, onClaims: unknown): LanguageModel & { asked: string[] } {
  const asked: string[] = [];
  return {
    model: 'fake',
    asked,
    generate<T>({ prompt, schema }: Prompt<T>) {
      asked.push(prompt);
      const read = schema.safeParse(answerTo(prompt.startsWith('Today is ') ? onClaims : onSheets, prompt));
      return read.success
        ? Promise.resolve({ value: read.data, tokens: 10 })
        : Promise.reject(new ModelFailure('garbage', 'something else'));
    },
  };
}

async function judged(
  model: LanguageModel,
  {
    name,
    sheets,
    nominees,
    view,
    found = [],
    known = new Set(),
  }: {
    name: StrategyName;
    sheets?: SheetTask;
    nominees?: Strategy['nominees'];
    view: DreamView;
    found?: readonly Proposal[];
    known?: Set<string>;
  },
) {
  const judge = createJudge([name], {
    known: (mark) => known.has(mark),
    answered: () => undefined,
    keep: (_, { marks }) => {
      for (const mark of marks) known.add(mark);
    },
  });
  const budget = { left: () => 50_000 };
  const context = { model, budget, cancelled: () => false, progress: () => undefined };
  return judgedWhole(judge, found, {
    strategy: { name, sheets, ...(nominees && { nominees }) },
    view,
    context,
  });
}

/** A link of the first two memories of a view. */
function linkOf(view: DreamView): Proposal {
  const evidence = view
    .memories()
    .slice(0, 2)
    .map(({ key, value }) => ({ key, sentence: value }));
  return { strategy: 'connect', title: 'a link', body: '', evidence, confidence: 0.8, content: 'link' };
}

const verdict = (holds: boolean) => (prompt: string) => ({
  verdicts: [{ id: 'p1', quotes: quotesBelow(prompt, 'p1'), why: '', holds }],
});

describe('a contradiction that a model found', () => {
  const view = viewOf([
    { at: '2026-01-24', key: 'skerry', value: 'Skerry keeps its snapshots for 14 days.' },
    { at: '2026-01-25', key: 'lunga', value: 'Lunga keeps its snapshots for 90 days.' },
    {
      at: '2026-07-18',
      key: 'home',
      value: 'Snapshots of Skerry older than six weeks are dropped at night.',
    },
  ]);
  const asking = { name: 'contradict' as const, sheets: contradictSheets, view };
  const found = (prompt: string) => ({
    found: [{ quotes: quotesOn(prompt, ['n1', 'n3']), what: 'snapshots of Skerry' }],
  });

  it('is looked at once more, beside what is nearest to it, and dropped for good where it does not hold', async () => {
    const known = new Set<string>();
    const model = modelOf(found, verdict(false));
    const first = await judged(model, { ...asking, known });
    expect(first.proposals).toEqual([]);
    expect(first.note).toMatch(/found 1; looked at 1 of 1 again, dropped 1$/);
    const [claim, ...more] = model.asked.filter((prompt) => prompt.startsWith('Today is '));
    expect(more).toEqual([]);
    expect(claim).toContain(
      'p1:\n1. Sat 24 January 2026 | skerry | Skerry keeps its snapshots for 14 days.\n2. Sat 18 July 2026 | home | ',
    );
    expect(claim).toContain('\n  near: Sun 25 January 2026 | lunga | Lunga keeps its snapshots for 90 days.');
    const asked = model.asked.length;
    await judged(model, { ...asking, known });
    expect(model.asked).toHaveLength(asked);
  });

  it.each([
    ['holds', verdict(true)],
    ['is passed over', { verdicts: [] }],
    ['is answered with rubbish', 'no'],
  ])('stands where it %s', async (_, answer) => {
    const { proposals } = await judged(modelOf(found, answer), asking);
    expect(proposals.map(({ evidence }) => evidence.map(({ key }) => key))).toEqual([['skerry', 'home']]);
  });
});

describe('what is due', () => {
  const book = 'The herring book goes back to the library by 21 November.';
  const view = viewOf(
    [
      { at: '2026-10-28', key: 'book', value: book },
      {
        at: '2026-11-01',
        key: 'council',
        value: 'The offer for the library roof must be with the council by 27 November.',
      },
      { at: '2026-11-11', key: 'back', value: 'Took the herring book back to the library.' },
    ],
    { now: '2026-11-15T09:00:00Z' },
  );
  const asking = { name: 'forecast' as const, sheets: dueSheets, view };
  const rule: Proposal = {
    strategy: 'forecast',
    title: '21 November 2026: the herring book',
    body: 'x',
    evidence: [{ key: 'book', sentence: book }],
    confidence: 0.9,
    content: 'due 2026-11-21',
  };
  const named = (notes: readonly string[], date?: unknown) => (prompt: string) => ({
    found: [{ quotes: quotesOn(prompt, notes), what: '', date }],
  });

  it('is judged with what was written later, and what a rule found is not told twice', async () => {
    const model = modelOf(named(['n1'], '2026-11-21'), verdict(false));
    const { proposals, note } = await judged(model, { ...asking, found: [rule] });
    expect(proposals).toEqual([]);
    expect(note).toMatch(/^fake judged 1 of 1, dropped 1/);
    expect(model.asked[0]).toContain('\n  later: Wed 11 November 2026 | back | Took the herring book back');
    expect(model.asked[0]).not.toContain('later: Wed 28 October');
    expect(model.asked.filter((prompt) => prompt.startsWith('Today is '))).toHaveLength(1);
  });

  it('is read beside what was written later, and told what day it is', async () => {
    const model = modelOf({ found: [] }, verdict(true));
    expect((await judged(model, asking)).proposals).toEqual([]);
    expect(model.asked[0]).toMatch(
      /^It is Sun 15 November 2026\.\n\nn1 Wed 28 October 2026 \| The herring book /,
    );
    expect(model.asked[0]).toContain('2026 | Took the herring book back');
  });

  it('is found though there is nothing else in the namespace, and not asked about again', async () => {
    const known = new Set<string>();
    const alone = viewOf([{ at: '2026-10-28', key: 'book', value: book }], { now: '2026-11-15T09:00:00Z' });
    const model = modelOf(named(['n1'], '2026-11-21'), verdict(true));
    const { proposals } = await judged(model, { ...asking, view: alone, known });
    expect(proposals.map(({ content }) => content)).toEqual(['due 2026-11-21']);
    const asked = model.asked.length;
    await judged(model, { ...asking, view: alone, known });
    expect(model.asked).toHaveLength(asked);
  });

  it.each([
    ['an id that is not there', named(['n9'], '2026-11-27')],
    ['a day that does not stand in the note', named(['n2'], '2026-12-27')],
    ['a day that is over', named(['n2'], '2026-11-01')],
    ['a number for a day', named(['n2'], 20261127)],
    ['no day', named(['n2'])],
    ['no note', named([], '2026-11-27')],
  ])('is nothing where a model names %s', async (_, answer) => {
    expect((await judged(modelOf(answer, verdict(true)), asking)).proposals).toEqual([]);
  });

  it('is found by the model where no rule did', async () => {
    const { proposals } = await judged(modelOf(named(['n2'], '2026-11-27'), verdict(true)), asking);
    expect(proposals.map(({ evidence, content }) => [evidence[0]?.key, content])).toEqual([
      ['council', 'due 2026-11-27'],
    ]);
  });
});

describe('what is due in two years', () => {
  const notes = [
    { at: '2026-01-10', key: 'lease', value: 'The landlord says that the lease runs out in two years.' },
    { at: '2026-01-12', key: 'tea', value: 'Tea with Ines in the yard, the cat came along.' },
  ];
  const told = (prompt: string) => ({
    found: [{ quotes: quotesOn(prompt, ['n1']), what: 'the lease runs out', date: '2028-01' }],
  });

  it('is read of again once it is near enough to be told, and then no more', async () => {
    const known = new Set<string>();
    const dreamAt = async (now: string) => {
      const model = modelOf(told, verdict(true));
      const asking = {
        name: 'forecast' as const,
        sheets: dueSheets,
        view: viewOf(notes, { now: `${now}T09:00:00Z` }),
        known,
      };
      const { proposals } = await judged(model, asking);
      return [proposals.length, model.asked.length];
    };
    expect(await dreamAt('2026-01-20')).toEqual([0, 1]);
    expect(await dreamAt('2026-06-20')).toEqual([0, 0]);
    expect(await dreamAt('2027-04-20')).toEqual([1, 2]);
    expect(await dreamAt('2027-04-21')).toEqual([0, 0]);
  });
});

describe('a link that is too doubtful to be proposed', () => {
  const view = viewOf([
    { at: '2026-03-01', key: 'lift', value: 'He drew the boat lift at Strépy.' },
    { at: '2026-08-01', key: 'guide', value: 'Joris is a guide at Strépy on weekends.' },
  ]);
  const nominees = (of: DreamView, context: StrategyContext) => connect.nominees?.(of, context) ?? [];
  const links = (model: LanguageModel, known?: Set<string>) =>
    judged(model, { name: 'connect', nominees, view, ...(known && { known }) });

  it('is proposed where a model says that it holds', async () => {
    const { proposals, note } = await links(modelOf({}, verdict(true)));
    expect(proposals.map(({ evidence }) => evidence.map(({ key }) => key))).toEqual([['lift', 'guide']]);
    expect(note).toContain('took 1 of 1 doubtful ones, of 1');
  });

  it.each([
    ['says that it does not', verdict(false)],
    ['passes it over', { verdicts: [] }],
    ['answers rubbish', 'yes'],
  ])('is not where it %s', async (_, answer) => {
    expect((await links(modelOf({}, answer))).proposals).toEqual([]);
  });

  it('is asked about once, even where it is passed over', async () => {
    const known = new Set<string>();
    await links(modelOf({}, { verdicts: [] }), known);
    const model = modelOf({}, verdict(true));
    expect((await links(model, known)).proposals).toEqual([]);
    expect(model.asked).toEqual([]);
  });

  it('is asked about no more after three answers of rubbish, where the model has sense otherwise', async () => {
    const known = new Set<string>();
    const other = { ...linkOf(view), content: 'link other' };
    const asked: number[] = [];
    for (let night = 0; night < 6; night++) {
      const [first, then] = [modelOf({}, verdict(true)), modelOf({}, 'yes')];
      const model: LanguageModel = {
        model: 'fake',
        generate: (prompt) => (first.asked.length === 0 ? first : then).generate(prompt),
      };
      await judged(model, { name: 'connect', nominees, view, known, found: [other] });
      asked.push(then.asked.length);
    }
    expect(asked).toEqual([1, 1, 1, 0, 0, 0]);
  });

  it('is asked about again however often the model was out of reach', async () => {
    const known = new Set<string>();
    const other = { ...linkOf(view), content: 'link other' };
    for (let night = 0; night < 4; night++) {
      const answers = modelOf({}, verdict(true));
      const model: LanguageModel = {
        model: 'fake',
        generate: (prompt) =>
          answers.asked.length === 0
            ? answers.generate(prompt)
            : Promise.reject(new ModelFailure('unreachable', 'it is off')),
      };
      await judged(model, { name: 'connect', nominees, view, known, found: [other] });
    }
    expect((await links(modelOf({}, verdict(true)), known)).proposals).toHaveLength(1);
  });

  it('is asked about again where the answer was rubbish', async () => {
    const known = new Set<string>();
    await links(modelOf({}, 'yes'), known);
    expect((await links(modelOf({}, verdict(true)), known)).proposals).toHaveLength(1);
  });
});
