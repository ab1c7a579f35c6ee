import { describe, expect, it } from 'vitest';
import { contradict } from './contradict.ts';
import { devAcceptable, devFindings, devSet } from './fixtures/dev-set.ts';
import { toldPairs } from './fixtures/told-pairs.ts';
import { contextOf, viewOf, type Written } from './fixtures/view.ts';
import { contradicting, together } from './fixtures/worded-pairs.ts';

const keysOf = async (written: readonly Written[]) =>
  (await contradict.run(viewOf(written), contextOf())).map(({ evidence }) =>
    evidence.map(({ key }) => key).sort(),
  );
const found = async (written: readonly Written[], pairs: readonly (readonly Written[])[]) => {
  const got = await keysOf(written);
  return pairs.filter((pair) => got.some((keys) => pair.every(({ key }) => keys.includes(key))));
};
/** Of what else is in a namespace depends how rare a word is. */
const beside = (written: readonly Written[]) => [...devSet, ...written];
const shareOf = async (pairs: readonly (readonly [Written, Written])[]) => {
  // A job proposes some twenty at most.
  const halves = [pairs.slice(0, pairs.length / 2), pairs.slice(pairs.length / 2)];
  const hits = await Promise.all(halves.map((half) => found(beside(half.flat()), half)));
  return hits.flat().length / pairs.length;
};

/** Told of one subject each: home, work, code, health, and other languages; the newer says that something changed. */
const CHANGED: readonly (readonly [string, string])[] = [
  [
    'The bin store opens with 5512.',
    'New keypad on the bin store since the break-in: it opens with 8047 now.',
  ],
  ['Standup is at 9:15 in the blue room.', 'We moved the standup: it starts at 10:30 now, same room.'],
  [
    'The parser repo uses yarn, see the lockfile.',
    'The parser repo has switched from yarn to pnpm, delete yarn.lock.',
  ],
  ['Theo is allergic to peanuts.', 'Theo eats peanuts again since the allergy test came back clear.'],
  [
    'Die Probe vom Chor beginnt dienstags um 19:30.',
    'Ab sofort beginnt die Probe vom Chor donnerstags um 19:30.',
  ],
  ['Le cours de piano est le lundi à 17h30.', 'Désormais le cours de piano est le jeudi à 17h30.'],
];
/** As plain as people put it, without a word of change. */
const PLAIN: readonly (readonly [string, string])[] = [
  ['The ledger database listens on port 5433.', 'The ledger database listens on port 5437.'],
  ['gate: the API runs on Node 20.', 'gate: the API runs on Node 22.'],
  ['The portal repo uses npm.', 'The portal repo uses pnpm.'],
  ['Rent for our flat is 620 a month.', 'Rent for the flat is now 685.'],
];
/** Alike, and no contradictions. */
const STAYED: readonly (readonly [string, string])[] = [
  ['The bin store opens with 5512.', 'The bicycle shed opens with 8047.'],
  ['Standup is at 9:15 in the blue room.', 'If we moved the standup to 10:30, Ravi could join.'],
  ['The parser repo uses yarn, see the lockfile.', 'The website repo uses pnpm, see the lockfile.'],
  ['Theo is allergic to peanuts.', "Theo's sister eats peanuts by the handful."],
  ['Die Probe vom Chor beginnt dienstags um 19:30.', 'Die Probe vom Chor beginnt dienstags um halb acht.'],
  ['Le cours de piano est le lundi à 17h30.', 'Le cours de violon est le jeudi à 17h30.'],
];
/** Alike, and of another time, another thing, or a wish: each was proposed once. */
const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['The Volvo has 61,300 km on the clock.', 'The Volvo has 66,870 km on the clock.'],
  ['Oak beams at the barn: 24 cm, 6 m, grade C.', 'Oak beams at the boathouse: 18 cm, 4 m, grade D.'],
  ['Physio 2 of 9 for my knee.', 'Physio 5 of 9 for my knee.'],
  ["Nina's pocket money is £7 a week.", 'Nina asks for £15 pocket money, like everybody else.'],
  ['The cello lesson is on Mondays at 17:15.', 'This week the cello lesson is on Friday instead.'],
  ['The library opens at 9:00.', "The library's reading room opens at 10:30."],
];
/** Said in other units, or of a name that the namespace explains. */
const MENDED: readonly (readonly [string, string])[] = [
  ['The safe in the office opens with 7719.', 'To open the safe in the office type 2286.'],
  ['The probe samples the tank every five minutes.', 'The probe samples the tank twice a minute now.'],
];
const writtenOf = ([older, newer]: readonly [string, string]): readonly [Written, Written] => [
  { at: '2026-02-10', key: 'older', value: older },
  { at: '2026-07-21', key: 'newer', value: newer },
];

