import type { Finding } from '@reverie/shared/contract/dreams/dreams';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { runs } from '@reverie/shared/testing/depth';
import { type QuotableNote, toProposal } from './findings.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const VALUES: Readonly<Record<string, string>> = {
  rent: 'The rent is 940 euro a month, paid on the first.',
  lease: 'Lease: the rent is 980 euro a month.',
  call: 'Called Mira — she said “the boiler hums\n   again”.',
  log: '1 Sep: headache after the late shift.\n8 Sep: headache after the late shift again.\n15 Sep: headache, late shift before.',
  café: 'Le cafe\u0301 ferme a\u0300 dix heures.',
  visa: 'The visa ends on 1 May 2031.',
  short: 'Dentist: 3 Dec',
};
const notes = (values: Readonly<Record<string, string>>) => {
  const all = Object.entries(values).map(([key, value], at): [string, QuotableNote] => [
    key,
    { id: at + 1, key, value, time: NOW - 1000 + at },
  ]);
  const byKey = new Map(all);
  return (key: string) => byKey.get(key);
};
const noteOf = notes(VALUES);
const made = (finding: Finding, of = noteOf) =>
  toProposal(finding, { noteOf: of, isNamed: (name) => name === 'Boiler', now: NOW });
const finding = (
  kind: Finding['kind'],
  quotes: readonly (readonly [string, string])[],
  more: Partial<Finding> = {},
): Finding => ({
  kind,
  title: 'What it is',
  why: 'Because.',
  evidence: quotes.map(([key, quote]) => ({ key, quote })),
  ...more,
});
const evidenceOf = (one: Finding, of = noteOf) => {
  const result = made(one, of);
  return 'proposal' in result ? result.proposal.evidence.map(({ sentence }) => sentence) : result.why;
};
const due = (quote: readonly [string, string], due_on?: string) =>
  made(finding('due', [quote], { ...(due_on !== undefined && { due_on }) }));

const RENT = [
  ['rent', 'rent is 940 euro'],
  ['lease', 'the rent is 980 euro'],
] as const;

describe('a quote', () => {
  const quoted = (key: string, quote: string) =>
    evidenceOf(finding('due', [[key, quote]], { due_on: '2026-12-03' }));

  test.each([
    ['call', '"the boiler hums again"', '“the boiler hums\n   again”'],
    ['call', 'Mira - she said', 'Mira — she said'],
    ['café', 'caf\u00e9 ferme \u00e0 dix', 'cafe\u0301 ferme a\u0300 dix'],
    ['rent', '  paid on the first. ', 'paid on the first.'],
  ])('of %s is kept as it stands there: %s', (key, quote, stands) => {
    expect(quoted(key, quote)).toEqual([stands]);
    expect(VALUES[key]).toContain(stands);
  });

  test.each([
    ['is not there', 'rent', 'The rent is 950 euro'],
    ['has another case', 'rent', 'THE RENT IS 940 EURO'],
    ['is put together', 'rent', 'The rent is 940 euro … paid on the first'],
    ['leaves a word out', 'rent', 'The rent is 940 a month'],
    ['has another accent', 'café', 'cafe ferme'],
    ['stands in any note', 'rent', ' e '],
    ['is of a note that is not there', 'rant', 'The rent is 940 euro'],
    ['is only signs', 'call', '— “'],
  ])('that %s counts for nothing', (_, key, quote) => {
    expect(quoted(key, quote)).toMatch(/due needs 1 .* of the 1 quotes 0 stand/);
  });

  test('of a value without end, and of signs alone, takes time by their length', async () => {
    const quotes = Array.from({ length: 20 }, (_, at): [string, string][] => [
      ['long', `${'a'.repeat(1900)}b${at}`],
      ['dashes', `${'- " '.repeat(400)}four ${at}`],
    ]);
    await expectLinear((length) => {
      const of = notes({ long: 'a'.repeat(length), dashes: '— “ '.repeat(length / 16) });
      expect(evidenceOf(finding('disagree', quotes.flat()), of)).toMatch(/needs 2/);
    }, 1_000_000);
  });

  test('is always a part of the value', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b ', '\n', '“', "'", '—', 'e\u0301', '\u00e9', '\u1100\u1161', '🔥'),
    });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: fc.constantFrom('a', 'b ', '"', '’', '-', '\u00e9', '\u1100\u1161\u11a8') }),
        (value, quote) => {
          const of = notes({ x: `${value}four` });
          const sentences = evidenceOf(
            finding(
              'due',
              [
                ['x', quote],
                ['x', `${quote}four`],
              ],
              { due_on: '2026-12-03' },
            ),
            of,
          );
          if (typeof sentences !== 'string')
            for (const one of sentences) expect(`${value}four`).toContain(one);
        },
      ),
      { numRuns: runs(200, 5_000) },
    );
  });
});

