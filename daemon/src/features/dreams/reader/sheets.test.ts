import { describe, expect, it } from 'vitest';
import { type SheetPlan, sheetsOf } from './sheets.ts';

const TURNS = 2;
const turnsOf = (most: number) => Array.from({ length: TURNS }, () => ({ most, room: 8_000 }));

/** Three topics of twenty memories each; a memory is nearest to those of its topic, and nearer the closer their numbers are. */
const affinities = new Map(
  Array.from({ length: 60 }, (_, id) => [
    id,
    new Map(
      Array.from({ length: 60 }, (_, other) => other)
        .filter((other) => other !== id && (other % 3 === id % 3 || Math.abs(other - id) < 3))
        .map((other) => [other, 1 / (4 + Math.abs(other - id)) / (other % 3 === id % 3 ? 1 : 4)]),
    ),
  ]),
);
const plan = (over: Partial<SheetPlan> = {}): number[][] => [
  ...sheetsOf({
    affinities,
    turns: turnsOf(12),
    lengthOf: () => 100,
    turnsOf: () => 0,
    missesOf: () => 0,
    isStopped: () => false,
    ...over,
  }),
];
const count = (sheets: readonly (readonly number[])[], id: number) =>
  sheets.filter((sheet) => sheet.includes(id)).length;

describe('sheets of memories', () => {
  it('hold every memory often enough, beside what is most like it, and none twice', () => {
    const sheets = plan();
    for (const id of affinities.keys()) {
      expect(count(sheets, id)).toBeGreaterThanOrEqual(TURNS);
      expect(sheets.some((sheet) => sheet.includes(id) && sheet.includes(id < 3 ? id + 3 : id - 3))).toBe(
        true,
      );
    }
    for (const sheet of sheets) expect(new Set(sheet).size).toBe(sheet.length);
    expect(Math.max(...sheets.map(({ length }) => length))).toBe(12);
  });

  it('have the nearest pair on the first one, and are the same each time', () => {
    const near = new Map([...affinities].map(([id, of]) => [id, new Map(of)]));
    near.get(20)?.set(47, 9);
    near.get(47)?.set(20, 9);
    const [first] = plan({ affinities: near });
    expect(first).toEqual(expect.arrayContaining([20, 47]));
    expect(plan()).toEqual(plan());
  });

  it('hold no more than there is room for', () => {
    const lengthOf = (id: number) => (id === 30 ? 7_000 : 900);
    for (const sheet of plan({ lengthOf }))
      expect(sheet.reduce((sum, id) => sum + lengthOf(id), 0)).toBeLessThanOrEqual(8_000);
  });

  it('are made for what was not read yet; the others come along as company', () => {
    expect(plan({ turnsOf: () => TURNS })).toEqual([]);
    const sheets = plan({ turnsOf: (id) => (id === 30 ? 0 : TURNS) });
    expect(sheets.length).toBeLessThanOrEqual(TURNS);
    for (const sheet of sheets) expect(sheet).toContain(30);
    expect(sheets[0]).toEqual(expect.arrayContaining([27, 30, 33]));
  });

  it('go on the next night where they ended, and put nobody beside the same ones again', () => {
    const sheets = plan();
    for (const nth of [1, 3, sheets.length - 1]) {
      const read = sheets.slice(0, nth);
      expect(plan({ turnsOf: (id) => Math.min(TURNS, count(read, id)) })).toEqual(sheets.slice(nth));
    }
  });

  it('have no line for what has next to nothing to do with them, and no question for what is not near', () => {
    const far = new Map([...affinities].map(([id, of]) => [id, new Map(of)]));
    far.set(60, new Map([[7, 0.01]]));
    far.get(7)?.set(60, 0.01);
    expect(count(plan({ affinities: far }).slice(0, 5), 60)).toBe(0);
    expect(plan({ affinities: far, turns: [{ most: 12, room: 8_000, near: 0.02 }] }).flat()).not.toContain(
      60,
    );
  });

  it('do not end up with what has to do with everything on all of them', () => {
    const hub = new Map([...affinities].map(([id, of]) => [id, new Map(of).set(60, 0.05)]));
    hub.set(60, new Map([...affinities.keys()].map((id) => [id, 0.05])));
    const sheets = plan({ affinities: hub });
    expect(count(sheets, 60)).toBeLessThan(0.4 * sheets.length);
  });

  it('come last, and smaller, where the model had no answer of use; what had none three times is left', () => {
    const missesOf = (id: number) => (id % 3 === 1 ? 1 : id % 3 === 2 ? 3 : 0);
    const sheets = plan({ missesOf });
    const hasMissed = (sheet: readonly number[]) => sheet.some((id) => missesOf(id) > 0);
    const first = sheets.findIndex(hasMissed);
    expect(first).toBeGreaterThan(0);
    expect(sheets.slice(first).every(hasMissed)).toBe(true);
    expect(Math.max(...sheets.slice(first).map(({ length }) => length))).toBe(6);
    for (let id = 0; id < 60; id += 1) expect(count(sheets, id) > 0).toBe(id % 3 !== 2);
  });

  it('are none for nobody, and none once a dream is cancelled', () => {
    expect(plan({ affinities: new Map() })).toEqual([]);
    expect(plan({ isStopped: () => true })).toEqual([]);
  });
});
