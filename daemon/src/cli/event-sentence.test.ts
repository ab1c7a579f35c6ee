import { eventTypes, type Event } from '@reverie/shared/contract/events/events';
import { expect, test } from 'vitest';
import { sentenceOf } from './event-sentence.ts';

const names = new Map([['k', 'Claude Code']]);
const told = (event: Partial<Event>) =>
  sentenceOf(
    {
      seq: 1,
      id: 'evt_1',
      type: 'memory.update',
      namespace: 'work',
      created_at: '2031-05-14T12:00:00.000Z',
      actor: { kind: 'key', id: 'k' },
      data: { before: null, after: null },
      ...event,
    },
    names,
  );
const changed = (before: object, after: object) =>
  told({
    data: {
      before: { key: 'tea', namespace: 'work', ...before },
      after: { key: 'tea', namespace: 'work', ...after },
    },
  });

test('what is done to a memory is called what the page calls it', () => {
  const at = '2031-05-14T12:00:00.000Z';
  expect(changed({}, {})).toBe('Claude Code changed tea in work.');
  expect(changed({}, { trashed_at: at })).toBe('Claude Code moved tea in work to the trash.');
  expect(changed({ trashed_at: at }, {})).toBe('Claude Code took tea in work out of the trash.');
  expect(changed({}, { key: 'green tea' })).toBe('Claude Code renamed tea in work to green tea.');
  expect(changed({}, { namespace: 'home' })).toBe('Claude Code moved tea in work to home.');
  const moved = { key: 'tea', namespace: 'work' };
  // The other namespace hears of it, too.
  expect(told({ namespace: 'home', data: { before: moved, after: { ...moved, namespace: 'home' } } })).toBe(
    'Claude Code moved tea in work to home.',
  );
  expect(changed({}, { superseded_by: 'green tea' })).toBe(
    'Claude Code set tea in work aside for green tea.',
  );
  expect(told({ type: 'memory.delete', actor: { kind: 'system', id: 'expiry' } })).toBe(
    'Reverie deleted a memory in work, which had expired.',
  );
});

test('proposals and dreams are told with what they are about', () => {
  const dream = { kind: 'job', id: 'd' } as const;
  const after = { strategy: 'refine', status: 'pending', title: 'Two notes on tea' };
  expect(told({ type: 'insight.generated', actor: dream, data: { before: null, after } })).toBe(
    'A proposal waits in work: Two notes on tea.',
  );
  expect(told({ type: 'insight.accepted', data: { before: null, after } })).toBe(
    'Claude Code accepted a proposal in work: Two notes on tea.',
  );
  expect(told({ type: 'dream.insight', actor: dream, data: { before: null, after } })).toBe(
    'The dream in work found something: Two notes on tea.',
  );
  const step = { strategy: 'refine', state: 'complete', insights: 2 };
  expect(told({ type: 'dream.step', actor: dream, data: { before: null, after: { step } } })).toBe(
    'The dream in work looked for the same note twice: found 2.',
  );
});

test.each(eventTypes)('%s of an earlier program, which says less, is a sentence of one line', (type) => {
  for (const after of [null, {}, { key: 'a\nb', error: 'no\nspace' }])
    expect(told({ type, data: { before: null, after } })).toMatch(/^\S((?!undefined|null|NaN|  |\n).)+\.$/);
});
