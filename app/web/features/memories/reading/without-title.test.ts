import { expect, test } from 'vitest';
import { withoutTitle } from './without-title.ts';

test.each([
  ['# Deploy\n\nOn Thursdays.', 'Deploy', 'On Thursdays.'],
  ['\n## Deploy ##\nOn Thursdays.', 'Deploy', 'On Thursdays.'],
  ['# Deploy', 'Deploy', '# Deploy'],
  ['# Deploy\n\nOn Thursdays.', 'Another', '# Deploy\n\nOn Thursdays.'],
  ['#deploy is a tag', '#deploy is a tag', '#deploy is a tag'],
  [
    'We deploy on Thursdays. Never on Fridays.',
    'We deploy on Thursdays.',
    'We deploy on Thursdays. Never on Fridays.',
  ],
])('%j of the title %j reads %j', (value, title, left) => {
  expect(withoutTitle({ value, title })).toBe(left);
});
