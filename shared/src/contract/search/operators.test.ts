import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../testing/linear.ts';
import { runs } from '../../testing/depth.ts';
import { MOST_OPERATORS, namespacesIn, understandQuery } from './operators.ts';
import { daysOf } from '../days.ts';

const read = (query: string, namespace = 'default') => {
  const { text, filters } = understandQuery(query, namespace);
  return [text, ...filters.map(({ kind, value }) => `${kind}=${value}`)];
};

describe('the operators of a query', () => {
  it.each([
    ['rollout tag:adr', 'rollout', 'tag=adr'],
    ['tag:adr', '', 'tag=adr'],
    ['tag:adr, tag:"to do" rollout', 'rollout', 'tag=adr', 'tag=to do'],
    ['class:error timeout', 'timeout', 'class=error'],
    ['budget before:2026-03 after:2025', 'budget', 'before=2026-03', 'after=2025'],
    ['budget after:2026-3-5.', 'budget', 'after=2026-03-05'],
    ['jaguar -car', 'jaguar', 'without=car'],
    ['jaguar -"sports car" speed', 'jaguar speed', 'without=sports car'],
    ['-Größe Tisch', 'Tisch', 'without=Größe'],
    ['the "exact words" of it', 'the "exact words" of it', 'exact=exact words'],
    ['“exact words”, she said', '“exact words”, she said', 'exact=exact words'],
    ['(not) "a b"!', '(not) "a b"!', 'exact=a b'],
  ])('%s', (query, text, ...filters) => {
    expect(read(query)).toEqual([text, ...filters]);
  });

  it('narrows a search of everything to namespaces, and never widens one', () => {
    expect(read('in:work plan', '*')).toEqual(['plan', 'in=work']);
    expect(read('in:"my notes" in:work', '*')).toEqual(['', 'in=my notes', 'in=work']);
    expect(read('in:work plan', 'work')).toEqual(['plan', 'in=work']);
    expect(read('in:work plan', 'user/42')).toEqual(['in:work plan']);
  });

  it('knows the words that are in none', () => {
    expect(understandQuery('all tag:adr “exact words” of -it -mine', 'x').rest).toEqual(['all', 'of', '-it']);
  });

  it('names a date that no calendar has', () => {
    expect(understandQuery('plan before:2026-13 after:2026-02-30', '*')).toEqual({
      text: 'plan before:2026-13 after:2026-02-30',
      filters: [],
      rest: ['plan', 'before:2026-13', 'after:2026-02-30'],
      wrong: ['before:2026-13', 'after:2026-02-30'],
    });
  });
});

describe('plain words', () => {
  it.each([
    'C++ -O2',
    '-5 degrees',
    'rm -rf /tmp',
    'git commit -m --amend',
    'well-known co-op',
    'foo:bar tag: x',
    'http://in:80/ https://example.org/tag:x?in:y',
    'std::class:error',
    'class:Foo before:lunch after:10:30',
    'offset before:4096ms',
    'an "unclosed quote and a -',
    '5"x3" wood',
    'say"what"now',
    '"" " " "!?"',
    'a - b – c',
    'notag:x (tag:x',
    'log: "a" "b", "c" "d" and "e"',
    `a pasted "${'a_'.repeat(17)}"`,
  ])('%s', (query) => {
    expect(read(query, '*')).toEqual([query]);
  });
});

describe('any text', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      ...[
        'tag:',
        'in:',
        'class:error',
        'before:',
        'after:2026-1',
        '2026-02-30',
        '-',
        '"',
        '“',
        '”',
        ' ',
        '\n',
      ],
      ...['word', 'tag:a', 'in:b', '-word', '"a b"', '.', ',', '99', 'é', '猫', '🎉'],
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const texts = fc.array(pieces, { maxLength: 60 }).map((some) => some.join(''));

  it('is read, and stays as it is where it has no operator', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('*', 'default', 'b'), (query, namespace) => {
        const { text, filters, wrong } = understandQuery(query, namespace);
        expect(filters.length).toBeLessThanOrEqual(MOST_OPERATORS);
        for (const { kind, value } of filters) {
          expect(value).not.toBe('');
          expect(query).toContain(kind === 'before' || kind === 'after' ? value.slice(0, 4) : value);
          if (kind === 'before' || kind === 'after') expect(daysOf(value)).toBeDefined();
        }
        for (const piece of wrong) expect(query).toContain(piece);
        if (filters.every(({ kind }) => kind === 'exact')) expect(text).toBe(query);
        // What is left has letters of the query alone, in their order.
        let at = 0;
        for (const letter of text) {
          at = query.indexOf(letter === ' ' ? '' : letter, at);
          expect(at).toBeGreaterThanOrEqual(0);
          if (letter !== ' ') at += letter.length;
        }
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  it('means the same when its text is read once more', () => {
    fc.assert(
      fc.property(texts, (query) => {
        const { text, filters } = understandQuery(query, '*');
        if (filters.length >= MOST_OPERATORS) return;
        const exact = filters.filter(({ kind }) => kind === 'exact');
        expect(understandQuery(text, '*').filters).toEqual(exact);
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  it.each(['"', '“', 'tag:', '-"', 'tag:"', '-a ', 'tag:.', 'tag:x.', '"a', '-ab', ' '])(
    'is read in the time that its length says, be it nothing but %j',
    (piece) =>
      expectLinear(
        (length) => understandQuery(piece.repeat(Math.floor(length / piece.length)), '*'),
        131_072,
      ),
  );
});

it('knows when a year, a month and a day begin and end', () => {
  const days = (date: string) => {
    const found = daysOf(date);
    return found && [found.from, found.to].map((time) => new Date(time).toISOString().slice(0, 10));
  };
  expect(days('2026')).toEqual(['2026-01-01', '2027-01-01']);
  expect(days('2026-12')).toEqual(['2026-12-01', '2027-01-01']);
  expect(days('2024-02-29')).toEqual(['2024-02-29', '2024-03-01']);
  expect([days('2026-00'), days('2025-02-29'), days('2026-02-30')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe('the namespaces that a query is about', () => {
  const within = (query: string) =>
    namespacesIn(understandQuery(query, '*').filters, (one) => one !== 'private');

  it('are those that it names, and never one that may not be read', () => {
    const named = within('tea in:work in:private in:home');
    expect(['work', 'home', 'private', 'other'].map((one) => named?.(one))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('are all that may be read where it names none', () => {
    const all = within('tea');
    expect(['work', 'private'].map((one) => all?.(one))).toEqual([true, false]);
    expect(namespacesIn([])).toBeUndefined();
    expect(namespacesIn(understandQuery('tea in:work', '*').filters)?.('work')).toBe(true);
  });
});
