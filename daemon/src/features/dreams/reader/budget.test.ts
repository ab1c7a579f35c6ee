import { expect, it } from 'vitest';
import { z } from 'zod';
import type { LanguageModel, Prompt } from '../../../models/language-model.ts';
import type { KeptFinding } from '../jobs/job-state.ts';
import { createJudge } from './judge.ts';
import { mostTokens } from './within-budget.ts';
import { judgedWhole } from '../testing.ts';
import { contradictSheets } from '../disagreeing/sheets.ts';
import { quotesBelow, quotesOn } from '../testing/quoting.ts';
import { viewOf } from '../testing/view.ts';
import { refineSheets } from '../twice/sheets.ts';
import type { Proposal } from '../strategies/strategy.ts';

/** Enough for some sheets; of every four, two say otherwise what the others say. */
const view = viewOf(
  Array.from({ length: 160 }, (_, n) => ({
    at: new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString().slice(0, 10),
    key: `note-${n}`,
    value: `The boiler of house ${n >> 2} was set to ${40 + (n % 4)} degrees by the caretaker of that house in the ${['cellar', 'attic', 'yard', 'hall'][n % 4]}.`,
  })),
);
const link: Proposal = {
  strategy: 'connect',
  title: 'boiler',
  body: 'Both name it.',
  evidence: view
    .memories()
    .slice(0, 2)
    .map(({ key, value }) => ({ key, sentence: value })),
  confidence: 0.8,
  content: 'link boiler',
};

/** A model that names the first two notes of each sheet, says yes to everything, and takes four letters a token. */
function spending(budget: number) {
  const asked: string[] = [];
  let left = budget;
  const model: LanguageModel = {
    model: 'fake',
    generate<T>({ system, prompt, schema }: Prompt<T>) {
      asked.push(prompt);
      const ids = [...prompt.matchAll(/^p\d+(?=:)/gmu)].map(([id]) => id);
      const told = prompt.startsWith('Today is ')
        ? {
            verdicts: ids.map((id) => ({ id, quotes: quotesBelow(prompt, id), why: '', holds: true })),
          }
        : { found: [{ quotes: quotesOn(prompt, ['n1', 'n2']), what: '' }] };
      const tokens = Math.ceil((system.length + prompt.length + JSON.stringify(told).length) / 4);
      left -= tokens;
      return Promise.resolve({ value: schema.parse(told), tokens });
    },
  };
  const context = {
    model,
    budget: { left: () => left },
    cancelled: () => false,
    progress: () => undefined,
  };
  return { asked, context, left: () => left };
}

function judgeWith(known: Set<string>) {
  return createJudge(['refine', 'contradict', 'connect', 'forecast'], {
    known: (mark) => known.has(mark),
    answered: () => undefined,
    keep: (_, { marks }) => {
      for (const mark of marks) known.add(mark);
    },
  });
}
const contradict = { name: 'contradict' as const, sheets: contradictSheets };

it.each([8_000, 12_000, 20_000])(
  'what was found on sheets is always looked at once more: %d tokens are not all read away',
  async (budget) => {
    const { asked, context, left } = spending(budget);
    const judge = createJudge(['contradict'], {
      known: () => false,
      answered: () => undefined,
      keep: () => undefined,
    });
    const { note, proposals } = await judgedWhole(judge, [], { strategy: contradict, view, context });
    const of = /found (\d+); looked at (\d+) of (\d+) again/u.exec(note ?? '');
    expect(Number(of?.[1])).toBeGreaterThan(0);
    expect(of?.[2]).toBe(of?.[3]);
    expect(proposals).toHaveLength(Number(of?.[1]));
    expect(asked.at(-1)).toMatch(/^Today is /);
    expect(left()).toBeGreaterThanOrEqual(0);
  },
);

