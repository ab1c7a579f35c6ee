import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { passagesOf, withoutMarks } from './passages.ts';

const textsOf = (text: string) => passagesOf(text).map((passage) => passage.text);
/** What a passage says with what it stands below and what leads to it. */
const told = (text: string) =>
  passagesOf(text).map(({ text: said, kind, path, lead }) => ({
    said,
    kind,
    ...(path.length > 0 && { path: path.join(' > ') }),
    ...(lead !== undefined && { lead }),
  }));

describe('plain text', () => {
  it('is its sentences, those of one paragraph in one block', () => {
    const text = 'The flat is let. The rent is 940 euro.\n\nThe key is at Ida’s.';
    expect(passagesOf(text).map(({ text: said, block, kind }) => [said, block, kind])).toEqual([
      ['The flat is let.', 0, 'sentence'],
      ['The rent is 940 euro.', 0, 'sentence'],
      ['The key is at Ida’s.', 1, 'sentence'],
    ]);
  });

  it.each(['', ' \n\t', '\u0000'])('%j has none that says something', (text) => {
    expect(textsOf(text).filter((said) => /[\p{L}\p{N}]/u.test(said))).toEqual([]);
  });
});

describe('headings', () => {
  it('are the path of what stands below them, the outermost first', () => {
    const text =
      '# House\n\n## Heating\n\nThe boiler is from 2019.\n\n## Roof\n\nIt leaks.\n\n# Car\n\nIt is grey.';
    expect(told(text)).toEqual([
      { said: 'The boiler is from 2019.', kind: 'sentence', path: 'House > Heating' },
      { said: 'It leaks.', kind: 'sentence', path: 'House > Roof' },
      { said: 'It is grey.', kind: 'sentence', path: 'Car' },
    ]);
  });

  it('may be underlined', () => {
    expect(told('House\n=====\n\nIt is old.\n\nRoof\n----\n\nIt leaks.')).toEqual([
      { said: 'It is old.', kind: 'sentence', path: 'House' },
      { said: 'It leaks.', kind: 'sentence', path: 'House > Roof' },
    ]);
  });

  it('are without marks', () => {
    expect(told('# The **new** [house](https://a.example) `x_y`\n\nIt is old.')[0]?.path).toBe(
      'The new house x_y',
    );
  });
});

describe('lists', () => {
  it('have the line that leads to them, and what an item says leads to those below it', () => {
    const text = 'To pack:\n\n- tent\n- stove\n  - gas, two cans\n  - matches\n- map\n\nWe go by train.';
    expect(told(text)).toEqual([
      { said: 'To pack:', kind: 'sentence' },
      { said: 'tent', kind: 'item', lead: 'To pack:' },
      { said: 'stove', kind: 'item', lead: 'To pack:' },
      { said: 'gas, two cans', kind: 'item', lead: 'stove' },
      { said: 'matches', kind: 'item', lead: 'stove' },
      { said: 'map', kind: 'item', lead: 'To pack:' },
      { said: 'We go by train.', kind: 'sentence' },
    ]);
  });

  it('have none where the paragraph before them does not lead to them', () => {
    expect(told('We go by train.\n\n1. tent\n2. stove')).toEqual([
      { said: 'We go by train.', kind: 'sentence' },
      { said: 'tent', kind: 'item' },
      { said: 'stove', kind: 'item' },
    ]);
  });

  it('have sentences of one item in one block', () => {
    const [one, two, three] = passagesOf('- The rent is 940 euro. It rises in May.\n- The key is at Ida’s.');
    expect([one?.block === two?.block, two?.block === three?.block]).toEqual([true, false]);
  });
});

describe('tables', () => {
  const TABLE =
    '| Env | Command | Window |\n| --- | :-: | --- |\n| prod | `make ship` | **Thursday** |\n| stage | | any |\n';

  it('are their rows, each with its head, empty cells left out', () => {
    expect(told(`# Deploys\n\n${TABLE}`)).toEqual([
      { said: 'Env: prod · Command: make ship · Window: Thursday', kind: 'row', path: 'Deploys' },
      { said: 'Env: stage · Window: any', kind: 'row', path: 'Deploys' },
    ]);
  });

  it('stand where their rows stand', () => {
    const text = `Windows:\n\n${TABLE}`;
    const [, row] = passagesOf(text);
    expect(text.slice(row?.start, row?.end)).toBe('| prod | `make ship` | **Thursday** |');
    expect(row?.lead).toBe('Windows:');
  });
});

