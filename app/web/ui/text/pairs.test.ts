import { expect, test } from 'vitest';
import { pairLines, pairsLine, pairsOf } from './pairs.ts';

test('an object is read by names as people write them, whatever lies within it', () => {
  const sent = {
    exit_code: 1,
    dryRun: false,
    steps: ['a', 'b'],
    none: null,
    empty: {},
    disk: { used: 0.97, at: 'db-2' },
    tries: [{ ok: true }],
  };
  const pairs = pairsOf(sent);
  expect(pairs).toEqual([
    ['Exit code', '1'],
    ['Dry run', 'no'],
    ['Steps', 'a, b'],
    ['None', '–'],
    ['Empty', '–'],
    [
      'Disk',
      [
        ['Used', '0.97'],
        ['At', 'db-2'],
      ],
    ],
    ['Tries', [['1', [['Ok', 'yes']]]]],
  ]);
  expect(pairLines(pairs).slice(5)).toEqual([
    'Disk:',
    '  Used: 0.97',
    '  At: db-2',
    'Tries:',
    '  1:',
    '    Ok: yes',
  ]);
  expect(pairsLine(pairs.slice(4, 6))).toBe('Empty: – · Disk: (Used: 0.97 · At: db-2)');
});

test('what lies very deep stands as it was sent', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as Record<string, unknown>;
  expect(pairLines(pairsOf(deep)).length).toBeLessThan(10);
});
