import { describe, expect, it } from 'vitest';
import { finders } from './index.ts';
import { sleep } from './sleep.ts';
import { saying, type TestNote, viewOf } from './testing.ts';

const found = (notes: readonly TestNote[], now?: string) => {
  const view = viewOf(notes, now === undefined ? {} : { now });
  return Object.values(finders).flatMap((find) => find(view));
};

/** Pages as they stand in vaults: properties, queries, formulas, tables, templates, ranges. */
const VAULT: readonly TestNote[] = [
  {
    key: 'Physics/Energy.md',
    value:
      '---\ntags: [physics]\ntype: concept\nstatus: draft\ncreated: 2026-01-03\n---\n# Energy\n\n$$E = mc^2$$\n\n$$F = ma$$\n\nSee [[Momentum]] and [[Mass]]. As Feynman put it, nobody knows what it is.',
  },
  {
    key: 'Physics/Momentum.md',
    value:
      '---\ntags: [physics]\ntype: concept\nstatus: done\ncreated: 2026-01-04\n---\n# Momentum\n\n$$p = mv$$\n\n$$F = ma$$\n\nSee [[Energy]].',
  },
  {
    key: 'Physics/Mass.md',
    value:
      '---\ntype: concept\nstatus: draft\n---\n# Mass\n\nplug-in:: parsed\n\n| Unit | Value |\n|---|---|\n| kg | 1 |\n| g | 1000 |\n\nSee [[Energy]].',
  },
  {
    key: 'Work/Report.md',
    value:
      '---\ntype: project\n---\n# Report\n\nCovers January–March 2026, published January 2027. The grant runs from 1 January 2026 to 31 December 2026.\n\n| Unit | Value |\n|---|---|\n| kg | 2 |\n',
  },
  {
    key: 'Work/Tasks.md',
    value:
      '---\ntype: list\n---\n# Tasks\n\n- [ ] Renew the passport by 2026-12-05\n- [x] Pay the rent by 2026-12-01\n- [ ] Call [[Nora]]\n',
  },
  {
    key: 'Templates/Daily.md',
    value: '# {{date}}\n\n- [ ] Plan the day until 2026-12-01\n\n[[{{yesterday}}]]',
  },
  { key: 'Daily/2026-11-01.md', value: '# Log\n\nDon’t forget the milk. Don’t be late.' },
  { key: 'Daily/2026-11-02.md', value: '# Log\n\nDon’t forget the milk. Don’t panic.' },
  { key: 'Daily/2026-11-03.md', value: '# Log\n\nDon’t forget the milk. Don’t wait.' },
];

describe('a vault', () => {
  it('starts with what is due and links that lead nowhere', () => {
    expect(found(VAULT).map(({ strategy, title }) => [strategy, title])).toEqual([
      ['rem', '[[Nora]]'],
      ['forecast', 'Renew the passport by 2026-12-05'],
    ]);
  });

  it('has exact twins, but for what a program writes', () => {
    const value = '# Stew\n\nBrown the meat, then the onions, then let it be for two hours.';
    const twins = [
      { key: 'Food/Stew.md', value },
      { key: 'Import/Stew 1.md', value: value.toUpperCase() },
      { key: 'Food/Empty.md', value: '# Tasks\n\n# Notes' },
      { key: 'Food/Empty 2.md', value: '# Tasks\n\n# Notes' },
    ];
    const merged = found([...VAULT, ...twins]).filter(({ strategy }) => strategy === 'refine');
    expect(merged.map(({ change }) => change)).toEqual([
      { kind: 'merge', keep: 'Import/Stew 1.md', hide: ['Food/Stew.md'] },
    ]);
  });
});

describe('all finders', () => {
  const notes = saying(
    'Passport expires on 14 March 2027.',
    'Key safe at the hut: 4471.',
    'Key safe at the hut: 9026.',
    'The refund failed with PW-4093.',
    'Marisol looks into PW-4093 next week.',
    ...['', ', roller', ', again'].map((more) => `Label printer in the dispensary jammed${more}.`),
    'Mrs. Petrie upstairs has our spare key.',
    'mrs petrie upstairs has our spare key',
  );

  it('find each its own, alike each time, with words of the notes', () => {
    const proposals = found(notes);
    expect(proposals.map(({ strategy }) => strategy)).toEqual([
      ...['refine', 'contradict', 'pattern', 'connect', 'forecast'],
    ]);
    expect(found(notes)).toEqual(proposals);
    for (const { evidence, title } of proposals) {
      expect(title.length).toBeLessThanOrEqual(200);
      for (const { key, sentence } of evidence)
        expect(notes.find((note) => note.key === key)?.value).toContain(sentence);
    }
  });

  it('find nothing in nothing', () => {
    expect(found([])).toEqual([]);
    expect(found(saying('', ' ', '---\n---\n', '# ', '|', '- [ ] ', '\u0000'))).toEqual([]);
  });
});

describe('what may rest', () => {
  const old = { key: 'old', value: 'Library books are due on 3 March 2024.', at: '2024-02-01' };
  const other = { key: 'other', value: 'The cat is well.', at: '2026-11-01' };
  const keys = (notes: readonly TestNote[], recalled: readonly string[]) =>
    sleep(viewOf(notes, { recalled })).map(({ change }) => change);

  it('was due over a year ago, and nobody asked for it', () => {
    expect(keys([old, other], ['other'])).toEqual([{ kind: 'archive', keys: ['old'] }]);
  });

  it('is nothing that was recalled, changed, is due, or says more; and nothing where nobody recalls', () => {
    expect(keys([old, other], ['old', 'other'])).toEqual([]);
    expect(keys([old, other], [])).toEqual([]);
    expect(keys([{ ...old, updatedAt: Date.parse('2026-10-01') }, other], ['other'])).toEqual([]);
    expect(keys([{ ...old, value: 'The car is red.' }, other], ['other'])).toEqual([]);
    expect(
      keys([{ ...old, value: `${old.value} The shelf is blue. It is high.` }, other], ['other']),
    ).toEqual([]);
  });
});
