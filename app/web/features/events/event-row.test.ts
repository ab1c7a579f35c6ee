import type { Event, EventType } from '@reverie/shared/contract/events/events';
import { expect, test } from 'vitest';
import { afterDeletion, rowOf } from './event-row.ts';
import { titleIn } from './title.ts';

function eventOf(type: EventType, data: Event['data'], seq = 1): Event {
  return {
    id: `evt_${seq}`,
    seq,
    type,
    namespace: 'a',
    data,
    created_at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'job', id: 'dream_1' },
  };
}

test('rows of an insight name its kind, and keep none of its words, which a deletion takes back', () => {
  const insight = { id: 'ins_1', strategy: 'pattern', title: 'Quotes a memory', evidence: ['k'] };
  for (const type of ['dream.insight', 'insight.generated', 'insight.accepted'] as const) {
    const row = rowOf(eventOf(type, { before: null, after: insight }));
    expect(JSON.stringify(row)).toContain('pattern');
    expect(JSON.stringify(row)).not.toContain('Quotes a memory');
  }
});

test('what is deleted loses its title in the rows that are there, and is called by its key itself', () => {
  const state = { key: 'k', value: '# A secret\n\nword' };
  const wrote = rowOf(eventOf('memory.write', { before: null, after: state }));
  expect(wrote).toMatchObject({ key: 'k', title: 'A secret', redacted: false });
  const deleted = rowOf(eventOf('memory.delete', { before: state, after: null }, 2));
  expect(deleted).toMatchObject({ key: 'k', title: undefined });
  const [after] = afterDeletion([wrote], deleted);
  expect(after).toMatchObject({ key: undefined, title: undefined, redacted: true });
  expect(JSON.stringify([after, deleted])).not.toContain('secret');
});

test.each([
  [{ value: 'x', metadata: { title: '  Deploy days ' } }, 'Deploy days'],
  [{ value: '---\na: b\n---\n\n## Deploy **days** ##\n\ntext' }, 'Deploy days'],
  [{ value: 'We ship on Monday. Never on Friday.' }, 'We ship on Monday'],
  [{ value: '- milk\n- bread' }, 'milk bread'],
  [{ value: '' }, undefined],
  [{ count: 3 }, undefined],
  [{ value: 'word '.repeat(30) }, `${'word '.repeat(16).trim()}…`],
] as const)('the title in %o is %s', (state, title) => {
  expect(titleIn({ metadata: {}, ...state })).toBe(title);
});