it('dreams read on until all is read, and say how far they are', async () => {
  const known = new Set<string>();
  const shares: number[] = [];
  for (let night = 0; night < 30; night++) {
    const { context } = spending(9_000);
    const judge = judgeWith(known);
    const { reading } = await judgedWhole(judge, [], { strategy: contradict, view, context });
    if (!reading) throw new Error('nothing was read');
    const { read, of, tokens_left: tokens } = reading;
    shares.push(read / of);
    expect(of).toBe(160 * contradictSheets.turns.length);
    expect(tokens === 0).toBe(read === of);
    if (tokens === 0) break;
  }
  expect(shares.length).toBeGreaterThan(2);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

it('what rules propose is judged before anything is read, then what asks little, then what has read least', async () => {
  const known = new Set<string>();
  const { asked, context } = spending(1_000_000);
  const judge = judgeWith(known);
  const open = (found: Proposal[], strategy: Parameters<typeof judge.open>[1]['strategy']) =>
    judge.open(found, { strategy, view, context });
  const refine = await open([], { name: 'refine', sheets: refineSheets });
  await judge.conclude(refine);
  asked.splice(0);
  const again = judgeWith(known);
  const opened = [
    await open([], { name: 'refine', sheets: refineSheets }),
    await open([], contradict),
    await open([link], { name: 'connect' }),
    await open([], { name: 'forecast' }),
  ];
  expect(asked.map((prompt) => prompt.startsWith('Today is '))).toEqual([true]);
  expect(again.inOrder(opened).map(({ strategy }) => strategy.name)).toEqual([
    'forecast',
    'connect',
    'contradict',
    'refine',
  ]);
});

it('what failed keeps nothing of the budget from the others', async () => {
  const askedBeside = async (...failed: Proposal['strategy'][]) => {
    const { asked, context } = spending(12_000);
    const judge = createJudge([...failed, 'contradict'], {
      known: () => false,
      answered: () => undefined,
      keep: () => undefined,
    });
    const [opened] = judge.inOrder([await judge.open([link], { strategy: contradict, view, context })]);
    if (opened) await judge.conclude(opened);
    return asked.length;
  };
  expect(await askedBeside('refine', 'forecast')).toBe(await askedBeside());
});

it('a second look at what was found before a dream was broken off takes no more than is left', async () => {
  const [marks, found] = [new Set<string>(), new Array<KeptFinding>()];
  const first = spending(1_000_000);
  const reader = createJudge(['contradict'], {
    known: () => false,
    answered: () => undefined,
    keep(_, kept) {
      if (first.asked.at(-1)?.startsWith('Today is ')) return;
      for (const mark of kept.marks) marks.add(mark);
      found.push(...(kept.found ?? []));
    },
  });
  await judgedWhole(reader, [], { strategy: contradict, view, context: first.context });

  const refused: number[] = [];
  for (let budget = 400; budget <= 4_000; budget += 100) {
    const { context } = spending(budget);
    const model: LanguageModel = {
      model: 'fake',
      generate(prompt) {
        const most = mostTokens({ ...prompt, schema: z.toJSONSchema(prompt.schema) });
        if (most > context.budget.left()) refused.push(budget);
        return context.model.generate(prompt);
      },
    };
    const judge = createJudge(['contradict', 'refine'], {
      known: (mark) => marks.has(mark),
      answered: (name) => (name === 'contradict' ? { found: found.slice(0, 3), held: {} } : undefined),
      keep: () => undefined,
    });
    const opened = [
      await judge.open([], { strategy: contradict, view, context: { ...context, model } }),
      await judge.open([], {
        strategy: { name: 'refine', sheets: refineSheets },
        view,
        context: { ...context, model },
      }),
    ];
    expect(opened[0]?.asked?.planned?.sheets).toEqual([]);
    const [one] = judge.inOrder(opened).filter(({ strategy }) => strategy.name === 'contradict');
    if (one) await judge.conclude(one);
  }
  expect(refused).toEqual([]);
});
