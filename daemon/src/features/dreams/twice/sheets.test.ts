import { describe, expect, it } from 'vitest';
import { viewOf, type FixtureMemory } from '../testing/view.ts';
import { refineSheets } from './sheets.ts';

const notes: readonly FixtureMemory[] = [
  { at: '2026-03-01', key: 'bins', value: 'The bins go out on Thursday evening.' },
  { at: '2026-06-02', key: 'rubbish', value: 'Put the rubbish at the kerb the night before Friday.' },
  { at: '2026-06-03', key: 'rent', value: 'Rent is 620.' },
  { at: '2026-06-04', key: 'rent-longer', value: 'For the flat we pay 620 a month, due on the 3rd.' },
  { at: '2026-06-05', key: 'rent-new', value: 'For the flat we pay 685 a month.' },
  { at: '2026-06-06', key: 'essay', value: 'word '.repeat(200) },
];
const view = viewOf(notes);
const idOf = (key: string) => view.memories().find((memory) => memory.key === key)?.id ?? 0;
const found = (...pairs: readonly (readonly string[])[]) =>
  refineSheets.proposals(
    view,
    pairs.map((keys) => ({ quotes: keys.map((key) => ({ id: idOf(key), words: '' })), what: '' })),
  );

describe('what a model takes for the same', () => {
  it('is proposed as a merge that keeps the one that says more, with both as evidence', () => {
    expect(found(['bins', 'rubbish'])).toMatchObject([
      {
        strategy: 'refine',
        change: { kind: 'merge', keep: 'rubbish', hide: ['bins'] },
        evidence: [{ key: 'bins' }, { key: 'rubbish' }],
      },
    ]);
  });

  it('is told by what is said, and not by keys', () => {
    expect(found(['bins', 'rubbish']).map(({ title }) => title)).toEqual([
      'Said twice: "Put the rubbish at the kerb the night before Friday"',
    ]);
  });

  it('keeps the one that has a figure more, and is nothing where each has another', () => {
    expect(found(['rent', 'rent-longer'])).toMatchObject([
      { change: { keep: 'rent-longer', hide: ['rent'] } },
    ]);
    expect(found(['rent', 'rent-new'])).toEqual([]);
    expect(found(['rent-longer', 'rent-new'])).toEqual([]);
  });

  it('is one pair a memory, and two memories', () => {
    expect(found(['bins', 'rubbish'], ['bins', 'rent'])).toHaveLength(1);
    expect(found(['bins'], ['bins', 'rubbish', 'rent'])).toEqual([]);
  });

  it('is never a memory that the model saw a part of only', () => {
    expect(refineSheets.notes(view).map(({ key }) => key)).not.toContain('essay');
  });
});
