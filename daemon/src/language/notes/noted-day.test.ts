import fc from 'fast-check';
import { expectLinear } from '@reverie/shared/testing/linear';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { dayOfKey } from '@reverie/memory-formats/days/days-in-names';
import { notedDay } from './noted-day.ts';

type DatedNote = Parameters<typeof notedDay>[0];

const iso = (on: number | undefined) =>
  on === undefined ? undefined : new Date(on).toISOString().slice(0, 10);
const dayOf = (note: Partial<DatedNote>) =>
  iso(notedDay({ key: 'note.md', value: 'text', metadata: {}, ...note })?.on);

describe('the day of a key', () => {
  test.each([
    ['2026-09-14.md', '2026-09-14'],
    ['journal/2026-09-14', '2026-09-14'],
    ['14.09.2026 Besprechung.md', '2026-09-14'],
    ['Besprechung 4.9.2026.md', '2026-09-04'],
    ['journals/2026_09_14.md', '2026-09-14'],
    ['20260914.md', '2026-09-14'],
    ['202609141530 An idea.md', '2026-09-14'],
    ['IMG_20260914_153000.md', '2026-09-14'],
    ['2026.09.14 walk.md', '2026-09-14'],
    ['2026-09-14-meeting.md', '2026-09-14'],
    ['2026-09-14T10-30.md', '2026-09-14'],
    ['daily/2026/09/14.md', '2026-09-14'],
    ['daily/2026/09/14 Monday.md', '2026-09-14'],
    ['daily/2026/09-September/2026-09-14-Monday.md', '2026-09-14'],
    ['Sep 14th, 2026.md', '2026-09-14'],
    ['Monday, 14 September 2026.md', '2026-09-14'],
    ['14-Sep-2026.md', '2026-09-14'],
    ['14. März 2026.md', '2026-03-14'],
    ['14-09-2026.md', '2026-09-14'],
    ['09-14-2026.md', '2026-09-14'],
    ['2026-09-14/minutes.md', undefined],
    ['2025-01-01/2026-09-14.md', '2026-09-14'],
    ['2026-09-14 again 2026-09-14.md', '2026-09-14'],
    ['2024-02-29.md', '2024-02-29'],
    ['long.md#2', undefined],
    ['2026-09-14.md#2', '2026-09-14'],
    ['2026-09-14 to 2026-09-20.md', undefined],
    ['04-09-2026.md', undefined],
    ['2026-02-30.md', undefined],
    ['2026-13-01.md', undefined],
    ['2026-W37.md', undefined],
    ['2026-09.md', undefined],
    ['mem_01k20260914zz', undefined],
    ['v2026-09-14', undefined],
    ['120260914', undefined],
    ['202609149999', undefined],
    ['phone 0049 20 2609140', undefined],
    ['1890-09-14', undefined],
  ])('%s is of %s', (key, day) => {
    expect(iso(dayOfKey(key))).toBe(day);
  });
});

describe('the day of a note', () => {
  test.each<[string, Partial<DatedNote>, string | undefined]>([
    ['date:', { value: '---\ndate: 2026-11-04\n---\ntext' }, '2026-11-04'],
    ['date: in quotes', { value: '---\ndate: "2026-11-04"\n---\n' }, '2026-11-04'],
    ['date: as a link', { value: '---\r\ndate: "[[2026-11-04]]"\r\n---\r\n' }, '2026-11-04'],
    ['date: with slashes', { value: '---\ndate: 2026/11/04\n---\n' }, '2026-11-04'],
    ['Date: as written in a country', { value: '---\nDate: 4. November 2026\n---\n' }, '2026-11-04'],
    [
      'the day as written, whatever its zone',
      { value: '---\ncreated: 2026-11-04T23:30:00-08:00\n---\n' },
      '2026-11-04',
    ],
    ['created', { value: '---\ntags: [a]\ncreated: 2026-11-04 10:15\n---\n' }, '2026-11-04'],
    ['a time of a program', { value: '---\ncreated: 1793750400000\n---\n' }, '2026-11-04'],
    ['date before created', { value: '---\ncreated: 2026-11-05\ndate: 2026-11-04\n---\n' }, '2026-11-04'],
    ['metadata', { metadata: { date: '2026-11-04' } }, '2026-11-04'],
    ['metadata as a number', { metadata: { created_at: 1793750400 } }, '2026-11-04'],
    ['a heading', { value: '# 2026-09-14\n\n- moved' }, '2026-09-14'],
    ['a heading with its weekday', { value: '\n## Monday, 14 September 2026\n' }, '2026-09-14'],
    ['a heading as a link', { value: '# [[2026-09-14]]\n' }, '2026-09-14'],
    ['a heading in an outline', { value: '- # 2026-09-14\n\t- moved' }, '2026-09-14'],
    ['an underlined heading', { value: '14 September 2026\n=======\n' }, '2026-09-14'],
    ['a decision record', { value: '# 1. Use SQLite\n\nDate: 2025-03-10\n\n## Status\n' }, '2025-03-10'],
    ['a bold label', { value: '# Minutes\n\n**Date:** 10 March 2025\n' }, '2025-03-10'],
    ['a property of Logseq', { value: 'type:: log\ncreated-at:: 2025-03-10\n\n- text' }, '2025-03-10'],
    [
      'its key before all',
      { key: '2026-01-01.md', value: '---\ndate: 2026-11-04\n---\n# 2026-09-14' },
      '2026-01-01',
    ],
    ['a property before a heading', { value: '---\ncreated: 2026-11-04\n---\n# 2026-09-14' }, '2026-11-04'],
    ['a key of two days gives way', { key: '2026-01-01 2026-01-02.md', value: '# 2026-09-14' }, '2026-09-14'],
    ['no second heading', { value: '# Log\n\n## 2026-09-14\n' }, undefined],
    ['no line below the second heading', { value: '# Log\n## Old\nDate: 2026-09-14' }, undefined],
    ['no sentence', { value: 'The painters come on 3 May 2026.' }, undefined],
    ['no heading that only has one', { value: '# Deadline 2026-12-24 for taxes' }, undefined],
    ['no range', { value: '---\ndate: 2026-11-04 to 2026-11-06\n---\n' }, undefined],
    ['no nested property', { value: '---\nevent:\n  date: 2026-11-04\n---\n' }, undefined],
    ['no code', { value: '```\ndate:: 2026-11-04\n```' }, undefined],
    [
      'when it was changed',
      { value: '---\nupdated: 2026-11-04\n---\n', metadata: { modified: '2026-11-04' } },
      undefined,
    ],
    ['what is no text', { metadata: { date: { year: 2026 }, created: null, timestamp: true } }, undefined],
    ['a day that no calendar has', { metadata: { date: '2026-02-30' } }, undefined],
    ['a number that is no time', { metadata: { created: 20 } }, undefined],
  ])('%s', (_, note, day) => {
    expect(dayOf(note)).toBe(day);
  });

  test('created alone says only when it was made', () => {
    const of = (name: string) =>
      notedDay({ key: 'a', value: 'text', metadata: { [name]: '2026-11-04' } })?.isOfMaking;
    expect([of('created'), of('created_at'), of('date')]).toEqual([true, true, false]);
  });
});

