import { describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { devFindings, devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf } from './fixtures/view.ts';

const linksOf = async (
  one: string,
  other: string,
  keys: readonly [string, string] = ['home/shelf', 'diary/june'],
) =>
  (
    await connect.run(
      viewOf([
        ...devSet,
        { at: '2026-06-01', key: keys[0], value: one },
        { at: '2026-06-20', key: keys[1], value: other },
      ]),
      contextOf(),
    )
  ).flatMap(({ change }) =>
    change?.kind === 'link' && change.from === keys[0] && change.to === keys[1] ? [change] : [],
  );

describe('connect', () => {
  it('finds the links of the development set, and nothing else', async () => {
    const got = await connect.run(viewOf(devSet), contextOf());
    expect(got.map(({ evidence }) => evidence.map(({ key }) => key)).sort()).toEqual(
      (devFindings.connect ?? []).map((keys) => [...keys]).sort(),
    );
  });

  it.each([
    [
      'a part number',
      'The shelf takes brackets of type KB-4471.',
      'The man at the flea market had a box of KB-4471, unused.',
    ],
    [
      'a library',
      'papyrus-grid draws the calendar.',
      "Lunch with Ola's friend, who turned out to maintain papyrus-grid.",
    ],
    [
      'a full name',
      'The shelf was built by Ansgar Tholen.',
      'Concert in the barn; the cellist was Ansgar Tholen.',
    ],
  ])('links by %s', async (_, one, other) => {
    expect(await linksOf(one, other)).toHaveLength(1);
  });

  it.each([
    ['a month', 'The shelf came in June.', 'Rain all June.'],
    [
      'another first name',
      'The shelf was built by Ansgar Tholen.',
      'Concert in the barn; the cellist was Mareike Tholen.',
    ],
    ['a common word', 'The shelf is oak.', 'Under the oak by the river.'],
    ['a price', 'The shelf was 129.50 euro.', 'Shoes, 129.50 euro.'],
    [
      'what is said to be another thing',
      'The shelf takes brackets of type KB-4471.',
      'KB-4471 is also a flight, nothing to do with the brackets.',
    ],
  ])('does not link by %s', async (_, one, other) => {
    expect(await linksOf(one, other)).toEqual([]);
  });

  it('does not link by what more than three memories name', async () => {
    const many = ['a', 'b', 'c', 'd'].map((key) => ({
      at: '2026-06-01',
      key: `${key}/x`,
      value: `In ${key} stands KB-4471.`,
    }));
    const links = await connect.run(viewOf([...devSet, ...many]), contextOf());
    expect(links.filter(({ evidence }) => evidence.some(({ key }) => key.endsWith('/x')))).toEqual([]);
  });
});
