import { expect, test } from 'vitest';
import { authorWords, forWhom, peopleWords, sizeWords, tokenWords, withoutFolder } from './words.ts';

test('tokens are told in words', () => {
  expect([1, 640, 9_999, 48_400, 1_240_000, 23_400_000, 4_100_000_000].map(tokenWords)).toEqual([
    '1 token',
    '640 tokens',
    '9,999 tokens',
    '48 thousand tokens',
    '1.2 million tokens',
    '23 million tokens',
    '4.1 billion tokens',
  ]);
});

/** A session of which everything was read and known. */
const whole = { unread_lines: 0, unknown_records: 0 };

test('tokens that no agent reported are not told of', () => {
  expect(sizeWords({ ...whole, entries: 1, tokens: 0 })).toBe('1 entry');
  expect(sizeWords({ ...whole, entries: 84, tokens: 12_000 })).toBe('84 entries, 12 thousand tokens');
});

test('lines that could not be read, and records of unknown kinds, are told of where the size is', () => {
  expect(sizeWords({ ...whole, entries: 84, tokens: 0, unread_lines: 2 })).toBe(
    '84 entries, 2 lines could not be read',
  );
  expect(sizeWords({ ...whole, entries: 1, tokens: 0, unread_lines: 1 })).toBe(
    '1 entry, 1 line could not be read',
  );
  expect(sizeWords({ ...whole, entries: 1, tokens: 0, unknown_records: 2 })).toBe(
    '1 entry, 2 records of a kind that this version does not know',
  );
});

test('people are those besides oneself', () => {
  const person = (name: string, self = false) =>
    ({ id: name, name, role: 'viewer', online: true, self }) as const;
  expect(peopleWords([person('Me', true)])).toBe('');
  expect(peopleWords([person('Me', true), person('Ada')])).toBe('Ada');
  expect(peopleWords([person('Ada'), person('Grace'), person('Mira')])).toBe('Ada and 2 others');
});

test('who wrote is oneself, somebody by name, or an agent as people call it, once', () => {
  const by = (id: string, name: string, agent: string | null = null) => ({ id, name, agent });
  expect([by('person', 'root'), by('dev_1', 'Ada'), by('codex', 'codex', 'codex')].map(authorWords)).toEqual([
    'You',
    'Ada',
    'Codex',
  ]);
  expect(forWhom(by('claude-code', 'Claude Code', 'claude-code'))).toBeUndefined();
  expect(forWhom(by('claude-code', 'claude-code', 'claude-code'))).toBeUndefined();
  expect(forWhom(by('claude-code', 'reviewer', 'claude-code'))).toBe('reviewer');
  expect(forWhom(by('person', 'root'))).toBeUndefined();
});

test('files stand without the folder of the project, and those elsewhere whole', () => {
  expect(withoutFolder('/home/ada/shop/src/a.ts', '/home/ada/shop')).toBe('src/a.ts');
  expect(withoutFolder('diff /home/ada/shop/a /home/ada/shop-old/a', '/home/ada/shop/')).toBe(
    'diff a /home/ada/shop-old/a',
  );
  expect(withoutFolder('/home/ada/shop/a', null)).toBe('/home/ada/shop/a');
  expect(withoutFolder('/etc/hosts', '/')).toBe('/etc/hosts');
});