describe('code', () => {
  it('is whole, with the sentence before it', () => {
    expect(told('It is slow. Ship it with this.\n\n```sh\nmake ship\nmake watch\n```\n\nThen wait.')).toEqual(
      [
        { said: 'It is slow.', kind: 'sentence' },
        { said: 'Ship it with this.', kind: 'sentence' },
        { said: 'make ship\nmake watch', kind: 'code', lead: 'Ship it with this.' },
        { said: 'Then wait.', kind: 'sentence' },
      ],
    );
  });

  it('is no heading and no list, whatever stands in it, and may be indented or never end', () => {
    expect(told('# Steps\n\n    # not a heading\n    - no item')).toEqual([
      { said: '# not a heading\n- no item', kind: 'code', path: 'Steps' },
    ]);
    expect(textsOf('```\n# open\nmake x')).toEqual(['# open\nmake x']);
  });

  it('is cut between its lines where it is long', () => {
    const line = `echo ${'x'.repeat(90)}`;
    const pieces = textsOf(`\`\`\`\n${[line, line, line, line].join('\n')}\n\`\`\``);
    expect(pieces).toEqual([[line, line, line].join('\n'), line]);
  });
});

describe('what says nothing by itself', () => {
  it.each([
    ['front matter', '---\ntitle: House\ntags:\n  - roof\n\nby: Ida\n---\nIt leaks.'],
    ['a badge', '[![build](https://a.example/b.svg)](https://a.example)\n\nIt leaks.'],
    ['pictures', '![roof](roof.png)\n![back][back]\n\nIt leaks.\n\n[back]: back.png'],
    ['a rule', '# A\n\n---\n\nIt leaks.\n\n***'],
    ['a heading', '# A\n\n## B\n\nIt leaks.\n\n## C'],
    ['the head of a table', 'It leaks.\n\n| A | B |\n| - | - |'],
  ])('is no passage: %s', (_, text) => {
    expect(textsOf(text)).toEqual(['It leaks.']);
  });
});

describe('lines', () => {
  it('that an editor broke are one sentence', () => {
    const text =
      '# Notes\n\nThe boiler was replaced last spring by the company from the next\nvillage, and has run without a fault. It is\ngood.';
    expect(textsOf(text)[0]).toBe(
      'The boiler was replaced last spring by the company from the next village, and has run without a fault.',
    );
  });

  it('of a quotation are without its marks', () => {
    expect(
      told(
        '> The rent is due on the third, she wrote to all of us in the house\n> and to the bank.\n>\n> - Ida',
      ),
    ).toEqual([
      {
        said: 'The rent is due on the third, she wrote to all of us in the house and to the bank.',
        kind: 'sentence',
      },
      { said: 'Ida', kind: 'item' },
    ]);
  });
});

it.each([
  ['a **b** c', 'a b c'],
  ['[a](b) ![c](d) `e`', 'a c e'],
  ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
  ['~~old~~ __new__', 'old new'],
])('%s without marks is %s', (text, plain) => {
  expect(withoutMarks(text)).toBe(plain);
});

describe('any text', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '# House',
      '---',
      '===',
      '- tent',
      '  - gas',
      '1. one',
      '| a | b |',
      '| - | - |',
      '| x | y |',
      '```',
      '~~~sh',
      '> said',
      '>> twice',
      '    code',
      '',
      '![x](y)',
      'To pack:',
      'The rent is 940 euro. It rises.',
      '\t- tab',
      '<b>',
      '[a]: b',
      'The boiler was replaced last spring by the company from the next',
    ),
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, by]) => lines.join(by));

  it('has passages where they are said to stand behind a carriage return alone', () => {
    const value = 'a\rb\n\n~~~sh\ncode();\n~~~\nend';
    const [, , code] = passagesOf(value);
    expect(value.slice(code?.start, code?.end)).toBe('code();');
  });

  it('has passages in range and in order, none of them empty', () => {
    fc.assert(
      fc.property(text, (value) => {
        let [last, block] = [0, -1];
        for (const passage of passagesOf(value)) {
          expect(passage.start).toBeGreaterThanOrEqual(last);
          expect(passage.end).toBeGreaterThan(passage.start);
          expect(passage.end).toBeLessThanOrEqual(value.length);
          expect(passage.block).toBeGreaterThanOrEqual(block);
          expect(passage.text.trim()).not.toBe('');
          ({ start: last, block } = passage);
        }
      }),
      { numRuns: runs(50, 400) },
    );
  });

  it('has sentences and items whose words stand where they are said to stand', () => {
    const wordsOf = (said: string) => said.match(/[\p{L}\p{N}]+/gu) ?? [];
    fc.assert(
      fc.property(text, (value) => {
        for (const { kind, text: said, start, end } of passagesOf(value)) {
          const there = value.slice(start, end);
          if (kind === 'sentence' || kind === 'item') expect(wordsOf(there)).toEqual(wordsOf(said));
          else for (const word of kind === 'row' ? [] : wordsOf(said)) expect(there).toContain(word);
        }
      }),
      { numRuns: runs(50, 400) },
    );
  });
});