const ms = fc.integer({ min: Date.UTC(1900, 0, 1) / 86_400_000, max: Date.UTC(2099, 11, 31) / 86_400_000 });
const FORMS: readonly ((year: string, month: string, day: string) => string)[] = [
  (year, month, day) => `${year}-${month}-${day}`,
  (year, month, day) => `${year}_${month}_${day}`,
  (year, month, day) => `${year}${month}${day}`,
  (year, month, day) => `${day}.${month}.${year}`,
  (year, month, day) => `${Number(day)}. ${Number(month)}. ${year}`,
  (year, month, day) => `${year}.${month}.${day}`,
];
const WORDS = fc.constantFrom('', 'Notes', 'Grüße', '会議', 'with Anna', '#4', 'R2');

test('every day is read in every form, in a name and in front matter, whatever words stand around it', () => {
  fc.assert(
    fc.property(ms, fc.constantFrom(...FORMS), fc.tuple(WORDS, WORDS), (days, form, [before, behind]) => {
      const day = new Date(days * 86_400_000).toISOString().slice(0, 10);
      const [year = '', month = '', date = ''] = day.split('-');
      const written = form(year, month, date);
      const key = `folder/${`${before} ${written} ${behind}`.trim()}.md`;
      expect(iso(dayOfKey(key))).toBe(day);
      expect(dayOf({ value: `---\ntags: [a]\ndate: ${written}\n---\n# ${before}` })).toBe(day);
    }),
    { numRuns: runs(300, 20_000) },
  );
});

test('whatever a note says, its day is the first moment of a day of those two centuries, or none', () => {
  const piece = fc.constantFrom(
    ...[
      '2026',
      '-',
      '_',
      '/',
      '.',
      '09',
      '14',
      '31',
      ' ',
      'T10:00',
      'Z',
      'May',
      '1',
      '0',
      '9',
      '\n',
      '#',
      '# ',
      '---\n',
      'date: ',
      'created:: ',
      '٣',
      '\u0000',
      '[[',
      ']]',
    ],
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, text, fc.oneof(text, fc.double(), fc.anything()), (key, value, date) => {
      const day = notedDay({ key, value, metadata: { date } });
      if (!day) return;
      expect(day.on % 86_400_000).toBe(0);
      expect(notedDay({ key, value, metadata: { date } })).toEqual(day);
    }),
    { numRuns: runs(500, 20_000) },
  );
});

const many = (piece: string) => (length: number) => piece.repeat(length / piece.length);

test.each([
  ['digits', many('20')],
  ['days', many('2026-09-14 ')],
  ['blanks', (length: number) => `date:${many(' ')(length)}`],
  ['marks', many('#')],
  ['brackets', (length: number) => `# ${many('[(')(length)}2026-09-14`],
  ['front matter without an end', (length: number) => `---\n${many('date: 2026-09-1\n')(length)}`],
  ['lines of front matter', (length: number) => `---\n${'"'.repeat(3000)}\n${many("a'b: \n")(length)}---\n`],
  ['letters', many('mar ')],
])('a megabyte of %s takes time by its length', (_, text) =>
  expectLinear((length) => {
    const value = text(length);
    notedDay({ key: value.slice(0, 512), value, metadata: { date: value, created: value.slice(0, 100) } });
  }, 1_000_000),
);
