import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

const table: [string, { value: string; metadata: Record<string, unknown> }, string][] = [
  [
    'the title of its metadata',
    { value: '# Other\nText.', metadata: { title: ' Deploy  days ' } },
    'Deploy days',
  ],
  ['not one that is no text', { value: '# Deploys\nText.', metadata: { title: 7 } }, 'Deploys'],
  [
    'not an empty one',
    { value: 'We deploy on Thursday. Then we rest.', metadata: { title: ' ' } },
    'We deploy on Thursday.',
  ],
  [
    'the first heading, wherever it stands',
    { value: 'Intro.\n\n## The *big* plan ##\nText.', metadata: {} },
    'The big plan',
  ],
  [
    'the title of its front matter',
    { value: '---\ndate: 2026-01-01\ntitle: "Deploys"\n---\n# Other', metadata: {} },
    'Deploys',
  ],
  [
    'the heading behind front matter without one',
    { value: '---\ndate: 2026-01-01\n---\n# Other', metadata: {} },
    'Other',
  ],
  ['underscores within words', { value: 'text', metadata: { title: 'A___B___C_d_e' } }, 'A___B___C_d_e'],
  ['not those of emphasis', { value: '# __Now__ and _then_', metadata: {} }, 'Now and then'],
  ['links as they are said', { value: '# [[AI Coding]], [[a/b|notes]]', metadata: {} }, 'AI Coding, notes'],
  [
    'the first sentence',
    { value: 'Anna moved to Lyon in May. She likes it.', metadata: {} },
    'Anna moved to Lyon in May.',
  ],
  ['the first item of a list', { value: '\n- [ ] buy milk\n- bread', metadata: {} }, 'buy milk'],
  [
    'without marks of links and code',
    { value: 'See [the docs](https://x.y/z) and `npm ci`.', metadata: {} },
    'See the docs and npm ci.',
  ],
  [
    'no comment of a script',
    { value: 'Run this:\n```sh\n# install\nnpm ci\n```\n', metadata: {} },
    'Run this:',
  ],
  ['without marks of highlights', { value: '# Say ==this== if a == b', metadata: {} }, 'Say this if a == b'],
  ['no comment of Obsidian', { value: '%%\n# Draft\n%%\n# Text %%old%%', metadata: {} }, 'Text'],
  [
    'code and formulas as they are',
    { value: 'Use `a==b` or `c==d`, `%%bash` or `%%sh`, $a*b$ or $c ==d== e*f$.', metadata: {} },
    'Use a==b or c==d, %%bash or %%sh, $a*b$ or $c ==d== e*f$.',
  ],
  [
    'addresses as they are',
    { value: '# https://x.test/_a_/?b===c&==d%%20e or https://x.test/_a_/%%20f', metadata: {} },
    'https://x.test/_a_/?b===c&==d%%20e or https://x.test/_a_/%%20f',
  ],
  [
    'comparisons and shares as they are',
    { value: '# if (a==b && c==d) ?a==1&b==2 is 5%% or 10%% more', metadata: {} },
    'if (a==b && c==d) ?a==1&b==2 is 5%% or 10%% more',
  ],
  [
    'without marks amid a script that has no blanks',
    { value: '这是==重点==内容', metadata: {} },
    '这是重点内容',
  ],
  [
    'the cells of a table that it begins with',
    { value: '| Day | **Who** |\n|---|---|\n| 4 May | Anna |', metadata: {} },
    'Day · Who',
  ],
  ['what is there where nothing is a word', { value: '🎉', metadata: {} }, '🎉'],
  ['nothing for blanks', { value: ' \n\t ', metadata: {} }, ''],
];

describe('the title of a memory', () => {
  it.each(table)('is %s', (_, { value, metadata }, title) => {
    expect(titleOf(value, metadata)).toBe(title);
  });

  it('is cut at a word, with an ellipsis', () => {
    const title = titleOf('word '.repeat(40), {});
    expect(title).toBe(`${'word '.repeat(15)}word…`);
    expect(title.length).toBeLessThanOrEqual(80);
  });

  it('is one well-formed line of at most 80 characters, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (value) => {
        const title = titleOf(value, {});
        expect(title.length).toBeLessThanOrEqual(80);
        expect(title).not.toMatch(/[\n\r\p{Cs}]/u);
      }),
    );
  });
});
