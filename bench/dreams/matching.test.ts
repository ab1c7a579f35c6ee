import { describe, expect, test } from 'vitest';
import { judge, namesDay, type Planted, precision, type Proposed, recall, score } from './matching.ts';
import { plantedSet } from './planted.ts';

const proposal = (more: Partial<Proposed>): Proposed => ({
  strategy: 'contradict',
  due_on: null,
  title: 't',
  body: 'b',
  evidence: ['a', 'b'],
  change: null,
  confidence: 1,
  ...more,
});
const planted: Planted = {
  findings: [
    { id: 'c1', kind: 'contradiction', evidence: ['a', 'b'], detail: {} },
    { id: 'c2', kind: 'contradiction', evidence: ['x', 'y', 'z'], detail: {} },
    { id: 'd1', kind: 'due_date', evidence: ['p'], detail: { date: '2026-10-05' } },
  ],
  decoys: [
    { kind: 'contradiction', evidence: ['m', 'n'], why: 'two people' },
    { kind: 'duplicate', evidence: ['u', 'v'], why: 'moved', only: 'merge' },
  ],
  acceptable: [
    { kind: 'contradiction', evidence: ['m', 'o'], why: 'fine' },
    { kind: 'duplicate', evidence: ['u', 'v'], why: 'moved', only: 'update' },
    { kind: 'due_date', evidence: ['q'], why: 'fine', date: '2026-11-01' },
  ],
};

describe('a proposal', () => {
  test.each<[string, Partial<Proposed>, unknown]>([
    ['with two keys of a finding hits it', { evidence: ['z', 'x', 'k'] }, { kind: 'hit', findings: ['c2'] }],
    ['with one key of it is false', { evidence: ['x', 'k'] }, { kind: 'false', decoy: null }],
    ['of another kind is false', { strategy: 'refine' }, { kind: 'false', decoy: null }],
    ['may be acceptable', { evidence: ['o', 'm'] }, { kind: 'acceptable' }],
    ['may fall for a decoy', { evidence: ['m', 'n'] }, { kind: 'false', decoy: 'two people' }],
    ['of what is not scored has no verdict', { strategy: 'sleep' }, undefined],
    [
      'that merges what has moved is false',
      { strategy: 'refine', evidence: ['u', 'v'], change: { kind: 'merge', keep: 'u', hide: ['v'] } },
      { kind: 'false', decoy: 'moved' },
    ],
    [
      'that updates what has moved is fine',
      { strategy: 'refine', evidence: ['u', 'v'], change: { kind: 'update', key: 'u', value: 'w' } },
      { kind: 'acceptable' },
    ],
    [
      'of a date needs the date',
      { strategy: 'forecast', evidence: ['p'], title: '5 October 2026' },
      { kind: 'hit', findings: ['d1'] },
    ],
    [
      'of a wrong date is false',
      { strategy: 'forecast', evidence: ['p'], title: '6 October 2026' },
      { kind: 'false', decoy: null },
    ],
    [
      'of an acceptable date needs it',
      { strategy: 'forecast', evidence: ['q'], title: '2026-11-02' },
      { kind: 'false', decoy: null },
    ],
  ])('%s', (_, more, expected) => {
    expect(judge(proposal(more), planted)).toEqual(expected);
  });
});

test('a day is found however it is written, and no other day', () => {
  for (const text of [
    '2026-10-05',
    'on 5 October 2026',
    '5th of Oct 2026',
    'October 5, 2026',
    'Oct. 05 2026',
  ])
    expect(namesDay(`due ${text}.`, '2026-10-05')).toBe(true);
  for (const text of [
    '15 October 2026',
    '2026-10-15',
    '5 November 2026',
    '5 October 2025',
    'October 51, 2026',
  ])
    expect(namesDay(text, '2026-10-05')).toBe(false);
});

test('a month is named by itself, and by each of its days', () => {
  for (const text of ['2027-02', 'ends in February 2027', 'by 28 February 2027', 'Feb 3, 2027', '2027-02-14'])
    expect(namesDay(text, '2027-02')).toBe(true);
  for (const text of ['2027-03-02', 'February 2026', 'February', '2 March 2027'])
    expect(namesDay(text, '2027-02')).toBe(false);
});

test('the development set is read as the planted ones are, and its due dates have their day or month', () => {
  const { memories, planted: set } = plantedSet('development-set');
  const keys = new Set(memories.map(({ key }) => key));
  const due = set.findings.filter(({ kind }) => kind === 'due_date');
  expect(due.length).toBeGreaterThan(10);
  expect(due.map(({ detail }) => detail.date)).toSatisfy((dates: unknown[]) =>
    dates.every((date) => typeof date === 'string' && /^\d{4}-\d\d(?:-\d\d)?$/u.test(date)),
  );
  for (const { evidence } of [...set.findings, ...set.decoys, ...set.acceptable])
    for (const key of evidence) expect(keys).toContain(key);
});

test('several proposals of one finding count once for recall, and none is false', () => {
  const proposals = [
    proposal({}),
    proposal({ evidence: ['b', 'a', 'k'] }),
    proposal({ evidence: ['m', 'o'] }),
    proposal({ evidence: ['m', 'n'] }),
  ];
  const scored = score('contradict', 'contradiction', { proposals, planted });
  expect(scored).toEqual({
    name: 'contradict',
    proposals: 4,
    hits: 2,
    acceptable: 1,
    wrong: 1,
    decoys: 1,
    found: 1,
    of: 2,
  });
  expect([recall(scored), precision(scored)]).toEqual([0.5, 2 / 3]);
});
