import { expect, test } from 'vitest';
import { dayOfNote, isOldNote, oldNotesOf, onThisDay } from './old-note.ts';

const DAY_MS = 86_400_000;
const midnight = Date.UTC(2026, 10, 28);

test('each day has another part of the older half, the same whenever one looks', () => {
  const offsets = [0, 1, 2].map((days) => oldNotesOf(1_000, midnight + days * DAY_MS).offset);
  expect(new Set(offsets).size).toBe(3);
  expect(oldNotesOf(1_000, midnight)).toEqual(oldNotesOf(1_000, midnight));
  for (let days = 0; days < 1_000; days += 1) {
    const { offset, limit } = oldNotesOf(1_000, midnight + days * DAY_MS);
    expect(offset).toBeGreaterThanOrEqual(500);
    expect(offset + limit).toBeLessThanOrEqual(1_000);
  }
});

test('few notes are looked at from their middle', () => {
  expect(oldNotesOf(5, midnight).offset).toBe(2);
  expect(oldNotesOf(0, midnight).offset).toBe(0);
});

test('old is what is of three months ago, and neither a dream nor an agent wrote', () => {
  const { before } = oldNotesOf(1, midnight);
  const at = (days: number) => new Date(midnight - days * DAY_MS).toISOString();
  const note = { class: 'note', metadata: {}, updated_at: at(91) } as const;
  expect(isOldNote(note, before)).toBe(true);
  expect(isOldNote({ ...note, updated_at: at(89) }, before)).toBe(false);
  expect(isOldNote({ ...note, class: 'dream' }, before)).toBe(false);
  expect(isOldNote({ ...note, class: 'error' }, before)).toBe(false);
  expect(isOldNote({ ...note, metadata: { agent: 'claude-code' } }, before)).toBe(false);
  // The notes of an imported vault were all changed today.
  const noted = { ...note, updated_at: at(0), noted_at: at(91).slice(0, 10) };
  expect([isOldNote(noted, before), dayOfNote(noted)]).toEqual([true, noted.noted_at]);
  expect(isOldNote({ ...note, noted_at: at(1).slice(0, 10) }, before)).toBe(false);
});

test('this day is looked for in the years before, also where they have no such day', () => {
  const at = (year: number, month: number, day: number) =>
    onThisDay(new Date(year, month - 1, day).getTime());
  expect(at(2026, 11, 28).slice(0, 2)).toEqual([
    'after:2025-11-27 before:2025-11-29',
    'after:2024-11-27 before:2024-11-29',
  ]);
  expect(at(2026, 1, 1)[0]).toBe('after:2024-12-31 before:2025-01-02');
  expect(at(2028, 2, 29)[0]).toBe('after:2027-02-28 before:2027-03-02');
});
