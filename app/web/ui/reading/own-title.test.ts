import { expect, test } from 'vitest';
import { isSentence, ownTitle } from './own-title.ts';

test.each([
  ['# Deploy\n\nOn Thursdays.', 'Deploy', 'Deploy', 'On Thursdays.'],
  ['\n## Deploy ##\nOn Thursdays.', 'Deploy', 'Deploy', 'On Thursdays.'],
  ['Deploy\n======\n\nOn Thursdays.', 'Deploy', 'Deploy', 'On Thursdays.'],
  ['# Deploy', 'Deploy', 'Deploy', ''],
  ['---\nsource: x\n---\n# Deploy\n\nOn Thursdays.', 'Deploy', 'Deploy', 'On Thursdays.'],
  ['# Deploy\n\nOn Thursdays.', 'Another', 'Another', '# Deploy\n\nOn Thursdays.'],
  ['# A **long** heading that is cut\n\nText', 'A long heading…', 'A long heading that is cut', 'Text'],
  ['# Rotate the key\n\nRotate it.', 'Rotate', 'Rotate', '# Rotate the key\n\nRotate it.'],
  ['title:: Garden\n- Turn the heap', 'Garden', 'Garden', 'title:: Garden\n- Turn the heap'],
  ['Canary held at 5 %\n\np95 rose.', 'Canary held at 5 %', 'Canary held at 5 %', 'p95 rose.'],
])('%j called %j has the title %j and reads %j', (value, title, ...shown) => {
  const own = ownTitle({ value, title });
  expect([own?.words, value.slice(own?.textAt)]).toEqual(shown);
});

test.each([
  ['#deploy is a tag', '#deploy is a tag'],
  ['We deploy on Thursdays. Never on Fridays.', 'We deploy on Thursdays.'],
  ['A sentence that goes on and is cut', 'A sentence that…'],
  ['- milk\n- eggs', 'milk'],
  ['{"api": {"per_minute": 900}}', '{"api": {"per_minute": 900}}'],
  ['```sh\nnpm ci\n```\n\nThen wait.', 'Then wait.'],
  ['An introduction.\n\n# Setup\n\nSteps.', 'Setup'],
  ['const a = 1;\n\nrun(a);\nstop();', 'const a = 1;'],
  ['Nothing calls it', ''],
])('%j called %j has no title of its own', (value, title) => {
  expect(ownTitle({ value, title })).toBeUndefined();
});

test('a short paragraph is a sentence; what has a title, a list, a second paragraph or a format is not', () => {
  const sentences = [
    'The payments API listens on port 8443.',
    'Two of them. In one **paragraph**\nwith a line break.',
    '---\nsource: x\n---\nBelow properties.',
  ];
  const others = ['# Deploy\n\nText', '- milk\n- eggs', 'One.\n\nTwo.', '{"a": 1}', 'so '.repeat(100), ''];
  const isOne = (value: string) => isSentence({ value, title: value.split('\n')[0] ?? '' });
  expect(sentences.map((value) => isSentence({ value, title: value.split('\n').at(-1) ?? '' }))).toEqual([
    true,
    true,
    true,
  ]);
  expect(others.map(isOne)).toEqual(others.map(() => false));
  expect(isSentence({ value: 'It listens on 8443.', title: 'Payments API' })).toBe(false);
});
