import { describe, expect, it } from 'vitest';
import { contextOf, viewOf, type Written } from './fixtures/view.ts';
import { devSet } from './fixtures/dev-set.ts';
import { rem } from './rem.ts';
import type { Proposal } from './strategy.ts';

const quotes = (proposals: readonly Proposal[], written: readonly Written[]) => {
  const values = new Map(written.map(({ key, value }) => [key, value]));
  expect(proposals.length).toBeGreaterThan(0);
  for (const { evidence, title } of proposals) {
    expect(title.length).toBeLessThanOrEqual(200);
    expect(evidence.length).toBeGreaterThan(0);
    for (const { key, sentence } of evidence) expect(values.get(key)).toContain(sentence);
  }
};

describe('rem', () => {
  const chain: readonly Written[] = [
    { at: '2026-02-01', key: 'hobby/kite', value: 'The kite reel takes bearings of type QX-8814.' },
    {
      at: '2026-05-01',
      key: 'market/crate',
      value: 'A crate with QX-8814 bearings and a manual for the Zundorf-77 press.',
    },
    { at: '2026-08-01', key: 'print/shop', value: 'The print shop by the canal still runs a Zundorf-77.' },
  ];

  it('finds the far end of a chain, and says by way of what', async () => {
    const far = viewOf([...devSet, ...chain], { neighbours: () => [] });
    const [proposal] = (await rem.run(far, contextOf())).filter(({ evidence }) =>
      evidence.some(({ key }) => key === 'print/shop'),
    );
    expect(proposal?.evidence.map(({ key }) => key)).toEqual(['hobby/kite', 'market/crate', 'print/shop']);
    expect(proposal?.change).toEqual({ kind: 'link', from: 'hobby/kite', to: 'print/shop' });
  });

  it('goes on from a link by a person whom a few memories name', async () => {
    const written = [
      { at: '2026-02-01', key: 'van/pump', value: 'Stamped on the fuel pump of the van: 0580453021.' },
      {
        at: '2026-05-01',
        key: 'garages',
        value: 'Ysolde clears her garage out, an unused 0580453021 in it.',
      },
      { at: '2026-07-01', key: 'attic', value: 'The attic ladder was lent to Ysolde.' },
      { at: '2026-08-01', key: 'sensors', value: 'Ysolde sells boards at cost, ten or more.' },
    ];
    const view = viewOf([...devSet, ...written], { neighbours: () => [] });
    const proposals = await rem.run(view, contextOf());
    quotes(proposals, [...devSet, ...written]);
    expect(proposals.map(({ evidence }) => evidence.map(({ key }) => key))).toContainEqual([
      'van/pump',
      'garages',
      expect.stringMatching(/attic|sensors/u),
    ]);
    // Without the link there is nothing to go on from.
    const apart = written.map((one) => ({
      ...one,
      value: one.value.replace('an unused 0580453021', 'a pump'),
    }));
    expect(await rem.run(viewOf([...devSet, ...apart], { neighbours: () => [] }), contextOf())).toEqual([]);
  });

  it('is silent about what is near anyway, what is one topic, and what is linked by one thing', async () => {
    const one = chain.map((memory) => ({ ...memory, value: `${memory.value} QX-8814.` }));
    expect(await rem.run(viewOf(one), contextOf())).toEqual([]);
    const same = chain.map((memory, index) => ({ ...memory, key: `workshop/bearings-${index}` }));
    expect(await rem.run(viewOf(same, { neighbours: () => [] }), contextOf())).toEqual([]);
    const near = chain.map((memory, index) => ({ id: index + 1, rank: index + 1, cosine: 0.9, memory }));
    expect(await rem.run(viewOf(chain, { neighbours: () => near }), contextOf())).toEqual([]);
  });
});
