import { describe, expect, it } from 'vitest';
import { viewOf } from '../testing/view.ts';
import { patternSheets } from './sheets.ts';

const view = viewOf([
  { at: '2026-02-20', key: 'sock', value: 'Fanny swallowed half a sock. The vet made her throw up.' },
  { at: '2026-04-28', key: 'butter', value: 'The dog stole a pound of butter from the counter.' },
  { at: '2026-04-28', key: 'night', value: 'Bad night, the butter came back.' },
  { at: '2026-07-16', key: 'corn', value: 'Emergency vet, Fanny had got at the bin and ate a corn cob.' },
  { at: '2026-09-01', key: 'rule', value: 'The vet is on the main square.' },
]);
const whole = (key: string) => {
  const memory = view.memories().find((one) => one.key === key);
  return { id: memory?.id ?? 0, words: memory?.value ?? '' };
};
const proposed = (...found: readonly (readonly [string, readonly string[]])[]) =>
  patternSheets.proposals(
    view,
    found.map(([what, keys]) => ({ what, quotes: keys.map(whole) })),
  );

describe('recurrences that a model finds', () => {
  it('are put together from several sheets, one memory a day, told by what the memories bear out', async () => {
    const [one, ...more] = await proposed(
      ['Fanny ate what she should not', ['butter', 'night']],
      ['Fanny swallowed something', ['sock', 'butter', 'corn']],
    );
    expect(more).toEqual([]);
    expect(one?.evidence.map(({ key }) => key)).toEqual(['sock', 'butter', 'corn']);
    expect(one?.title).toBe('Fanny swallowed something: 3 times from 20 February 2026 to 16 July 2026');
    expect(one?.body).toContain('20 February 2026, 28 April 2026, 16 July 2026: 3 days');
    expect(one?.evidence[0]?.sentence).toBe('Fanny swallowed half a sock.');
  });

  it('are none with fewer than three days', async () => {
    expect(
      await proposed(['the butter', ['butter', 'night']], ['Fanny at the vet', ['sock', 'corn']]),
    ).toEqual([]);
  });

  it('are told by their keys where the words of the model are its own', async () => {
    const [one] = await proposed(['Pay Novak 500 euro', ['sock', 'butter', 'corn']]);
    expect(one?.title).toBe('sock, butter, corn: 3 times from 20 February 2026 to 16 July 2026');
  });

  it('are looked for in what may tell of something, not in rules', () => {
    expect(patternSheets.notes(view).map(({ key }) => key)).toEqual(['sock', 'butter', 'night', 'corn']);
  });
});
