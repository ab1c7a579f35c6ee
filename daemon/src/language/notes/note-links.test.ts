import { expect, test } from 'vitest';
import { noteLinks } from './note-links.ts';

/** The links of a text in short: what they name, what of it, what is shown. */
const read = (text: string) =>
  noteLinks(text).map(({ target, part, text: shown, isEmbed }) =>
    [isEmbed ? '!' : '', target, part, shown === `${target}${part}` ? '' : ` (${shown})`].join(''),
  );

test.each([
  ['See [[beta]] and [[error:deploy]].', ['beta', 'error:deploy']],
  ['[[ Folder/Some note |the other]]', ['Folder/Some note (the other)']],
  ['[[beta#Two words]] [[beta^b1]] [[beta#^b1|there]]', ['beta#Two words', 'beta^b1', 'beta#^b1 (there)']],
  ['[[#Further down]]', ['#Further down']],
  ['![[beta]] and ![[pic.png|100]]', ['!beta', '!pic.png (100)']],
  ['[[[a]]] [[[[b]]]]', ['a', 'b']],
  ['[[a\nb]] [[]] [[|x]] [[ ]]', []],
  [
    '[b](beta.md) [c](<a b.md>) [d](../x%20y.md#Some%20part "title")',
    ['beta.md (b)', 'a b.md (c)', '../x y.md#Some part (d)'],
  ],
  ['[a *b* [c]](x.md) ![p](y.md)', ['x.md (a *b* [c])', '!y.md (p)']],
  ['[a](x(1).md) [b](x\\(1.md)', ['x(1).md (a)', 'x(1.md (b)']],
  ['[50%](100%.md)', ['100%.md (50%)']],
  ['[web](https://x.test/a.md) [m](mailto:a@b.test) [n](//x.test) [f](folder/) [[https://x.test]]', []],
  [
    'Text [a][ref] and [b].\n\n[ref]: notes/beta.md "t"\n[b]: <c d.md>\n',
    ['notes/beta.md (ref)', 'c d.md (b)'],
  ],
  ['[^1]: [[beta]]', ['beta']],
  ['`[[a]]` ``[[b]] ` `` \\[[c]] \\[d](d.md) [[e]]', ['e']],
  ['```\n[[a]]\n```\n~~~\n[b](b.md)\n~~~\n\n    [[c]]\n\n[[d]]', ['d']],
  [
    '<!-- [[a]]\n\n[[b]] --> [[c]] %%[[d]]%% [[e]]\n\n%%\n\n[[f]]\n\n%%\n[[g]] 100%% <!-- [[h]]',
    ['c', 'e', 'g', 'h'],
  ],
  ['<a title="[[x]]">[[y]]</a> <https://x.test/[[z]]>', ['y']],
  ['| a | b |\n|-|-|\n| [[x\\|y]] | [z](z.md) |', ['x (y)', 'z.md (z)']],
  [
    '> quoted [[a]]\n> and [[b]]\n\n- item [[c]]\n  - below [[d]]\n\n## Head [[e]]',
    ['a', 'b', 'c', 'd', 'e'],
  ],
  ['---\nup: "[[a]]"\nlist:\n  - \'[[b|B]]\'\nno: [[c]]\n---\n[[d]]', ['a', 'b (B)', 'd']],
  // Logseq: a page that is an outline, its namespaces, properties and embeds.
  ['# Lists\n\t- see [[beta]]\n\t\t- #[[two words]]\n', ['beta', 'two words']],
  ['tags:: [[a]], [[Ns/Page]]\n- {{embed [[b]]}}', ['a', 'Ns/Page', '!b']],
])('%j', (text, links) => {
  expect(read(text)).toEqual(links);
});

test('each has its place, and the place of what it names', () => {
  const text =
    '---\nup: "[[up]]"\n---\r\na ![[ b #c|d]] [e](<f g.md#h>)\r\n\r\n> [i](j%20k.md)\n\n[ref]: l.md\n';
  const places = noteLinks(text).map(({ start, end, from, to }) => [
    text.slice(start, end).trim(),
    text.slice(from, to),
  ]);
  expect(places).toEqual([
    ['[[up]]', 'up'],
    ['![[ b #c|d]]', 'b'],
    ['[e](<f g.md#h>)', 'f g.md'],
    ['[i](j%20k.md)', 'j%20k.md'],
    ['[ref]: l.md', 'l.md'],
  ]);
});

test.each([
  ...[
    '[',
    '[[',
    '[[a',
    '](',
    '[a](',
    '[a](b ',
    '[a](<',
    '[a](b (',
    '`',
    '``a',
    '`[',
    '<',
    '<a ',
    '<!--',
    '%%',
  ],
  ...['\\', '![[a]] ', '[[a|', '[a]: b\n', '> [', '- [[a]]\n', '|[[a\\|b]]', '((('],
])('a text of many %j is read in time that grows with its length', (part) => {
  const links = noteLinks(`Many: ${part.repeat(Math.ceil(130_000 / part.length))}\n\n# [[end]]`);
  expect(links.at(-1)?.target).toBe('end');
});

test('of a long text whole lines are read, and no more than so many', () => {
  const lines = (of: number) => '- [[a]] and some words\n'.repeat(of);
  const links = noteLinks(`${lines(20_000)}[[end]]`);
  expect(links.length).toBe(Math.floor(131_072 / lines(1).length));
  expect(links.every(({ target }) => target === 'a')).toBe(true);
});

test.each([
  ['5%% now.\n\n[[a]]\n\n10%% later.', ['a']],
  ['It is %% so.\n\n[[a]]\n\nAnd %% so.', ['a']],
  ['It is %%[[a]]%% so. [[b]]', ['b']],
  ['%%\n\n[[a]]\n\n%% [[b]]', ['b']],
])('a comment hides no links between two unrelated marks: %j', (text, targets) => {
  expect(noteLinks(text).map(({ target }) => target)).toEqual(targets);
});
