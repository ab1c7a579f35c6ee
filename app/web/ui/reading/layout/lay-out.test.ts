import { expect, test } from 'vitest';
import { headingsOf, type Laid, textOf } from './laid-out.ts';
import { layOut } from './lay-out.ts';

const p = (...children: Laid[]): Laid => ({ kind: 'element', tag: 'p', children });

test('headings keep their order and leave no level out', () => {
  const levels = headingsOf(layOut('### a\n\n##### b\n\n## c\n\n# d\n\n#### e')).map(({ level }) => level);
  expect(levels).toEqual([1, 2, 1, 1, 2]);
});

test('links lead out by http, https and mailto, to other memories, and to headings', () => {
  expect(
    layOut(
      '[a](https://a.test) [b](other.md) <b@c.test> [[team/plan|the plan]] [d](#two-words)\n\n# Two words',
    ),
  ).toEqual([
    p(
      { kind: 'link', href: 'https://a.test/', children: ['a'] },
      ' ',
      { kind: 'memory', target: 'other.md', isPath: true, children: ['b'] },
      ' ',
      { kind: 'link', href: 'mailto:b@c.test', children: ['b@c.test'] },
      ' ',
      { kind: 'memory', target: 'team/plan', children: ['the plan'] },
      ' ',
      { kind: 'jump', to: 'h1', children: ['d'] },
    ),
    { kind: 'heading', level: 1, id: 'h1', children: ['Two words'] },
  ]);
  expect(
    layOut('![[a#b]] [[#Two words|on]] [[#none]] [c](a%20b.md#d) [e](javascript:f)\n\n# Two words'),
  ).toMatchObject([
    p(
      { kind: 'memory', target: 'a#b', isEmbed: true, children: ['a#b'] },
      ' ',
      { kind: 'jump', to: 'h1', children: ['on'] },
      ' ',
      'none',
      ' ',
      { kind: 'memory', target: 'a b.md#d', isPath: true, children: ['c'] },
      ' ',
      'e',
    ),
    { kind: 'heading' },
  ]);
  expect(layOut('`[[a]]` [x [[b]]](https://c.test) [[ ]] [[c]]')).toMatchObject([
    p(
      { kind: 'element', tag: 'code', children: ['[[a]]'] },
      ' ',
      { kind: 'link', href: 'https://c.test/', children: ['x [[b]]'] },
      ' [[ ]] ',
      { kind: 'memory', target: 'c', children: ['c'] },
    ),
  ]);
});

test('tables, task lists, code, footnotes and pictures are what they are', () => {
  expect(layOut('| a | b |\n| - | -: |\n| 1 | [[x\\|y]] |')).toMatchObject([
    {
      kind: 'table',
      children: [
        { tag: 'thead' },
        {
          tag: 'tbody',
          children: [
            {
              children: [
                { children: ['1'] },
                { align: 'right', children: [{ kind: 'memory', target: 'x', children: ['y'] }] },
              ],
            },
          ],
        },
      ],
    },
  ]);
  expect(layOut('- [x] done\n- [ ] open\n- plain')).toMatchObject([
    { tag: 'ul', children: [{ isDone: true }, { isDone: false }, { tag: 'li' }] },
  ]);
  expect(layOut('- [x] done\n\n- [ ] open')).toMatchObject([
    { tag: 'ul', children: [{ isDone: true }, { isDone: false }] },
  ]);
  expect(layOut('```SH\nls\n```\n\n    indented')).toEqual([
    { kind: 'code', language: 'sh', text: 'ls' },
    { kind: 'code', language: '', text: 'indented' },
  ]);
  expect(layOut('a[^1]\n\n[^1]: why')).toMatchObject([
    { children: ['a', { tag: 'sup', children: [{ kind: 'jump', to: 'fn-1', id: 'fnref-1' }] }] },
    { kind: 'footnotes', children: [{ tag: 'ol', children: [{ tag: 'li', id: 'fn-1' }] }] },
  ]);
  const dot = 'data:image/png;base64,iVBORw0KGgo=';
  expect(layOut(`![a](${dot}) ![b](/icon.svg) ![c](https://d.test/c.png) ![e](e.png)`)).toEqual([
    p(
      { kind: 'image', src: dot, alt: 'a' },
      ' ',
      { kind: 'image', src: '/icon.svg', path: '/icon.svg', alt: 'b' },
      ' ',
      { kind: 'unloaded', alt: 'c', href: 'https://d.test/c.png' },
      ' ',
      { kind: 'unloaded', alt: 'e', path: 'e.png' },
    ),
  ]);
});

test('a drawing that a note carries is a picture, and never a part of the page', () => {
  const drawings = [
    'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+',
    'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E',
  ];
  for (const src of drawings) expect(layOut(`![a](${src})`)).toEqual([p({ kind: 'image', src, alt: 'a' })]);
  expect(layOut('![a](data:text/html;base64,PHN2Zz4=)')).toEqual([p({ kind: 'unloaded', alt: 'a' })]);
});

test('front matter and comments are nothing, other HTML is text', () => {
  expect(layOut('---\ntitle: A\ntags: [a]\n---\nBody<br>x <kbd>y</kbd> <!-- z -->')).toEqual([
    p('Body', { kind: 'element', tag: 'br', children: [] }, 'x ', '<kbd>', 'y', '</kbd>', ' '),
  ]);
  expect(textOf(layOut('---\n\nA ruler\n\n---\n\nand another'))).toBe('A rulerand another');
});

test('lines that were ended on purpose are kept, wrapped ones are joined', () => {
  expect(layOut('Herr Kern\nAm Markt 4\n20095 Hamburg')).toMatchObject([{ keepsLines: true }]);
  expect(
    layOut(
      'A line that was wrapped at some width by an editor of\ntext, and so goes on here as if nothing had been.',
    ),
  ).not.toHaveProperty('0.keepsLines');
});

test('marks are found again in what is laid out, but for places that are written otherwise', () => {
  const source = '---\na: b\n---\n# The boiler\n\nThe **boiler** of [[boiler room]]\n\nboiler &amp; fire';
  const marks = [...source.matchAll(/boiler/g)].map(({ index }) => [index, index + 6] as const);
  const mark: Laid = { kind: 'element', tag: 'mark', children: ['boiler'] };
  expect(layOut(source, marks)).toEqual([
    { kind: 'heading', level: 1, id: 'h1', children: ['The ', mark] },
    p('The ', { kind: 'element', tag: 'strong', children: [mark] }, ' of ', {
      kind: 'memory',
      target: 'boiler room',
      children: [mark, ' room'],
    }),
    p('boiler & fire'),
  ]);
});

test('a table of millions of cells, and a definition used millions of times, stay as they are written', () => {
  const [table] = layOut(`${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|b|\n'.repeat(100)}`);
  expect(table).toMatchObject({ kind: 'code' });
  const picture = `data:image/png;base64,${'A'.repeat(60_000)}`;
  const blocks = layOut(`${'![a][p] '.repeat(100)}\n\n[p]: ${picture}`);
  expect(JSON.stringify(blocks).length).toBeLessThan(10_000);
  expect(JSON.stringify(layOut(`![a][p]\n\n[p]: ${picture}`))).toContain(picture);
});
