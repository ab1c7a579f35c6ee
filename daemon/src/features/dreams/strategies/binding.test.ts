import { describe, expect, it } from 'vitest';
import { devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf } from './fixtures/view.ts';
import { pattern } from './pattern.ts';

type Lines = readonly (readonly [at: string, value: string])[];
const keysOf = async (lines: Lines): Promise<readonly (readonly string[])[]> => {
  const told = lines.map(([at, value], index) => ({ at, key: `n${index}`, value }));
  const found = await pattern.run(viewOf([...devSet, ...told]), contextOf());
  return found
    .map(({ evidence }) => evidence.map(({ key }) => key))
    .filter((keys) => keys.some((key) => /^n\d+$/u.test(key)));
};

describe('what holds occasions together', () => {
  it.each<[string, Lines]>([
    [
      'a kind that is one thing by itself: misted windows',
      [
        ['2026-01-22', 'Could not see out of the Skoda, wiped the inside of the windscreen with my scarf.'],
        ['2026-02-24', 'Blower dead on the pass, drove with the windows down so that the glass would clear.'],
        ['2026-04-09', 'Had to stop at the mill, the screen had misted over from edge to edge.'],
        ['2026-05-30', 'Demister gave up for good behind Oakham.'],
      ],
    ],
    [
      'a kind that is one thing by itself: customers who do not come',
      [
        ['2026-01-30', 'Stood outside 9 Weir Street for twenty minutes, no sign of Aldo.'],
        ['2026-03-03', 'Nobody at the door of the Prandis, phone switched off.'],
        ['2026-04-16', 'Hedda slept in, her slot went by with me reading the paper.'],
      ],
    ],
    [
      'a verb of many things with a rare thing in half of it',
      [
        ['2026-02-10', 'Crates of Vandermolen stood in the yard, nobody had told us a thing.'],
        ['2026-04-21', 'Unannounced again: a driver of Vandermolen wanted the herbarium crates.'],
        ['2026-07-14', 'Half past seven, six crates of plates at the gate, and nobody had told me.'],
      ],
    ],
  ])('%s', async (_, lines) => {
    const found = await keysOf(lines);
    expect(found).toHaveLength(1);
    expect(found[0]?.length).toBeGreaterThanOrEqual(3);
  });

  it.each<[string, Lines]>([
    [
      'a verb of many things by itself',
      [
        ['2026-03-10', 'Aldo forgot his permit, so we did theory in the kitchen.'],
        ['2026-04-13', 'Hedda forgot her whistle and blew on her fingers instead.'],
        ['2026-07-16', 'I forgot to thaw the lamb.'],
      ],
    ],
    [
      'one word of two senses',
      [
        ['2026-03-24', 'Resolvo crashed when two people booked the same hour.'],
        ['2026-04-22', 'Two stags crashed through the wood in front of us.'],
        ['2026-08-05', 'A drawer crashed down the stairs with all the spoons.'],
      ],
    ],
    [
      'a headache of three people',
      [
        ['2026-02-18', 'Aldo has a headache from the violin next door.'],
        ['2026-04-04', 'Hedda cancelled, she has a headache and an essay.'],
        ['2026-06-03', 'Orsolya says that maths gives her a headache.'],
      ],
    ],
  ])('is not %s', async (_, lines) => {
    expect(await keysOf(lines)).toEqual([]);
  });
});
