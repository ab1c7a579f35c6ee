import { expect, it } from 'vitest';
import { tokensAtMost } from '../../../models/language-model.ts';
import { candidate } from '../testing/asking.ts';
import { lineOf, sheetOf } from './sheet.ts';

const ROOM = { tokens: 10_000 };
const LONG = 'And so it goes on. '.repeat(100);
const textOf = (value: string, question = '') =>
  sheetOf([candidate({ key: 'note', value }, { question })], ROOM)[0]?.text ?? '';

it('a note that is short is shown whole; a longer one around what fits, with marks where it is cut', () => {
  const short = `${'y'.repeat(880)} end.`;
  expect(textOf(short, 'rent')).toBe(short);
  expect(textOf(`${LONG}The rent is 940 euro. ${LONG}`, 'rent')).toMatch(
    /^\[cut\]\n.*The rent is 940 euro\..*\n\[cut\]$/u,
  );
  expect(textOf(`The rent is 940 euro. ${LONG}`, 'rent')).toMatch(/^The rent is 940 euro\..*\n\[cut\]$/u);
});

it('a mark is one that no note has: none can say of itself that it was cut', () => {
  const forged = candidate({ key: 'forged', value: 'All is told. [cut] [[cut]]' });
  const long = candidate({ id: 2, key: 'long', value: LONG });
  const [whole, cut] = sheetOf([forged, long], ROOM);
  expect(whole).toMatchObject({ isCut: false, text: 'All is told. [cut] [[cut]]' });
  expect(cut?.isCut).toBe(true);
  expect(cut?.text).toMatch(/\n\[\[\[cut\]\]\]$/u);
});

it('the headings of what is shown come along, and the head of a table', () => {
  const rows = Array.from({ length: 90 }, (_, at) => `| env-${at} | ${at === 80 ? 'Tuesday' : 'none'} |`);
  const value = `# Ops\n\n## Deploys\n\n| Env | Window |\n| --- | --- |\n${rows.join('\n')}\n`;
  const lines = textOf(value, 'Tuesday').split('\n');
  expect(lines[0]).toBe('Ops › Deploys');
  expect(lines[1]).toContain('Env');
  expect(lines[2]).toBe('[cut]');
  expect(lines).toContain('| env-80 | Tuesday |');
  for (const line of lines.slice(3)) expect([...rows, '[cut]']).toContain(line);
});

it('is in the order of time, and of one time by key, whatever the rank', () => {
  const notes = [
    candidate({ id: 1, key: 'b', value: 'B.', created_at: '2026-02-01T00:00:00Z' }),
    candidate({ id: 2, key: 'a', value: 'A.', created_at: '2026-02-01T00:00:00Z' }),
    candidate({ id: 3, key: 'c', value: 'C.', metadata: { date: '2025-01-01' } }),
  ];
  const keys = (all: typeof notes) => sheetOf(all, ROOM).map(({ from }) => from.memory.key);
  expect(keys(notes)).toEqual(['c', 'a', 'b']);
  expect(keys([...notes].reverse())).toEqual(['c', 'a', 'b']);
});

it('keeps to its tokens: the likeliest first, and a shorter note still gets in', () => {
  const notes = [700, 850, 850, 5].map((length, at) =>
    candidate({ id: at + 1, key: `n-${at}`, value: 'word '.repeat(length / 5) }),
  );
  const sheet = sheetOf(notes, { tokens: 600 });
  expect(sheet.map(({ from }) => from.memory.key)).toEqual(['n-0', 'n-1', 'n-3']);
  const cost = sheet.map((note, at) => tokensAtMost(lineOf(note, at))).reduce((sum, one) => sum + one, 0);
  expect(cost).toBeLessThanOrEqual(600);
  expect(sheetOf(notes, { tokens: 5 })).toEqual([]);
});
