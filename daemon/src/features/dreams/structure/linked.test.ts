import { describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { rem } from './rem.ts';
import { synthesize } from './synthesize.ts';
import { saying, type TestNote, viewOf } from './testing.ts';

describe('what two notes share', () => {
  const titles = (...values: readonly string[]) =>
    connect(viewOf(saying(...values))).map(({ title }) => title);

  it.each([
    ['PW-4093', 'The refund failed with PW-4093.', 'Marisol looks into PW-4093 next week.'],
    ['#1733', 'Mirrored stirrups, see issue #1733.', 'Bert asks about issue #1733 on the forum.'],
    ['E_TESSELLATE_TIMEOUT', 'Nightly red: E_TESSELLATE_TIMEOUT.', 'What is E_TESSELLATE_TIMEOUT?'],
    [
      'https://kb.example/a/12',
      'How to descale: https://kb.example/a/12.',
      'Sent Ida https://kb.example/a/12',
    ],
    ['src/mesh/faces.cpp', 'The leak is in src/mesh/faces.cpp.', 'Nobody edits src/mesh/faces.cpp by hand.'],
    ['0580453021', 'Fuel pump, 0580453021 stamped on it.', 'Gethin has an unused 0580453021.'],
    ['Sourdough', 'Feed it as in [[Sourdough]].', 'The oven of [[Sourdough|the bread]] is too hot.'],
  ])('%s', (title, one, other) => {
    const [found, ...more] = connect(viewOf(saying(one, other)));
    expect(found).toMatchObject({ title, change: { kind: 'link', from: 'n0', to: 'n1' } });
    expect(more).toEqual([]);
  });

  it.each([
    // Everybody's, a day, a home page, in code.
    ['It is UTF-8 here.', 'They use UTF-8 there.'],
    ['Backup 20260314 is fine.', 'Backup 20260314 was lost.'],
    ['See `x` in\n```\nABC-123\n```', 'See y in\n```\nABC-123\n```'],
    // They know each other.
    ['Refund: PW-4093.', 'Refund – PW-4093'],
    // More than a few have it.
    ['One PW-4093.', 'Two PW-4093.', 'Three PW-4093.', 'Four PW-4093.'],
    // A word with a capital is nothing rare.
    ["Don't touch it.", "They Don't care."],
  ])('nothing: %s | %s', (...values) => {
    expect(titles(...values)).toEqual([]);
  });

  it('is no news where one names the other', () => {
    const [one, other] = saying('The refund failed with PW-4093.', 'As in refunds/may: PW-4093.');
    if (!one || !other) throw new Error('two notes');
    expect(connect(viewOf([{ ...one, key: 'refunds/may' }, other]))).toEqual([]);
  });

  it('is no news within a conversation', () => {
    const notes = saying('The refund failed with PW-4093.', 'Look into PW-4093.');
    expect(connect(viewOf(notes.map((note) => ({ ...note, session: 's1' }))))).toEqual([]);
  });
});

describe('links that lead nowhere', () => {
  const dead = (notes: readonly TestNote[]) => rem(viewOf(notes)).map(({ title }) => title);
  const vault = [
    { key: 'Garden/Compost.md', value: '---\naliases: [Heap]\n---\n# Compost bin\nTurn it.' },
    {
      key: 'a.md',
      value: 'See [[Compost]], [[heap]], [[Compost bin#When|the bin]] and [[Garden/Compost.md]].',
    },
  ];

  it('are found where others lead somewhere', () => {
    const note = {
      key: 'b.md',
      value:
        'Ask [[Nora Lind|Nora]] about it.\n![[photo.png]] [[plan.pdf]] `[[code]]` [it](Garden/Compost.md)',
    };
    expect(dead([...vault, note])).toEqual(['[[Nora Lind|Nora]]']);
    expect(rem(viewOf([...vault, note]))[0]?.evidence).toEqual([
      { key: 'b.md', sentence: 'Ask [[Nora Lind|Nora]] about it.' },
    ]);
  });

  it('are none in code, in a template, or where pages live elsewhere', () => {
    expect(dead([...vault, { key: 'b.md', value: '```\n[[x]]\n```\nText {{date}} [[y]]' }])).toEqual([]);
    expect(dead([...vault, { key: 'templates/b.md', value: 'Text of [[y]]' }])).toEqual([]);
    expect(dead(saying('See [[One]].', 'See [[Two]].'))).toEqual([]);
  });
});

describe('a page', () => {
  const about = (key: string, value: string, tags: string[] = []) => ({ key, value, tags });
  const garden = ['Turn the compost.', 'Cut the hedge.', 'Bulbs lie in the shed.', 'The pump drips.'].map(
    (value, index) => about(`n${index}`, `${value} More of it.`, ['garden']),
  );
  const others = saying('The cat sleeps.', 'The car is red.', 'Tea at four.', 'Rain again.', 'A book.').map(
    (note) => ({ ...note, key: `o${note.key}` }),
  );

  it('is made of a tag, a folder or a name that four notes have, in their own sentences', () => {
    const [page, ...more] = synthesize(viewOf([...garden, ...others]));
    expect(more).toEqual([]);
    expect(page).toMatchObject({ title: 'garden', content: 'page garden' });
    expect(page?.evidence[0]).toEqual({ key: 'n0', sentence: 'Turn the compost.' });
    expect(page?.body).toContain('- Turn the compost. ("n0", 2026-06-01)');
    const inFolder = garden.map(({ value }, index) => about(`home/boat/${index}`, value));
    expect(synthesize(viewOf([...inFolder, ...others]))[0]?.title).toBe('boat');
  });

  it('is none where there is one, of three notes, or of days', () => {
    expect(synthesize(viewOf([...garden, ...others, about('garden', 'All of it.')]))).toEqual([]);
    expect(synthesize(viewOf([...garden.slice(1), ...others]))).toEqual([]);
    const days = garden.map(({ value }, index) => about(`walks/2026-05-0${index + 1}`, value));
    expect(synthesize(viewOf([...days, ...others]))).toEqual([]);
  });
});
