import { expect, test } from 'vitest';
import { aboutOf, changesOf, commandOf, isPatch, patchOf, readable } from './tool-words.ts';

const about = (text: string, files: string[] = []) => aboutOf({ text, files });

test('what a call is about is its most telling field', () => {
  expect(about('{"command":"npm test","description":"Run the tests"}')).toBe('Run the tests');
  expect(about('{"command":["bash","-lc","ls -la"]}')).toBe('bash -lc ls -la');
  expect(about('{"file_path":"/a/b.ts","old_string":"x"}')).toBe('/a/b.ts');
  expect(about('{"offset":3}', ['src/a.ts'])).toBe('src/a.ts');
  expect(about('\n\nls -la\nmore')).toBe('ls -la');
  expect(about('*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch')).toBe('src/a.ts');
});

test('it is also told where the text was cut', () => {
  expect(about('{"file_path":"/a/\\"b\\".ts","content":"aaaa')).toBe('/a/"b".ts');
  expect(about('{"content":"aaaa', ['c.ts'])).toBe('c.ts');
  expect(about('{"command":"ls \\u00')).toBe('');
});

test('changes of one edit and of several are read', () => {
  expect(changesOf('{"old_string":"a","new_string":"b"}')).toEqual([{ before: 'a', after: 'b' }]);
  expect(
    changesOf('{"edits":[{"old_string":"a","new_string":"b"},{"oldString":"c","newString":""}]}'),
  ).toEqual([
    { before: 'a', after: 'b' },
    { before: 'c', after: '' },
  ]);
  expect(changesOf('{"old_string":"a"')).toEqual([]);
  expect(changesOf('{"edits":[null,3]}')).toEqual([]);
});

test('patches are known, and what only looks like one is not', () => {
  const patch = '@@ -1,2 +1,2 @@\n a\n-b\n+c';
  expect(isPatch(patch)).toBe(true);
  expect(isPatch('- one\n- two\n+ three')).toBe(false);
  expect(patchOf(JSON.stringify({ input: '*** Begin Patch\n*** End Patch' }))).toContain('Begin Patch');
  expect(patchOf(JSON.stringify({ command: ['apply_patch', patch] }))).toBe(patch);
  expect(patchOf('{"a":"b"}')).toBe(undefined);
});

test('JSON is laid out, and all else stays', () => {
  expect(readable('{"a":1}')).toEqual({ text: '{\n  "a": 1\n}', language: 'json' });
  expect(readable('{"a":').language).toBe('');
  expect(commandOf('{"cmd":"ls"}')).toBe('ls');
});
