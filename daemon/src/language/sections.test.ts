import { describe, expect, it } from 'vitest';
import { sectionsOf } from './sections.ts';

/** What each block of a text begins with, its path and what leads to it. */
const blocksOf = (text: string) =>
  sectionsOf(text).flatMap(({ path, blocks }) =>
    blocks.map(({ start, isPart, lead }) => [
      `${isPart ? '+ ' : ''}${text.slice(start).split('\n', 1)[0] ?? ''}`,
      path.join(' > '),
      lead() ?? '',
    ]),
  );

describe('sections', () => {
  it('are the text together, with headings of both kinds and what stands before the first', () => {
    const text = '---\na: b\n---\nintro\r\n\r\nTop\n===\n\none\n\n### Deep `x`\ntwo\n\n## Next ##\n';
    const sections = sectionsOf(text);
    expect(sections.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
    expect(sections.map(({ path, hasContent }) => [path, hasContent])).toEqual([
      [[], true],
      [['Top'], true],
      [['Top', 'Deep x'], true],
      [['Top', 'Next'], false],
    ]);
  });

  it('have no heading inside of code', () => {
    expect(sectionsOf('# A\n\n```sh\n# not one\n```\n').map(({ path }) => path)).toEqual([[], ['A']]);
  });

  it('are made of blocks, and items and rows as parts of them, each with what leads to it', () => {
    expect(
      blocksOf(
        '# A\n\nPack first. To bring:\n\n- tent\n  - pegs\n- stove\n\nCosts:\n\n| What | Price |\n|-|-|\n| gas | 9 |\n',
      ),
    ).toEqual([
      ['# A', '', ''],
      ['# A', 'A', ''],
      ['Pack first. To bring:', 'A', ''],
      ['- tent', 'A', 'To bring:'],
      ['+   - pegs', 'A', 'tent'],
      ['+ - stove', 'A', 'To bring:'],
      ['Costs:', 'A', ''],
      ['| What | Price |', 'A', 'Costs:'],
      ['+ | gas | 9 |', 'A', 'Costs:\nWhat · Price'],
    ]);
  });

  it('tell the sentence before code, and nothing before a list that nothing leads to', () => {
    expect(blocksOf('Wait. Then run this.\n\n    make\n\nDone.\n\n- a\n- b\n')).toEqual([
      ['Wait. Then run this.', '', ''],
      ['    make', '', 'Then run this.'],
      ['Done.', '', ''],
      ['- a', '', ''],
      ['+ - b', '', ''],
    ]);
  });
});

describe('a hostile heading', () => {
  const costOf = (text: string) => {
    const before = process.threadCpuUsage();
    sectionsOf(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  it.each(['[', '![', '[a](', '[a](x(', '*a', '`a', '_a '])('of %s costs what its length does', (piece) => {
    const heading = (length: number) => `${piece.repeat(length / piece.length)}\n---\ntext`;
    costOf(heading(1_000));
    expect(costOf(heading(64_000))).toBeLessThan(6 * costOf(heading(16_000)) + 50);
  });
});
