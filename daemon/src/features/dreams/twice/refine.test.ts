import { describe, expect, it } from 'vitest';
import { keysOf, orders, type Pair, written } from '../testing/pairs.ts';
import { contextOf, viewOf, type FixtureMemory } from '../testing/view.ts';
import { refine } from './refine.ts';

const TWICE: readonly Pair[] = [
  ['The spare key hangs behind the water meter.', 'the spare key  hangs behind the water meter'],
  ['Never sand pipe metal dry.', 'NEVER SAND PIPE METAL DRY!'],
  ['Use `make lint` before pushing!', 'Use make lint before pushing'],
  ['**Wifi password** of the cabin: tulip42', 'Wifi password of the cabin: tulip42'],
  ['# Bin day\n- paper on Monday\n- glass on Friday', 'Bin day\n\n* paper on Monday\n* glass on Friday'],
  ['Docs of kestrel are at [the wiki](https://wiki.test/kestrel).', 'Docs of kestrel are at the wiki.'],
  ["Juno's shoe size is 35, Stan's is 34.", "juno's shoe size is 35; Stan's is 34"],
  ['The gate of the quay: pull, lift, push.', 'the gate of the quay - pull, lift, push'],
  ['Die Bücherei schließt mittwochs um 18:00.', 'die Bücherei schließt mittwochs um 18:00'],
  ['Le boulanger ferme le lundi après-midi.', 'le boulanger ferme le lundi après-midi !'],
  [
    'The vet in Hollins Lane wants to be called before noon.',
    'Before noon the vet in Hollins Lane wants to be called.',
  ],
  [
    'The router hangs in the hallway, behind the coats.',
    'Behind the coats, in the hallway, hangs the router.',
  ],
  [
    'Weight is always in grams, parcel dimensions in millimetres.',
    'Parcel dimensions always in millimetres, weight is in grams.',
  ],
  [
    'For hiking boots one size bigger. Tomasz has shoe size 44.',
    'Tomasz has shoe size 44. For hiking boots one size bigger.',
  ],
  [
    'The Kita closes at 15:00 on Fridays and at 16:30 on the other days.',
    'On Fridays the Kita closes at 15:00, and on the other days at 16:30.',
  ],
  [
    'Cover for quay walls: 55 mm on the water side, 40 mm on the land side.',
    'Cover for quay walls: 40 mm on the land side, 55 mm on the water side.',
  ],
  [
    'Biscuit is afraid of the generator and of men with rucksacks.',
    'Biscuit is afraid of men with rucksacks and of the generator.',
  ],
  ['Feed the hens before letting Pepper out.', 'Before letting Pepper out, feed the hens.'],
  [
    'lockwatch sends no messages between 22:00 and 6:00.',
    'Between 22:00 and 6:00 lockwatch sends no messages.',
  ],
  [
    'Two parts sugar and one part water make the syrup for the bees.',
    'The syrup for the bees: 2 parts sugar and 1 part water make it.',
  ],
  [
    'Clara plays the cello in the youth orchestra on Mondays.',
    'On Mondays Clara plays the cello in the youth orchestra.',
  ],
];

const NOT_TWICE: readonly Pair[] = [
  ['Finished *Dune* on the train, four stars.', 'Finished *Stoner* on the train, four stars.'],
  [
    'ticket QV-310: labels of the Molnar printer come out mirrored',
    'the Molnar printer reads its margins from the driver, not from the file',
  ],
  ['The search box of the intranet runs on Solr 8.', 'The search box of the intranet runs on Solr 9.'],
  ['The barn is insured against hail.', 'The barn is not insured against hail.'],
  ['My shoe size is 43, wide fit.', 'Her shoe size is 43, wide fit.'],
  ['Anna owes Ben 5 euros for the tickets.', 'Ben owes Anna 5 euros for the tickets.'],
  [
    'Cover for quay walls: 55 mm on the water side, 40 mm on the land side.',
    'Cover for quay walls: 40 mm on the water side, 55 mm on the land side.',
  ],
  ['The orders API needs a token.', 'The users API needs a token.'],
  ['Water the ficus before the holiday.', 'Water the ficus after the holiday.'],
  ['The left window of the attic sticks.', 'The right window of the attic sticks.'],
  ['The old key fits the cellar door.', 'The new key fits the cellar door.'],
  ['Yes, please.', 'yes please'],
  ['Restarted the router.', 'restarted the router'],
  [
    'The fuse board tripped when the immersion went on.',
    'When the immersion went on the fuse board tripped.',
  ],
  ['Emptied the dehumidifier in the cellar.', 'emptied the dehumidifier in the cellar'],
  ['Paid Molnar for the kitchen tiles.', 'For the kitchen tiles paid Molnar.'],
  ['Chapter 3 is with the editor.', 'Chapter 4 is with the editor.'],
  ['The train leaves Oslo for Bergen at 8:00.', 'The train leaves Bergen for Oslo at 8:00.'],
  ['The gym opens at 7 and closes at 22.', 'The gym opens at 22 and closes at 7.'],
  ['Clara plays the cello in the youth orchestra.', 'Clara plays the viola in the youth orchestra.'],
  ['Deploy with kestrel to staging on Mondays.', 'Deploy with kestrel to production on Mondays.'],
  ['Labels for wet wood are written in pencil on Tyvek.', 'Labels for wet wood are written in ink on Tyvek.'],
  ['Max size of an upload: max_size is 20.', 'Max size of an upload: min_size is 20.'],
];

const proposed = async (notes: readonly FixtureMemory[]) => refine.run(viewOf(notes), contextOf());
describe.each(orders)('two notes %s', (_, notesOf) => {
  it.each(TWICE)('say the same: %s | %s', async (...pair) => {
    expect(keysOf(await proposed(notesOf(pair)))).toEqual([['one', 'other']]);
  });
  it.each(NOT_TWICE)('do not: %s | %s', async (...pair) => {
    expect(keysOf(await proposed(notesOf(pair)))).toEqual([]);
  });
});

describe('refine', () => {
  it('keeps the oldest of three that are equal', async () => {
    const value = 'The spare key of the loft is with Mrs Laurent.';
    const [proposal, ...more] = await proposed([
      { at: '2026-05-01', key: 'b', value },
      { at: '2026-03-01', key: 'a', value },
      { at: '2026-06-01', key: 'c', value: value.toUpperCase() },
    ]);
    expect(more).toEqual([]);
    expect(proposal).toMatchObject({
      confidence: 0.99,
      change: { kind: 'merge', keep: 'a', hide: ['b', 'c'] },
    });
  });

  it('says how many differ in a word only', async () => {
    const said: string[] = [];
    const view = viewOf(
      written(
        ['Clara plays the cello in the youth orchestra.', 'Clara plays the viola in the youth orchestra.'],
        ['2026-01-02', '2026-01-02'],
      ),
    );
    await refine.run(view, contextOf({ leaves: (what) => said.push(what) }));
    expect(said).toEqual(['1 pair differs in one word; a model would tell whether it says the same']);
  });
});
