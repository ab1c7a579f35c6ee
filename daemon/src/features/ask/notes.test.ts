import { afterEach, describe, expect, test } from 'vitest';
import { notedDay } from '../../language/notes/noted-day.ts';
import { saidAt, timeOf } from './notes.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const of = (key: string, metadata: Record<string, unknown>) => ({
  metadata,
  noted: notedDay({ key, value: 'text', metadata }),
  updated_at: '2026-11-28T10:00:00.000Z',
});

describe('when a memory was said', () => {
  test.each(['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Kiritimati'])('is one day in %s', (name) => {
    process.env['TZ'] = name;
    for (const date of ['2026-11-04', '2026/11/04', '4 November 2026', '4.11.2026', 'Nov 4, 2026'])
      expect(timeOf(of('a', { date }))).toBe('2026-11-04T00:00:00.000Z');
    expect(timeOf(of('2026-11-04.md', {}))).toBe('2026-11-04T00:00:00.000Z');
  });

  test.each<[string, ReturnType<typeof of>, string | undefined]>([
    ['a timestamp', of('2026-11-04', { timestamp: '2026-01-02T03:04:05Z' }), '2026-01-02T03:04:05.000Z'],
    ['a date with a time', of('a', { date: '2026-11-04T09:30:00Z' }), '2026-11-04T09:30:00.000Z'],
    ['its own day', of('2026-11-04', {}), '2026-11-04T00:00:00.000Z'],
    ['not when it was only made', of('a', { created: '2026-11-04' }), undefined],
  ])('is %s', (_, memory, time) => {
    expect(timeOf(memory)).toBe(time);
    expect(saidAt(memory)).toBe(Date.parse(time ?? memory.updated_at));
  });

  test('is a moment of its day, where it was stored on it', () => {
    expect(saidAt(of('2026-11-28', {}))).toBe(Date.parse('2026-11-28T10:00:00.000Z'));
  });
});