describe('contradict', () => {
  it.each(CHANGED)('sees a change: %s / %s', async (...pair) => {
    const written = writtenOf(pair);
    expect(await found(beside(written), [written])).toHaveLength(1);
  });

  it.each(PLAIN)('sees two things said of one: %s / %s', async (...pair) => {
    const written = writtenOf(pair);
    expect(await found(beside(written), [written])).toHaveLength(1);
  });

  it.each(STAYED)('sees that both hold: %s / %s', async (...pair) => {
    const written = writtenOf(pair);
    expect(await found(beside(written), [written])).toEqual([]);
  });

  it.each(MENDED)('reads codes and how often: %s / %s', async (...pair) => {
    const written = writtenOf(pair);
    expect(await found(beside(written), [written])).toHaveLength(1);
  });

  it.each(ELSEWHERE)('says nothing of another time, thing or wish: %s / %s', async (...pair) => {
    const written = writtenOf(pair);
    expect(await found(beside(written), [written])).toEqual([]);
  });

  it('finds three of four that say two things of one in other words, without a word of change', async () => {
    expect(await shareOf(contradicting)).toBeGreaterThanOrEqual(0.75);
  });

  it('leaves alone nearly all pairs that are alike and both hold', async () => {
    expect(await shareOf(together)).toBeLessThanOrEqual(0.04);
  });

  it('finds most of those told among longer texts, and takes no twin for a side', async () => {
    const written = beside(toldPairs.flat());
    const sides = toldPairs.map((group) => group.slice(0, 2));
    expect((await found(written, sides)).length / sides.length).toBeGreaterThanOrEqual(0.6);
    const twins = toldPairs.flatMap(([a, b, c]) =>
      a && b && c
        ? [
            [a, c],
            [b, c],
          ]
        : [],
    );
    expect((await found(written, twins)).length).toBeLessThanOrEqual(1);
  });

  it('is right four times of five in the namespace of the fixtures', async () => {
    const got = await keysOf(devSet);
    const wanted = new Set((devFindings.contradict ?? []).map((keys) => [...keys].sort().join()));
    const hits = got.filter((keys) => wanted.has(keys.join()));
    // A value that moved is proposed as an update, and right as a contradiction, too.
    const updates = [...(devFindings.refine ?? []), ...(devAcceptable.refine ?? [])].map((keys) =>
      [...keys].sort().join(),
    );
    const isRight = (keys: readonly string[]): boolean =>
      wanted.has(keys.join()) || updates.includes(keys.join());
    expect(hits.length).toBeGreaterThanOrEqual(8);
    expect(hits.length / got.length).toBeGreaterThanOrEqual(0.75);
    expect(got.filter(isRight).length / got.length).toBeGreaterThanOrEqual(0.8);
  });

  it('says both values and dates, quotes word for word, names the newer, and says so again in the same way', async () => {
    const pair = writtenOf(CHANGED[1] ?? ['', '']);
    const view = viewOf(beside(pair));
    const values = new Map(view.memories().map(({ key, value }) => [key, value]));
    const proposals = await contradict.run(view, contextOf());
    const standup = proposals.find(({ evidence }) => evidence.some(({ key }) => key === 'newer'));
    expect(standup?.title).toContain('9:15 (10 February 2026) or 10:30 (21 July 2026)?');
    expect(standup?.body).toContain('The newer one, "newer", is more likely right.');
    for (const { evidence } of proposals)
      for (const { key, sentence } of evidence) expect(values.get(key)).toContain(sentence);
    expect(await contradict.run(viewOf(beside(pair)), contextOf())).toEqual(proposals);
  });

  it('proposes a memory once, however many it could speak against', async () => {
    const got = await keysOf(beside([...contradicting.flat(), ...together.flat()]));
    expect(new Set(got.flat()).size).toBe(got.flat().length);
  });

  it('stops where nobody wants the result any more', async () => {
    expect(await contradict.run(viewOf(devSet), contextOf({ cancelled: () => true }))).toEqual([]);
  });

  it('takes what follows the next verb for what that one is on', async () => {
    const tastes = [
      { at: '2026-06-01', key: 'older', value: 'Nico hates coriander.' },
      { at: '2026-07-05', key: 'newer', value: 'Nico loves parsley, hates coriander soup from Otto.' },
    ];
    expect((await keysOf(beside(tastes))).filter((keys) => keys.includes('older'))).toEqual([]);
  });
});
