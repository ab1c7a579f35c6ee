import { expect, test } from 'vitest';
import { textAt } from './without-title.ts';

test.each([
  ['# Deploy\n\nOn Thursdays.', 'Deploy', 'On Thursdays.'],
  ['\n## Deploy ##\nOn Thursdays.', 'Deploy', 'On Thursdays.'],
  ['# Deploy', 'Deploy', '# Deploy'],
  ['---\nsource: x\n---\n# Deploy\n\nOn Thursdays.', 'Deploy', 'On Thursdays.'],
  ['# Deploy\n\nOn Thursdays.', 'Another', '# Deploy\n\nOn Thursdays.'],
  ['#deploy is a tag', '#deploy is a tag', '#deploy is a tag'],
  [
    'We deploy on Thursdays. Never on Fridays.',
    'We deploy on Thursdays.',
    'We deploy on Thursdays. Never on Fridays.',
  ],
])('%j of the title %j reads %j', (value, title, left) => {
  expect(value.slice(textAt({ value, title }))).toBe(left);
});
