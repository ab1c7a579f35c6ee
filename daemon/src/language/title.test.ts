import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleOf } from './title.ts';

const table: [string, string, Record<string, unknown>, string][] = [
  ['the title of its metadata', '# Other\nText.', { title: ' Deploy  days ' }, 'Deploy days'],
  ['not one that is no text', '# Deploys\nText.', { title: 7 }, 'Deploys'],
  ['not an empty one', 'We deploy on Thursday. Then we rest.', { title: ' ' }, 'We deploy on Thursday.'],
  ['the first heading, wherever it stands', 'Intro.\n\n## The *big* plan ##\nText.', {}, 'The big plan'],
  ['the title of its front matter', '---\ndate: 2026-01-01\ntitle: "Deploys"\n---\n# Other', {}, 'Deploys'],
  ['the heading behind front matter without one', '---\ndate: 2026-01-01\n---\n# Other', {}, 'Other'],
  ['the first sentence', 'Anna moved to Lyon in May. She likes it.', {}, 'Anna moved to Lyon in May.'],
  ['the first item of a list', '\n- [ ] buy milk\n- bread', {}, 'buy milk'],
  [
    'without marks of links and code',
    'See [the docs](https://x.y/z) and `npm ci`.',
    {},
    'See the docs and npm ci.',
  ],
  ['no comment of a script', 'Run this:\n```sh\n# install\nnpm ci\n```\n', {}, 'Run this:'],
  ['what is there where nothing is a word', '🎉', {}, '🎉'],
  ['nothing for blanks', ' \n\t ', {}, ''],
];

describe('the title of a memory', () => {
  it.each(table)('is %s', (_, value, metadata, title) => {
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
