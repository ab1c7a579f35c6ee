import { describe, expect, it } from 'vitest';
import { devFindings, devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf, type Written } from './fixtures/view.ts';
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

  const updatesOf = async (one: string, other: string, more: Partial<Written> = {}) =>
    (
      await refine.run(
        viewOf([
          ...devSet,
          { at: '2026-03-01', key: 'older', value: one, ...more },
          { at: '2026-06-01', key: 'newer', value: other, ...more },
        ]),
        contextOf(),
      )
    ).flatMap(({ change, title }) =>
      change?.kind === 'update' && change.key === 'older' ? [{ ...change, title }] : [],
    );

  it.each([
    [
      'a port',
      'The quill editor listens on port 8081. It needs no password.',
      'The quill editor listens on port 9181 now.',
      'The quill editor listens on port 9181. It needs no password.',
    ],
    [
      'a weekday',
      'Pottery with Corinna is on Tuesdays.',
      'Since May pottery with Corinna is on Thursdays.',
      'Pottery with Corinna is on Thursdays.',
    ],
    [
      'a number in words',
      "Six eggs go into Corinna's sponge.",
      "Corinna's sponge: four eggs go into it, she corrected me.",
      "Four eggs go into Corinna's sponge.",
    ],
    [
      'a tool',
      'The quill repo installs with yarn.',
      'The quill repo installs with pnpm now.',
      'The quill repo installs with pnpm.',
    ],
    [
      'what is told from old to new',
      'Rent of the studio is 410 euro.',
      'Rent of the studio was raised from 410 to 440 euro.',
      'Rent of the studio is 440 euro.',
    ],
  ])('brings up to date %s that moved', async (...[, one, other, value]) => {
    expect(await updatesOf(one, other)).toEqual([
      { kind: 'update', key: 'older', value, title: expect.stringContaining('"older" says') as string },
    ]);
  });

  it.each([
    [
      'nobody says that it changed',
      'The quill editor listens on port 8081.',
      'The quill editor listens on port 9181.',
    ],
    [
      'it is another one',
      'The quill editor listens on port 8081.',
      'The Vellum editor listens on port 9181 now.',
    ],
    ['it is a reading', 'Weighed the dog of Corinna, 18 kg.', 'Weighed the dog of Corinna, 17 kg now.'],
    [
      'it is asked',
      'The quill editor listens on port 8081.',
      'Does the quill editor listen on port 9181 now?',
    ],
    [
      'it is planned',
      'The quill editor listens on port 8081.',
      'The quill editor will listen on port 9181 instead.',
    ],
    [
      'it is of another kind',
      'The quill editor listens on port 8081.',
      'The quill editor listens at 10:30 now.',
    ],
    [
      'several values differ',
      'The quill editor takes 8 pages and 3 fonts.',
      'The quill editor takes 9 pages and 4 fonts now.',
    ],
  ])('leaves a value where %s', async (_, one, other) => {
    expect(await updatesOf(one, other)).toEqual([]);
    // The same with what says that it changed, so that the silence is not for want of a pair.
    expect(
      await updatesOf('The quill editor has 8 columns.', 'The quill editor has 9 columns now.'),
    ).toHaveLength(1);
  });

  it('leaves a value that moved within one conversation', async () => {
    const [one, other] = ['The quill editor has 8 columns.', 'The quill editor has 9 columns now.'];
    expect(await updatesOf(one, other, { session: 's' })).toEqual([]);
  });
});
