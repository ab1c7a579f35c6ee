import { expect, test } from 'vitest';
import { plainLine, plainWords } from './plain-line.ts';

test('a picture is called by its name, however wide it is', () => {
  expect(plainLine('Before ![[a b.png|300]] and ![[c.png|20x10]] ![[d.png|words]]')).toBe(
    'Before a b.png and c.png words',
  );
});

test.each([
  [
    '# Deploy\n\nWe deploy on **Thursdays**, never on _Fridays_.\n\n- Freeze: 20 December',
    '',
    'We deploy on Thursdays, never on Fridays. Freeze: 20 December',
  ],
  ['Deploy\n======\n\nOn Thursdays', '', 'On Thursdays'],
  [
    '---\ntitle: A\n---\n# A\nSee [the docs](https://x.test) and [[team/plan|the plan]], [[b]]',
    '',
    'See the docs and the plan, b',
  ],
  ['Norrsken: wrong VAT. Fixed by Tobias.', 'Norrsken: wrong VAT', 'Fixed by Tobias.'],
  [
    'A first sentence that goes on and is cut',
    'A first sentence that…',
    'A first sentence that goes on and is cut',
  ],
  ['- [x] done\n- [ ] open\n1. one\n> said', '', 'done open one said'],
  ['| a | b |\n|---|---|\n| 1 | `x` |', '', 'a · b 1 · x'],
  ['```sh\nls -la\n```', '', 'ls -la'],
  [
    'snake_case_name and 2*3*4 stay, \\*so\\* does this[^1]',
    '',
    'snake_case_name and 2*3*4 stay, *so* does this',
  ],
  ['![a map](https://x.test/map.png) <!-- not this --> and this', '', 'a map and this'],
  ['Say ==this== %%not\nthis%% and a == b, c == d', '', 'Say this and a == b, c == d'],
  [
    'Use `a==b` or `c==d`, `a*b` or `c*d`, `%%bash` or `%%sh`: $a*b$, $c*d$',
    '',
    'Use a==b or c==d, a*b or c*d, %%bash or %%sh: $a*b$, $c*d$',
  ],
  ['5%% now, 10%% later, if (a==b && c==d)', '', '5%% now, 10%% later, if (a==b && c==d)'],
  ['```bat\nfor %%i in (*) do echo %% %%i %%\n```', '', 'for %%i in (*) do echo %% %%i %%'],
  [
    'https://x.test/_a_%%20b_ or https://x.test/_c_%%20d',
    '',
    'https://x.test/_a_%%20b_ or https://x.test/_c_%%20d',
  ],
  ['# Only a title', '', ''],
  ['', '', ''],
])('%j called %j is %j', (value, title, line) => {
  expect(plainLine(value, title)).toBe(line);
});

test('looks at the beginning only, so that a list of any length is fast', () => {
  expect(plainLine(`begins ${'so '.repeat(1_000)}`).length).toBeLessThanOrEqual(500);
  expect(plainLine(`${'a'.repeat(490)} [cut](https://x.test/a/very/long/address)`)).toBe(
    `${'a'.repeat(490)} cut`,
  );
});

test('quoted sentences keep their lines and lose their marks', () => {
  expect(plainWords('hsmctl: "`hsmctl` signs **it**"\n- see [[team/plan|the plan]]')).toBe(
    'hsmctl: "hsmctl signs it"\nsee the plan',
  );
});
