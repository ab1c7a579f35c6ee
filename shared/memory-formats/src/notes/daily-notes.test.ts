import { describe, expect, test } from 'vitest';
import { dailyNotesOf, formOfKeys, momentDay } from './daily-notes.ts';
import { folderWith } from '../testing/reading.ts';

const day = (on: string) => new Date(on);

describe('a format of moment.js', () => {
  test.each([
    ['YYYY-MM-DD', '2026-09-04', '2026-09-04'],
    ['YYYY/MM-MMMM/YYYY-MM-DD-dddd', '2026-09-14', '2026/09-September/2026-09-14-Monday'],
    ['[Day] D.M.YY [of] MMM Do, ddd', '2026-09-04', 'Day 4.9.26 of Sep 4th, Fri'],
    // Weeks that end on Saturday and begin with the one of 1 January, and those of ISO 8601.
    ['gggg-[W]ww GGGG-[W]WW [Q]Q', '2027-01-01', '2027-W01 2026-W53 Q1'],
    ['gggg-[W]w GGGG-[W]W', '2026-12-28', '2027-W1 2026-W53'],
    ['gggg-[W]ww GGGG-[W]WW', '2026-01-04', '2026-W02 2026-W01'],
  ])('%s writes %s as %s', (format, on, written) => {
    expect(momentDay(format, day(on))).toBe(written);
  });
});

describe('notes of days', () => {
  const keyIn = async (files: Record<string, string>, on = '2026-09-14') =>
    dailyNotesOf(await folderWith(files))?.keyOf(day(on));

  test.each([
    ['{"folder":"Journal/","format":"YYYY/YYYY-MM-DD"}', 'Journal/2026/2026-09-14.md'],
    ['{"folder":"/"}', '2026-09-14.md'],
    ['{"format":""}', '2026-09-14.md'],
    ['{"folder":7,"format":["x"]}', '2026-09-14.md'],
    ['[]', undefined],
    ['{', undefined],
  ])('are called as the settings of Obsidian say: %s', async (settings, key) => {
    expect(await keyIn({ '.obsidian/daily-notes.json': settings, 'a.md': 'x' })).toBe(key);
  });

  test('are called as those of Logseq say, and are outlines', async () => {
    expect(await keyIn({ 'logseq/config.edn': '{}' })).toBe('journals/2026_09_14.md');
    const settings =
      '{:journals-directory "days"\n ;; :journal/file-name-format "x"\n :journal/file-name-format "yyyy-MM-dd"}';
    expect(await keyIn({ 'logseq/config.edn': settings })).toBe('days/2026-09-14.md');
    expect(dailyNotesOf(await folderWith({ 'logseq/config.edn': '{}' }))?.isOutline).toBe(true);
    expect(dailyNotesOf(await folderWith({ 'a.md': 'x' }))).toBeUndefined();
  });

  test.each([
    [['2026-09-14.md', 'plans.md'], '2026-10-01.md'],
    [['Daily/2026/09-September/2026-09-14 Monday'], 'Daily/2026/10-October/2026-10-01 Thursday'],
    [['journals/2026_09_14.md'], 'journals/2026_10_01.md'],
    [['2026/09/14.md'], '2026/10/01.md'],
    [['log/14.09.2026.md', 'log/3.9.2026.md', 'log/04.09.2026.md'], 'log/01.10.2026.md'],
    // In May a month is as long as its first letters, and on 9 September month and day are the same number.
    [['May 5th, 2026.md', 'Jun 4th, 2026.md'], 'Oct 1st, 2026.md'],
    [['d/9-September-9 2026.md', '2026-09-09.md'], '2026-10-01.md'],
    [['2026-09-20 Standup.md', '2026-09-19 Standup.md', 'x/2026-09-14.md'], 'x/2026-10-01.md'],
    [['2026-09-14.md', 'a/2026-09-13.md', 'a/2026-09-12.md'], 'a/2026-10-01.md'],
    [['2026-09-20 Standup.md', 'a [b]/2026-09-14.md', 'September.md'], undefined],
    [[], undefined],
  ])('of %j is %s', (keys, expected) => {
    expect(formOfKeys(keys)?.(day('2026-10-01'))).toBe(expected);
  });
});
