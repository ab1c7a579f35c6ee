import { expect, test } from 'vitest';
import { isOldNote, oldNotesOf } from './old-note.ts';

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

test('old is what nobody changed for three months, and no dream wrote', () => {
  const { before } = oldNotesOf(1, midnight);
  const at = (days: number) => new Date(midnight - days * DAY_MS).toISOString();
  const note = { class: 'note', updated_at: at(91) } as const;
  expect(isOldNote(note, before)).toBe(true);
  expect(isOldNote({ ...note, updated_at: at(89) }, before)).toBe(false);
  expect(isOldNote({ ...note, class: 'dream' }, before)).toBe(false);
});
