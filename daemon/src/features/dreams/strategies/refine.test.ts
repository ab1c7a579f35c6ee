import { describe, expect, it } from 'vitest';
import { devFindings, devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf } from './fixtures/view.ts';
import { refine } from './refine.ts';

const texts = (...values: readonly (string | readonly [at: string, value: string])[]) =>
  viewOf(
    values.map((one, index) =>
      typeof one === 'string'
        ? { at: '2026-03-01', key: `m${index}`, value: one }
        : { at: one[0], key: `m${index}`, value: one[1] },
    ),
  );
const keysOf = async (view: ReturnType<typeof viewOf>) =>
  (await refine.run(view, contextOf())).map(({ evidence }) => evidence.map(({ key }) => key));

describe('refine', () => {
  it('merges what is the same but for case, punctuation and white space, and keeps the oldest', async () => {
    const view = texts(
      ['2026-05-01', 'The   spare key is with Mrs. Laurent'],
      ['2026-03-01', 'the spare key is with Mrs Laurent.'],
    );
    const [proposal] = await refine.run(view, contextOf());
    expect(proposal).toMatchObject({ confidence: 0.99, change: { kind: 'merge', keep: 'm1', hide: ['m0'] } });
  });

  it.each([
    [
      'other order',
      'The router hangs behind the coats, in the hallway.',
      'In the hallway, behind the coats, hangs the router.',
    ],
    [
      'a typing error',
      'Corinna teaches ceramics in the old brewery.',
      'Corinna teaches ceramcis in the old brewery.',
    ],
    [
      'other words',
      'Ferries to Vis leave Split at 11:00 and 18:30.',
      'From Split the ferry to Vis departs at 11:00 and 18:30.',
    ],
    [
      'a number as a word',
      'Water the ficus every nine days, never more.',
      'Water the ficus every 9 days, never more.',
    ],
    [
      'a short rule with other punctuation',
      'Use `make tidy` before pushing!',
      'Use make tidy before pushing',
    ],
    [
      'an evening called night',
      'Glass goes out on Monday night, cartons every other week.',
      'Put the glass out on Monday evening, cartons every second week.',
    ],
    [
      'a taste in other words',
      'Corinna hates marzipan.',
      "No cake with marzipan for Corinna, she can't stand the stuff.",
    ],
    [
      'a bound said from its other side',
      "Corinna's lathe takes nothing longer than two metres.",
      "Beams over 2 m are too much for Corinna's lathe.",
    ],
    [
      'what is to be asked first',
      'Refunds above 100 euro need the OK of Corinna.',
      'Before paying back more than a hundred euro, Corinna has to have said yes.',
    ],
    [
      'an instruction whose words stand elsewhere',
      'If the kiln controller hangs, reset its relay before anything else.',
      'When the kiln controller gets stuck, the first thing to reset is the relay of it.',
    ],
    [
      'a word more for the same thing',
      'Oliver needs his climbing things on Tuesdays.',
      'On a Tuesday Oliver has to have his climbing bag with him.',
    ],
    [
      'what somebody says',
      'Glaze over 30 kg is stored in the cellar.',
      'Agent note (Otter): store glaze of more than 30 kg in the cellar, Corinna says.',
    ],
  ])('merges %s', async (_, one, other) => {
    expect(await keysOf(texts(one, other))).toEqual([['m0', 'm1']]);
  });

  it('merges an instruction about what happens again, and not what happened again', async () => {
    const merged = (one: string, other: string) => keysOf(texts(['2026-03-01', one], ['2026-05-01', other]));
    expect(
      await merged(
        'If the kiln door jams again, lift the handle and push for five seconds.',
        'When the kiln door jams, lift the handle and push for five seconds.',
      ),
    ).toEqual([['m0', 'm1']]);
    expect(
      await merged(
        'The kiln door jams again, lifted the handle and pushed for five seconds.',
        'The kiln door jams, lifted the handle and pushed for five seconds.',
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'another number',
      'The router of the studio is at 10.0.0.4.',
      'The router of the studio is at 10.0.0.5.',
    ],
    ['another weekday', 'The studio is cleaned every Monday.', 'The studio is cleaned every Friday.'],
    ['a negation', 'The studio lift carries bicycles.', 'The studio lift carries no bicycles.'],
    [
      'another name',
      'Corinna has the key of the studio.',
      'Oliver has the key of the studio. Corinna asked Oliver.',
    ],
    ['another side', 'The left tap of the studio drips.', 'The right tap of the studio drips.'],
    ['one name for another', 'Base every PR on `develop`.', 'Base every PR on `main`.'],
    [
      'the taste of somebody who is only named beside',
      'Corinna hates marzipan.',
      "Corinna's brother hates marzipan.",
    ],
    ['other words in one slot', 'Corinna drinks tea.', 'Corinna drinks coffee.'],
    [
      'what one of them explains by another thing',
      'The studio sends mail through the relay of the trust.',
      'ECONNRESET from the relay of the trust while the studio sends mail.',
    ],
    ['little text', 'Yes, please.', 'Yes, please.'],
    [
      'a narrower allergy',
      'Corinna is allergic to nuts, the boy says.',
      'Corinna is allergic to pine nuts, the boy says.',
    ],
    ['a narrower taste', 'Corinna hates mondays.', 'Corinna hates meetings on mondays.'],
    [
      'a bound and its opposite',
      "Corinna's lathe takes nothing longer than two metres.",
      "Corinna's lathe takes beams longer than 2 m.",
    ],
    [
      'two bounds',
      'Glaze over 30 kg is stored in the cellar.',
      'Agent note (Otter): store glaze of less than 30 kg in the cellar, Corinna says.',
    ],
    [
      'what may be done, and what is to be asked first',
      'Refunds above 100 euro need the OK of Corinna.',
      'Before paying back more than a hundred euro, wait for two days.',
    ],
    [
      'one word for another of like meaning',
      'Corinna prefers a dark theme in the editor.',
      'Corinna prefers a light theme in the editor.',
    ],
    [
      'several words in the place of others',
      'The kiln fans of the Wilgenhof run on the 12 volt circuit.',
      'The bilge pump of the Wilgenhof runs on the 12 volt circuit.',
    ],
    [
      'a part of it',
      'Our lease ends on 31 December 2026.',
      'The lease of the garage ends on 31 December 2026.',
    ],
    [
      'one who does it besides',
      'Corinna keeps a spare key to the studio.',
      'Oliver has a spare key to the studio, Corinna says.',
    ],
    [
      'what is so from then on',
      'Oliver needs his climbing things on Tuesdays.',
      'Oliver has climbing on Tuesdays now, without any things.',
    ],
    ['a plan', 'Studio dumps go to the cellar.', 'Plan: move the studio dumps to the cellar.'],
    ['a taste and several', 'Corinna cannot stand fish.', 'Corinna hates fish and capers, likes prawns.'],
  ])('does not merge %s', async (_, one, other) => {
    expect(await keysOf(texts(one, other))).toEqual([]);
  });

  it.each([
    ["The neighbour's lease ends on 31 December 2026.", 'Our lease ends on 31 December 2026.'],
    [
      'The password of the staging router is on the back of the box.',
      'The password of the router is on the back of the box.',
    ],
  ])('does not merge what belongs to another, or stands on a side: %s', async (one, other) => {
    const pair = [one, other].map((value, index) => ({ at: '2026-03-01', key: `m${index}`, value }));
    expect(await keysOf(viewOf([...devSet, ...pair]))).not.toContainEqual(['m0', 'm1']);
  });

  it.each([
    ['The build of the mobile app broke again.', 'The build of the mobile app broke again.'],
    ['Forgot the rent, Corinna reminded me.', 'Corinna reminded me of the rent, I forgot it.'],
    ['Label printer of the studio jammed.', 'Label printer of the studio jammed, cleaned the roller.'],
    [
      'Renewed the studio certificate by hand, the bot is blind.',
      'Renewed the studio certificate by hand, blind bot.',
    ],
    ['StudioHandover failed, passed on retry.', 'StudioHandover red in CI, retry passed.'],
    ['Corinna paid late, nine days over.', 'Corinna paid late, nine days over, Oliver will send a letter.'],
    ['Corinna at the studio wants the kiln light softer.', "Studio's kiln light: softened, Corinna content."],
    ['Correction: never edit the studio table by hand.', 'Correction: never edit the studio table by hand!'],
    [
      'Agent: forgot nvm use; npm test failed with Node 18.',
      'Agent: forgot nvm use; npm test failed with Node 18.',
    ],
  ])('does not merge what happened on two days: %s', async (one, other) => {
    expect(await keysOf(texts(['2026-03-01', one], ['2026-04-01', other]))).toEqual([]);
    // Of one day it is one occasion, told twice.
    expect(await keysOf(texts(['2026-03-01', one], ['2026-03-01', one]))).toEqual([['m0', 'm1']]);
  });

  it('merges what is so every second week', async () => {
    const pair = [
      'Bins: glass goes out on Monday night, cartons every other week.',
      'Put the glass out on Monday evening, the cartons only every second week.',
    ];
    expect(await keysOf(texts(['2026-03-01', pair[0] ?? ''], ['2026-08-01', pair[1] ?? '']))).toEqual([
      ['m0', 'm1'],
    ]);
  });

  it('merges a rule with the request to keep it', async () => {
    const pair = [
      'Release notes: past tense, no emoji, no names in the heading.',
      'Write release notes in the past tense, without emoji and without names in the heading line.',
    ].map((value, at) => ({ at: '2026-03-01', key: `m${at}`, value }));
    expect(await keysOf(viewOf([...devSet, ...pair]))).toContainEqual(['m0', 'm1']);
  });

  it('finds the duplicates of the development set and the values that moved, and nothing else', async () => {
    const moved = [
      ['kids/sem/swim', 'kids/sem/swim/2'],
      ['work/node', 'work/node/2'],
    ];
    expect((await keysOf(viewOf(devSet))).sort()).toEqual(
      [...(devFindings.refine ?? []), ...moved].map((keys) => [...keys]).sort(),
    );
  });

  it('quotes word for word, and ends when it is cancelled', async () => {
    const view = viewOf(devSet);
    const values = new Map(view.memories().map(({ key, value }) => [key, value]));
    for (const { evidence } of await refine.run(view, contextOf()))
      for (const { key, sentence } of evidence) expect(values.get(key)).toContain(sentence);
    expect(await refine.run(viewOf(devSet), contextOf({ cancelled: () => true }))).toEqual([]);
  });
});
