import { describe, expect, test } from 'vitest';
import { mentionsIn, withLinks } from './mentions.ts';
import { excerptOf, memoryOf, proposalOf, readPayload } from './reading.ts';
import { stateOf, threadsOf } from './threads.ts';

describe('a payload', () => {
  test('of words is text; whatever else it carries is named in words', () => {
    expect(readPayload({ text: 'the build is red' })).toEqual({ text: 'the build is red', fields: [] });
    expect(
      readPayload({ message: 'red', exit_code: 1, dryRun: false, steps: ['a', 'b'], none: null }),
    ).toEqual({
      text: 'red',
      fields: [
        ['Exit code', '1'],
        ['Dry run', 'no'],
        ['Steps', 'a, b'],
        ['None', '–'],
      ],
    });
    expect(readPayload({ text: 7, by: { name: 'x' } })).toEqual({
      text: undefined,
      fields: [
        ['Text', '7'],
        ['By', [['Name', 'x']]],
      ],
    });
    expect(readPayload({})).toEqual({ text: undefined, fields: [] });
    // What is blank says nothing: the next name does.
    expect(readPayload({ text: ' \n', message: 'red' })).toEqual({ text: 'red', fields: [['Text', ' \n']] });
  });

  test('begins on one line, and is kept whole', () => {
    expect(excerptOf({ text: '**Halden** asked\nagain' })).toBe('Halden asked again');
    expect(excerptOf({ text: '# Only a heading' })).toBe('# Only a heading');
    expect(excerptOf({ status: 'failed', step: 'sign' })).toBe('Status: failed · Step: sign');
    expect(memoryOf({ text: 'red', step: 'sign' })).toBe('red\n\n- Step: sign');
    expect(memoryOf({ text: 'red' })).toBe('red');
    expect(memoryOf({ disk: { used: 0.97 } })).toBe('- Disk:\n  - Used: 0.97');
  });
});

test('a proposal is kept as it stands, under the key that it suggests', () => {
  const payload = { key: 'rule-pnpm', value: 'We use pnpm.', why: 'Said in a session of codex' };
  expect(proposalOf({ kind: 'memory.proposal', payload })).toEqual({
    key: 'rule-pnpm',
    value: 'We use pnpm.',
  });
  expect(proposalOf({ kind: 'note', payload })).toBeUndefined();
  expect(proposalOf({ kind: 'memory.proposal', payload: { key: 'k' } })).toBeUndefined();
  expect(excerptOf(payload)).toBe('We use pnpm.');
});

describe('keys that a message mentions', () => {
  test('stand in backticks, or look like keys; code and addresses are none', () => {
    const text =
      'See `plan`, **customers/halden** and adr:12, at 14:30 on 2026-11-23, 10/12 done.\n' +
      'https://a.test/b/c [d/e](https://f.test) [[g/h]]\n```\ni/j\n```\nwell-known deploy.days.';
    expect(mentionsIn(text)).toEqual(['plan', 'customers/halden', 'adr:12', 'well-known', 'deploy.days']);
    expect(mentionsIn(Array.from({ length: 99 }, (_, n) => `a/${n}b`).join(' '))).toHaveLength(12);
  });

  test('become links where there is such a memory', () => {
    const known = new Set(['plan', 'customers/halden', 'i/j']);
    expect(withLinks('`plan` **customers/halden** other/key\n```\ni/j\n```', known)).toBe(
      '[[plan]] **[[customers/halden]]** other/key\n```\ni/j\n```',
    );
    expect(withLinks('[[plan]] https://a.test/customers/halden', known)).toBe(
      '[[plan]] https://a.test/customers/halden',
    );
  });
});

test('threads: unread first, oldest first, then read, newest first; answers of the person stand below', () => {
  const message = (id: string, more: { acked_at?: string; from?: string; in_reply_to?: string } = {}) => ({
    id,
    namespace: 'a',
    from: 'ci',
    kind: 'note',
    payload: {},
    created_at: '2026-01-01T00:00:00.000Z',
    in_reply_to: null,
    acked_at: null,
    ...more,
  });
  const read = { acked_at: '2026-01-01T00:00:00.000Z' };
  const threads = threadsOf([
    message('msg_1', read),
    message('msg_2'),
    message('msg_3', { from: 'person', in_reply_to: 'msg_1' }),
    message('msg_4'),
    message('msg_5', read),
    message('msg_6', { in_reply_to: 'msg_3' }),
  ]);
  expect(threads.map(({ message: { id }, replies }) => [id, replies.length])).toEqual([
    ['msg_2', 0],
    ['msg_4', 0],
    ['msg_6', 0],
    ['msg_5', 0],
    ['msg_1', 1],
  ]);
  // Of those that are about to be marked as read, what is read already is read.
  expect(threads.map((thread) => stateOf(thread, ['msg_4', 'msg_5']))).toEqual([
    ...['unread', 'leaving', 'unread', 'read', 'read'],
  ]);
});
