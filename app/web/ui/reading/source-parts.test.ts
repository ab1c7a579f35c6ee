import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asMarkdown } from './as-markdown.ts';
import { bodyAt } from './front-matter.ts';
import { noteTarget } from './note-target.ts';
import { segmentsOf } from './segments.ts';

test('front matter is names with values between two rulers, at the beginning', () => {
  const bodyOf = (source: string) => source.slice(bodyAt(source));
  expect(bodyOf('---\ntitle: A\ntags:\n  - b\n- c\n---\nbody')).toBe('body');
  expect(bodyOf('\uFEFF---\r\na: b\r\n...\r\nbody')).toBe('body');
  for (const none of ['---\nA ruler above.\n---\nbody', 'a\n---\nb: c\n---\n', '---\na: b', '', '---'])
    expect(bodyOf(none)).toBe(none);
});

test('segments are cut at blank lines outside of code, and are the source again when joined', () => {
  expect(segmentsOf('one\n\ntwo\n\nthree', 5)).toEqual(['one\n\n', 'two\n\n', 'three']);
  expect(segmentsOf('%%\na\n\nb\n%%\n\nc', 8)).toEqual(['%%\na\n\nb\n%%\n\n', 'c']);
  expect(segmentsOf('Say `%%`\n\nb\n\nc', 8)).toEqual(['Say `%%`\n\n', 'b\n\nc']);
  expect(segmentsOf('%% a\n\n10%% b\n\n`%%` c %%\n\nd', 16)).toEqual([
    '%% a\n\n10%% b\n\n`%%` c %%\n\n',
    'd',
  ]);
  expect(segmentsOf('%%a%%\n\nb\n\nc', 5)).toEqual(['%%a%%\n\n', 'b\n\nc']);
  expect(segmentsOf('5%% now\n\nb\n\nc', 8)).toEqual(['5%% now\n\n', 'b\n\nc']);
  expect(segmentsOf('```\na\n\nb\n```\n\nc', 8)).toEqual(['```\na\n\nb\n```\n\n', 'c']);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '\n', '\n\n', '```\n', '%%', '# b\n', '- c')),
      fc.integer({ min: 1, max: 20 }),
      (parts, size) => {
        expect(segmentsOf(parts.join(''), size).join('')).toBe(parts.join(''));
      },
    ),
  );
});

test('a note is taken elsewhere with its title, where it has none of its own', () => {
  expect(asMarkdown('On Thursdays', 'Deploy')).toBe('# Deploy\n\nOn Thursdays');
  expect(asMarkdown('---\na: b\n---\nOn Thursdays', 'Deploy')).toBe(
    '---\na: b\n---\n# Deploy\n\nOn Thursdays',
  );
  for (const titled of ['# Deploy\n\nx', '\n## Deploy', 'Deploy\n======\n', '---\na: b\n---\n# Deploy'])
    expect(asMarkdown(titled, 'Other')).toBe(titled);
});

test('a link names a key, or a namespace that there is and a key of it', () => {
  expect(noteTarget('runbooks/deploy', ['work'])).toEqual({ key: 'runbooks/deploy' });
  expect(noteTarget('work/runbooks/deploy', ['work', 'work/runbooks', 'w'])).toEqual({
    namespace: 'work/runbooks',
    key: 'deploy',
  });
  expect(noteTarget('work/', ['work'])).toEqual({ key: 'work/' });
});
