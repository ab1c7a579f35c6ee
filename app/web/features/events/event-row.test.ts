import type { Event, EventType } from '@reverie/shared/contract/events';
import { expect, test } from 'vitest';
import { rowOf } from './event-row.ts';

function rowAfter(type: EventType, after: NonNullable<Event['data']['after']>) {
  return rowOf({
    id: 'evt_1',
    seq: 1,
    type,
    namespace: 'a',
    created_at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'job', id: 'dream_1' },
    data: { before: null, after },
  });
}

test('rows of a dream say where it stands, and what it came to', () => {
  const step = { id: 'dream_1', stages: 1, step: { strategy: 'rem', state: 'complete', insights: 0 } };
  expect(rowAfter('dream.step', step).note).toBe('rem: complete');
  expect(rowAfter('dream.completed', { id: 'dream_1', insights: 1 }).note).toBe('1 insight');
  expect(rowAfter('dream.completed', { id: 'dream_1', insights: 92 }).note).toBe('92 insights');
  expect(rowAfter('dream.step', { id: 'dream_1' }).note).toBeUndefined();
});

test('rows of an insight name its strategy, and keep none of its words, which a deletion takes back', () => {
  const insight = { id: 'ins_1', strategy: 'pattern', title: 'Quotes a memory', evidence: ['k'] };
  for (const type of ['dream.insight', 'insight.generated', 'insight.accepted'] as const) {
    const row = rowAfter(type, insight);
    expect(row.note).toBe('pattern');
    expect(JSON.stringify(row)).not.toContain('Quotes a memory');
  }
});