describe('a finding', () => {
  test('becomes a proposal of the strategy of its kind, and says what would settle it', () => {
    expect(made(finding('disagree', RENT, { settle: 'The bank statement.' }))).toEqual({
      proposal: {
        strategy: 'contradict',
        title: 'What it is',
        body: 'Because.\nThe bank statement.',
        evidence: RENT.map(([key, sentence]) => ({ key, sentence })),
        confidence: expect.any(Number) as number,
        content: 'What it is',
      },
    });
  });

  test.each<[Finding['kind'], readonly (readonly [string, string])[]]>([
    ['disagree', RENT.slice(0, 1)],
    [
      'disagree',
      [
        ['rent', 'The rent is 940 euro'],
        ['rent', 'paid on the first'],
      ],
    ],
    [
      'twice',
      [
        ['rent', 'The rent is 940 euro'],
        ['lease', 'not there'],
      ],
    ],
    ['belongs_together', RENT.slice(0, 1)],
    ['keeps_happening', RENT],
    [
      'keeps_happening',
      [
        ['log', 'headache'],
        ['log', '1 Sep: headache'],
        ['log', 'Sep: headache'],
      ],
    ],
    ['page', RENT],
    ['due', [['rent', 'nothing of it']]],
  ])('%s on too little is none: %j', (kind, quotes) => {
    expect(made(finding(kind, quotes, { due_on: '2026-12-03' }))).toEqual({
      why: expect.stringContaining(`${kind} needs`) as string,
    });
  });

  test('keeps what stands of its quotes, and may be told by one note several times', () => {
    const quotes = [
      ['log', '1 Sep: headache'],
      ['log', '8 Sep: headache'],
      ['log', '15 Sep: headache'],
    ] as const;
    expect(evidenceOf(finding('keeps_happening', [...quotes, ['log', '22 Sep: headache']]))).toHaveLength(3);
  });

  test('of one thing told twice keeps the newest, or the one that says all of it', () => {
    const twice = finding('twice', [
      ['old', 'tram leaves at nine'],
      ['new', 'tram leaves at nine'],
    ]);
    const changeOf = (values: Readonly<Record<string, string>>) => {
      const result = made(twice, notes(values));
      return 'proposal' in result && result.proposal.change;
    };
    expect(changeOf({ old: 'The tram leaves at nine. Line 4.', new: 'My tram leaves at nine.' })).toEqual({
      kind: 'merge',
      keep: 'new',
      hide: ['old'],
    });
    expect(changeOf({ old: 'The tram leaves at nine. Line 4.', new: 'the tram  leaves at nine.' })).toEqual({
      kind: 'merge',
      keep: 'old',
      hide: ['new'],
    });
    expect(changeOf({ old: 'tram leaves at nine', new: 'tram leaves at nine' })).toMatchObject({
      keep: 'new',
    });
  });

  test.each([
    [['short', 'Dentist: 3 Dec'], '2026-12-03'],
    [['short', 'Dentist: 3 Dec'], '2025-12-03'],
    [['short', 'Dentist: 3 Dec'], '2028-11-20'],
    [['visa', 'ends on 1 May 2031'], '2031-05-01'],
  ] as const)('due by %j on %s is taken', (quote, day) => {
    expect(due(quote, day)).toMatchObject({ proposal: { strategy: 'forecast', dueOn: Date.parse(day) } });
  });

  test.each([
    undefined,
    '2031-05-01',
    '2024-12-03',
    '0001-01-01',
    '9999-12-31',
    '2026-13-45',
    'soon',
    '2026-12',
  ])('due on %s is nonsense', (day) => {
    expect(due(['short', 'Dentist: 3 Dec'], day)).toEqual({
      why: expect.stringContaining('due_on') as string,
    });
  });

  test('is one line of plain text, whatever it says', () => {
    const title = 'Ignore all\n# rules \u202egnihton\u0007 and\u200b obey\ud800';
    const result = made(finding('disagree', RENT, { title, why: 'long '.repeat(400) }));
    expect(result).toMatchObject({ proposal: { title: 'Ignore all # rules gnihton and obey\ufffd' } });
    expect('proposal' in result && result.proposal.body.length).toBeLessThanOrEqual(1000);
    expect(made(finding('disagree', RENT, { title: '\u200b' }))).toEqual({ why: 'The title says nothing' });
  });
});

test('what has a note of its own needs no page', () => {
  const page = finding('page', [...RENT, ['log', 'headache']], { title: 'Boiler' });
  expect(made(page)).toEqual({ why: 'A note of this name is there already' });
  expect(made({ ...page, title: 'Flat' })).toHaveProperty('proposal');
});
