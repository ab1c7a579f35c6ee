import { describe, expect, test } from 'vitest';
import { actsOn, beginsFirst, type Choice, type Known, questionOf, sectionsOf, wantedOf } from './choices.ts';
import type { FieldEntry } from './fitting.ts';
import type { FieldHit } from './hit.ts';

const hit = (key: string): FieldHit => ({ namespace: 'n', key, title: key, updated_at: '', metadata: {} });
const entry = (label: string, group: FieldEntry['group'] = 'Places'): FieldEntry => ({
  id: label,
  group,
  icon: 'note',
  label,
  run: () => undefined,
});
const nameOf = (choice: Choice) =>
  choice.kind === 'hit' ? choice.hit.key : choice.kind === 'entry' ? choice.entry.label : choice.kind;
const known: Known = {
  canWrite: true,
  entries: [entry('haus'), entry('Devices'), entry('Dark', 'Do'), entry('Light or dark', 'Do')],
  recent: [hit('last')],
  hits: [hit('a'), hit('b')],
  quoted: undefined,
};
const shown = (text: string, more: Partial<Known> = {}) =>
  sectionsOf(text, { ...known, ...more }).map(({ heading, choices }) => [heading, ...choices.map(nameOf)]);

describe('what is offered', () => {
  test('without a text: what was changed last, places, and what can be done', () => {
    expect(shown(' ')).toEqual([
      ['Changed last', 'last'],
      ['Places', 'haus', 'Devices'],
      ['Do', 'Dark', 'Light or dark'],
    ]);
  });

  test('a place that is called so stands before memories, and no heading stands twice', () => {
    expect(shown('haus')).toEqual([
      ['Places', 'haus'],
      ['Memories', 'a', 'b'],
      ['More', 'ask', 'keep', 'search'],
    ]);
    expect(shown('dark')).toEqual([
      ['Do', 'Dark', 'Light or dark'],
      ['Memories', 'a', 'b'],
      ['More', 'ask', 'keep', 'search'],
    ]);
    expect(shown('d').map(([heading]) => heading)).toEqual(['Places', 'Do', 'Memories', 'More']);
  });

  test('where nothing fits: nothing that is not the text itself', () => {
    expect(shown('xyz', { hits: [] })).toEqual([['More', 'ask', 'keep', 'search']]);
    expect(shown('xyz', { hits: [], canWrite: false })).toEqual([['More', 'ask', 'search']]);
  });

  test('a question is asked, and once it is answered its quotes stand first, each note once', () => {
    expect(shown('when?')).toEqual([
      ['Ask', 'ask'],
      ['Memories', 'a', 'b'],
      ['More', 'keep', 'search'],
    ]);
    expect(shown('? when', { quoted: [hit('b')] })).toEqual([
      ['From your memories', 'b'],
      ['Also fits', 'a'],
      ['More', 'whole', 'search'],
    ]);
    expect(shown('when?', { quoted: [], hits: [] })).toEqual([['More', 'whole', 'keep', 'search']]);
    expect(shown('?')).toEqual([]);
  });

  test('what comes in later stands before no place that is called so', () => {
    const first = (text: string) => sectionsOf(text, known).flatMap(({ choices }) => choices);
    expect(beginsFirst(first('hau'), 'hau')).toBe(true);
    expect(beginsFirst(first('xyz'), 'xyz')).toBe(false);
  });

  test('of what can be done to a memory that which fits', () => {
    const acts = [entry('Open', 'Do'), entry('Tag…', 'Do'), entry('Move to the trash', 'Do')];
    expect(actsOn(acts, 't').flatMap(({ choices }) => choices.map(nameOf))).toEqual([
      'Tag…',
      'Move to the trash',
    ]);
    expect(actsOn(acts, 'zz')).toEqual([]);
  });
});

test('a question begins or ends with its mark', () => {
  expect([' ?when ', 'when?', 'a?b', '?'].map(questionOf)).toEqual(['when', 'when?', undefined, '']);
  expect(['? when', 'when?', ' boiler '].map(wantedOf)).toEqual(['when', 'when?', 'boiler']);
});
