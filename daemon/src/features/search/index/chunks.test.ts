import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { runs } from '@reverie/shared/testing/depth';

import { chunksOf, isCutByStructure, searchedText, titleOf } from './chunks.ts';

const joined = (value: string): string =>
  chunksOf(value)
    .map((chunk) => chunk.text)
    .join('');
const lengths = (value: string): number[] => chunksOf(value).map((chunk) => chunk.text.length);

describe('chunks', () => {
  it('leaves a short value whole', () => {
    expect(chunksOf('')).toEqual([{ text: '', start: 0, end: 0, path: [] }]);
    expect(chunksOf('x'.repeat(1_200))).toHaveLength(1);
  });

  it('are the value when joined, none too long, none cut inside a character', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('\n\n', '\n', '. ', ' ', '# ', '👩‍👩‍👧‍👦', 'e\u0301', '東京。', 'x'.repeat(700)),
      fc.constantFrom(
        '\n## ',
        '\n- ',
        '\n  - ',
        '\n| a | b |\n|-|-|\n',
        '\n```\n',
        '\n> ',
        '---\n',
        '\r',
        '\0',
      ),
    );
    const value = fc.array(piece, { minLength: 20, maxLength: 200 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(value, (text) => {
        expect(joined(text)).toBe(text);
        for (const { text: part, start, end } of chunksOf(text)) {
          expect(text.slice(start, end)).toBe(part);
          expect(part.length).toBeLessThanOrEqual(1_200);
          if (text.isWellFormed()) expect(part.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: runs(50, 200) },
    );
  });

  it('are of 600 to 1,200 characters, the last ones too', () => {
    const sentences = Array.from(
      { length: 300 },
      (_, i) => `Sentence number ${i} says something of no importance.`,
    ).join(' ');
    for (let length = 1_201; length < 5_000; length += 97) {
      for (const size of lengths(sentences.slice(0, length))) {
        expect(size).toBeGreaterThanOrEqual(500);
        expect(size).toBeLessThanOrEqual(1_200);
      }
    }
  });

  it('begin at paragraphs, else sentences', () => {
    const sentence = 'A sentence of some words follows here. ';
    const paragraphs = chunksOf(
      `${sentence.repeat(20)}\n\nP2 ${sentence.repeat(20)}\n\nP3 ${sentence.repeat(20)}`,
    );
    expect(paragraphs.map((chunk) => chunk.text.slice(0, 2))).toEqual(['A ', 'P2', 'P3']);
    for (const { text } of chunksOf(sentence.repeat(100))) expect(text.startsWith('A sentence')).toBe(true);
  });

  it('never cut a family, an accent or a surrogate pair', () => {
    for (const unit of ['👩‍👩‍👧‍👦', 'e\u0301', '🎉', 'ก็']) {
      for (const { text } of chunksOf(`a${unit.repeat(1_000)}`))
        expect(text.replaceAll(unit, '')).toMatch(/^a?$/);
    }
    for (const { text } of chunksOf(`a\u0301${'\u0301'.repeat(5_000)}🎉`))
      expect(text.isWellFormed()).toBe(true);
  });

  it.each([
    [20, ['x', 'word ', 'x\n', '\u0301', '👩‍👩‍👧‍👦', '. ', ' ', '"', '東']],
    [17, ['# a\n', '---\n', '- a\n', '> a\n\n', '| a |\n', '|a|\n|-|\n|b|\n\n', 'a:\n\n- b\n\n', '```\n']],
  ])('takes linear time, up to 2^%i characters', async (most, units) => {
    for (const unit of units)
      await expectLinear((length) => {
        const value = unit.repeat(length / unit.length);
        expect(joined(value)).toBe(value);
      }, 1 << most);
  });
});

it('reads the structure of what a person writes, and cuts megabytes of it as plain text', () => {
  const section = (at: number) => `## Part ${at}\n\n${'Some words of it. '.repeat(60)}\n\n`;
  const document = (parts: number) => Array.from({ length: parts }, (_, at) => section(at)).join('');
  const pathsOf = (value: string) => new Set(chunksOf(value).map(({ path }) => path.at(-1)));
  expect(pathsOf(document(100)).size).toBe(100);
  expect(pathsOf(document(130))).toEqual(new Set(['Part 0']));
});

describe('titles', () => {
  it.each([
    ['# Rust notes\n\ntext', 'Rust notes'],
    ['intro\n\n## Second level ##\n# later', 'Second level'],
    ['---\ntags: [a]\ntitle: "From the front"\n---\n# Other', 'From the front'],
    ['Setext title\n============\ntext', 'Setext title'],
    ['no heading #hash', ''],
    ['---\ntags: a\n---\nplain', ''],
    [`# ${'🎉'.repeat(100)}`, '🎉'.repeat(60)],
  ])('%j → %j', (value, title) => expect(titleOf(value)).toBe(title));

  it('stand on every chunk of plain text with one', () => {
    const chunks = chunksOf(`T\n===\n${'some words. '.repeat(300)}`);
    expect(chunks.length).toBeGreaterThan(2);
    expect(new Set(chunks.map((chunk) => chunk.path.join()))).toEqual(new Set(['T']));
  });
});

describe('chunks of Markdown', () => {
  const words = (count: number) => 'some words of no importance '.repeat(count / 5).trim();
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => `| host-${i} | make ship-${i} to the rack in the cellar |`).join(
      '\n',
    );

  it('end at headings, and carry the title and the headings that they stand below', () => {
    const value = `---\ntitle: Handbook\n---\n# Deploying\n\n${words(60)}\n\n## To *production*\n\n${words(60)}\n\n# Billing\n\n${words(60)}\n`;
    expect(chunksOf(value).map(({ text, path }) => [text.split('\n', 4).join('/'), path])).toEqual([
      ['---/title: Handbook/---/# Deploying', ['Handbook', 'Deploying']],
      [`## To *production*//${words(60)}/`, ['Handbook', 'Deploying', 'To production']],
      [`# Billing//${words(60)}/`, ['Handbook', 'Billing']],
    ]);
  });

  it('keep a heading with what it is the heading of, and short sections together', () => {
    const value = `# Notes\n\n## Numbers\n\n${words(100)}\n\n## A\n\none\n\n## B\n\ntwo\n\n## C\n`;
    expect(
      chunksOf(value).map(({ text, path }) => [text.replaceAll(/\n+/gu, '/').slice(0, 24), path]),
    ).toEqual([
      ['# Notes/## Numbers/some ', ['Notes', 'Numbers']],
      ['## A/one/## B/two/## C/', ['Notes']],
    ]);
  });

  it('of a long table carry its head and the line before it', () => {
    const value = `# Hosts\n\nWhere things run:\n\n| Host | Command |\n|---|---|\n${rows(60)}\n`;
    const [first, ...others] = chunksOf(value);
    expect(first?.lead).toBeUndefined();
    expect(others.length).toBeGreaterThan(1);
    for (const chunk of others) {
      expect(chunk.lead).toBe('Where things run:\nHost · Command');
      expect(chunk.text).toMatch(/^\| host-\d+ \|[\s\S]*\|\n$/u);
      expect(searchedText(chunk)).toBe(`Hosts\nWhere things run:\nHost · Command\n${chunk.text}`);
    }
  });

  it('of a long list carry the line that leads to it, of long code the sentence before it', () => {
    const items = Array.from({ length: 60 }, (_, i) => `- item ${i} of the things to bring along`).join('\n');
    const list = chunksOf(`To bring:\n\n${items}\n`);
    expect(list.slice(1).map(({ lead }) => lead)).toEqual(list.slice(1).map(() => 'To bring:'));
    for (const { text } of list.slice(1)) expect(text).toMatch(/^- item/u);
    const lines = Array.from({ length: 80 }, (_, i) => `run step-${i} --with an argument`).join('\n');
    const code = chunksOf(`Some words. It is restored like this.\n\n\`\`\`sh\n${lines}\n\`\`\`\n`);
    expect(code.length).toBeGreaterThan(2);
    for (const { lead } of code.slice(1)) expect(lead).toBe('It is restored like this.');
  });

  it('cut between blocks before they cut one', () => {
    const value = `${words(40)}\n\n${words(180)}\n\n- ${words(60)}\n- ${words(60)}\n`;
    expect(chunksOf(value).map(({ text }) => text.trim())).toEqual([
      words(40),
      words(180),
      `- ${words(60)}\n- ${words(60)}`,
    ]);
  });

  it('leave nothing out: badges, front matter, rules, HTML and definitions stand in one of them', () => {
    const value = `---\ntags: [a]\n---\n[![build](b.svg)](ci)\n\n# T\n\n<!-- hidden -->\n\n***\n\n[ref]: https://example.com\n\n## Empty\n`;
    expect(joined(value)).toBe(value);
  });

  it('have a path of bounded length: the title and the innermost headings', () => {
    const deep = [1, 2, 3, 4, 5, 6].map(
      (level) => `${'#'.repeat(level)} ${`${level}`.repeat(110)}\n\n${words(40)}\n`,
    );
    expect(chunksOf(deep.join('\n')).at(-1)?.path).toEqual(['1'.repeat(110), '6'.repeat(110)]);
  });

  it('are no more than one for some 75 characters of what is nothing but headings', () => {
    const value = '# a\nb\n## c\nd\n'.repeat(1_000);
    expect(chunksOf(value).length).toBeLessThan(value.length / 75);
  });
});

describe('isCutByStructure', () => {
  it.each([
    ['plain text', false],
    [`plain ${'text '.repeat(500)}`, false],
    ['# One heading\n\nand what it says', false],
    ['- a list', false],
    [`# A\n\n${'text '.repeat(50)}\n\n## B\n\n${'text '.repeat(50)}`, true],
    [`- a list\n${'- of items\n'.repeat(200)}`, true],
  ])('%#', (value, is) => expect(isCutByStructure(value)).toBe(is));
});
