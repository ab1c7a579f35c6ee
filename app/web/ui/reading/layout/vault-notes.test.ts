import fc from 'fast-check';
import { expectLinear } from '@reverie/shared/testing/linear';
import { describe, expect, test } from 'vitest';
import { type Laid, textOf } from './laid-out.ts';
import { layOut } from './lay-out.ts';

const p = (...children: Laid[]): Laid => ({ kind: 'element', tag: 'p', children });
const item = (...children: Laid[]): Laid => ({ kind: 'element', tag: 'li', children });
const memory = (target: string): Laid => ({ kind: 'memory', target, children: [target] });
const code = (language: string, text: string): Laid => ({ kind: 'code', language, text });
const formula = (text: string, isBlock = false): Laid => ({ kind: 'formula', text, isBlock });

describe('formulas', () => {
  test.each<[string, Laid[]]>([
    ['Mass: $E=mc^2$.', [p('Mass: ', formula('E=mc^2'), '.')]],
    ['Mass: $$E=mc^2$$', [p('Mass: ', formula('E=mc^2', true))]],
    ['$$\n\\int x\n$$', [formula('\\int x', true)]],
    ['$$a\n= b$$\n\nAfter', [formula('a\n= b', true), p('After')]],
    ['```math\na_1\n```', [formula('a_1', true)]],
    ['Five for $5 and ten for $10.', [p('Five for $5 and ten for $10.')]],
    ['$x$ for $5 and $10', [p(formula('x'), ' for ', '$5 and $', '10')]],
    ['`$x$`', [p({ kind: 'element', tag: 'code', children: ['$x$'] })]],
    ['\\$x\\$', [p('$x$')]],
    ['```\n$$a\nb$$\n```', [{ kind: 'code', language: '', text: '$$a\nb$$' }]],
  ])('%j', (source, blocks) => {
    expect(layOut(source)).toEqual(blocks);
  });
});

test('a block of mermaid is code, of which a picture may be made', () => {
  expect(layOut('```mermaid\ngraph TD\n  A-->B\n```')).toEqual([
    { kind: 'code', language: 'mermaid', text: 'graph TD\n  A-->B' },
  ]);
});

describe('callouts', () => {
  test.each<[string, object]>([
    ['> [!note]\n> Text', { type: 'note', title: ['Note'], children: [p('Text')] }],
    ['> [!TIP]- Fold *me*\n> a\n>\n> b', { type: 'tip', fold: 'closed', children: [p('a'), p('b')] }],
    ['> [!faq]+ Why?', { type: 'faq', fold: 'open', title: ['Why?'], children: [] }],
    ['> [!info] One\n> > [!bug] Two\n> > x', { type: 'info', children: [{ kind: 'callout', type: 'bug' }] }],
  ])('%j', (source, part) => {
    expect(layOut(source)).toMatchObject([{ kind: 'callout', ...part }]);
  });

  test('are no other quotations', () => {
    expect(layOut('> [note] text')).toMatchObject([{ kind: 'element', tag: 'blockquote' }]);
    expect(layOut('[!note] text')).toEqual([p('[!note] text')]);
  });
});

describe('outlines', () => {
  test('that are indented below a heading are lists, with what hangs below each block', () => {
    const item = (text: string, ...below: object[]) => ({
      kind: 'element',
      tag: 'li',
      children: [text, ...(below.length > 0 ? [{ kind: 'element', tag: 'ul', children: below }] : [])],
    });
    expect(layOut('# Lists\n\t- first\n\t- second\n\t\t- third\n\t\t\t- fourth\n\t- fifth\n')).toEqual([
      { kind: 'heading', level: 1, id: 'h1', children: ['Lists'] },
      {
        kind: 'element',
        tag: 'ul',
        children: [item('first'), item('second', item('third', item('fourth'))), item('fifth')],
      },
    ]);
  });

  test('keep what is marked in its place', () => {
    const source = '# L\n\t- one two\n';
    const at = source.indexOf('two');
    expect(JSON.stringify(layOut(source, [[at, at + 3]]))).toContain('"tag":"mark","children":["two"]');
  });

  test('properties stand out, and what only an outliner needs is left out', () => {
    expect(layOut('type:: book\nid:: 63-a\n\n- read [[it]]\n  status:: open')).toMatchObject([
      p({ kind: 'element', tag: 'strong', children: ['type:'] }, ' book'),
      { tag: 'ul' },
    ]);
    expect(layOut('a::b and std::move(x)')).toEqual([p('a::b and std::move(x)')]);
  });

  test('code that is indented by tabs stays code', () => {
    expect(layOut('Text\n\n\tls -l\n')).toMatchObject([p('Text'), { kind: 'code' }]);
    expect(layOut('```\n\t- a\n```')).toEqual([{ kind: 'code', language: '', text: '\t- a' }]);
  });
});

const highlight = (...children: Laid[]): Laid => ({ kind: 'element', tag: 'mark', children });

describe('highlights', () => {
  test.each<[string, Laid[]]>([
    ['Say ==this== and ==that==.', [p('Say ', highlight('this'), ' and ', highlight('that'), '.')]],
    [
      'A ==note **with** [[beta]]==',
      [
        p(
          'A ',
          highlight('note ', { kind: 'element', tag: 'strong', children: ['with'] }, ' ', {
            kind: 'memory',
            target: 'beta',
            children: ['beta'],
          }),
        ),
      ],
    ],
    ['==**all**==', [p(highlight({ kind: 'element', tag: 'strong', children: ['all'] }))]],
    ['a == b and c == d', [p('a ', '==', ' b and c ', '==', ' d')]],
    [
      'check a==b and c==d, x==1 || y==2',
      [p('check a', '==', 'b and c', '==', 'd, x', '==', '1 || y', '==', '2')],
    ],
    ['这是==重点==内容', [p('这是', highlight('重点'), '内容')]],
    ['\\==not this==', [p('==not this==')]],
    ['==open', [p('==', 'open')]],
    ['`==code==`', [p({ kind: 'element', tag: 'code', children: ['==code=='] })]],
    ['=== and ===', [p('=== and ===')]],
    ['[[a==b]] [[c==d]]', [p(memory('a==b'), ' ', memory('c==d'))]],
    ['x ==a\nb==', [{ kind: 'element', tag: 'p', keepsLines: true, children: ['x ', highlight('a\nb')] }]],
  ])('%j', (source, blocks) => {
    expect(layOut(source)).toEqual(blocks);
  });

  test('are no more than an address says', () => {
    expect(textOf(layOut('<https://x.test/?a=b==&c=d==>'))).toBe('https://x.test/?a=b==&c=d==');
  });

  test('keep what was searched for in its place', () => {
    const source = 'So ==one two== is';
    const at = source.indexOf('two');
    expect(layOut(source, [[at, at + 3]])).toEqual([p('So ', highlight('one ', highlight('two')), ' is')]);
  });
});

describe('comments', () => {
  test.each<[string, Laid[]]>([
    ['Shown %%not this%% and this', [p('Shown ', ' and this')]],
    ['%%alone%%\n\nText', [p('Text')]],
    ['%%\n\n# Hidden\n\n- so\n\n```\nis it\n```\n\n%%\n\nText', [p('Text')]],
    ['- a %%b%%\n- %%c%%\n- d', [{ kind: 'element', tag: 'ul', children: [item('a '), item('d')] }]],
    ['100%% sure', [p('100%% sure')]],
    ['%%a%% 100%% sure', [p(' 100%% sure')]],
    ['\\%%a%%', [p('%%a%%')]],
    ['`%%a%%`', [p({ kind: 'element', tag: 'code', children: ['%%a%%'] })]],
    ['**a %%b** c%% d', [p({ kind: 'element', tag: 'strong', children: ['a '] }, ' d')]],
    ['```mermaid\n%%{init: {}}%%\ngraph TD\n```', [code('mermaid', '%%{init: {}}%%\ngraph TD')]],
    ['Text\n%%a%%\nmore', [{ kind: 'element', tag: 'p', keepsLines: true, children: ['Text\n', 'more'] }]],
    ['5%% now.\n\nText\n\n10%% later.', [p('5%% now.'), p('Text'), p('10%% later.')]],
    ['So %% is\n\nText\n\nand %% is', [p('So %% is'), p('Text'), p('and %% is')]],
    ['%% is\n\nnot a share of 10%% or so', [p('%% is'), p('not a share of 10%% or so')]],
    ['%%due 2026%% now', [p(' now')]],
    ['for %%i in (*) do echo %%i', [p('for %%i in (*) do echo %%i')]],
    ['> %%\n>\n> so\n>\n> %%\n\nText', [p('Text')]],
    ['%%https://x.test%% so', [p(' so')]],
  ])('%j', (source, blocks) => {
    expect(layOut(source)).toEqual(blocks);
  });

  test('are none in addresses, and none over cells', () => {
    const addresses = 'https://x.test/a%%20b and https://y.test/%%20c';
    expect(textOf(layOut(addresses))).toBe(addresses);
    expect(textOf(layOut('| a | b |\n|-|-|\n| so %% | d |\n| e | or %% |'))).toContain('so %%deor %%');
  });

  test('leave the cells of a table where they are', () => {
    expect(layOut('| a | b |\n|-|-|\n| %%c%% | d |')).toMatchObject([
      { children: [{}, { children: [{ children: [{ children: [] }, { children: ['d'] }] }] }] },
    ]);
  });

  test('keep what is marked in its place', () => {
    const source = 'a %%b%% one two';
    const at = source.indexOf('two');
    expect(layOut(source, [[at, at + 3]])).toEqual([p('a ', ' one ', highlight('two'))]);
  });
});

test('whatever a note is made of is laid out', () => {
  const piece = fc.constantFrom(
    ...[
      '$',
      '$$',
      '\n',
      '\t',
      '- ',
      '> ',
      '[!note]',
      '-',
      ' x',
      '```mermaid\n',
      '```\n',
      'a:: b',
      '\\',
      '[^1]',
      '[^1]: f',
      '# ',
      '|',
      '5',
      '==',
      '%%',
      '**',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(layOut(pieces.join(''))).toBeInstanceOf(Array);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['dollars', '$ ', ''],
  ['formulas', '$x$ ', ''],
  ['marks of blocks', '$$a\n', ''],
  ['callouts', `${'> '.repeat(100)}[!note]\n\n`, ''],
  ['tabs', '\t', '- b'],
  ['blocks', '\t- b\n', ''],
  ['properties', 'a:: b\n', ''],
  ['marks of highlights', '==', ''],
  ['highlights', '==a== ', ''],
  ['highlights that are not ended', '==a ', ''],
  ['comments', '%%a%% ', ''],
  ['comments that are not ended', 'a%%\n\n', ''],
  ['comments that begin lines', '%%a\n\n', ''],
])('many %s take time by their number', (_, piece, end) =>
  expectLinear((length) => layOut(`# a\n${piece.repeat(length / piece.length)}${end}`), 50_000),
);

describe('what Logseq refers to', () => {
  const ID = '6590d2a1-0000-4000-8000-000000000001';
  const block = (more: object = {}): Laid => ({
    kind: 'memory',
    target: `((${ID}))`,
    isPath: true,
    children: [`((${ID}))`],
    ...more,
  });
  test.each<[string, Laid[]]>([
    [`See ((${ID})).`, [p('See ', block(), '.')]],
    [`((${ID.toUpperCase()}))`, [p(block({ children: [`((${ID.toUpperCase()}))`] }))]],
    [`{{embed ((${ID}))}}`, [p(block({ isEmbed: true }))]],
    ['{{embed [[a b]]}}', [p({ kind: 'memory', target: 'a b', isEmbed: true, children: ['a b'] })]],
    [`{{embed ((${ID}))`, [p('{{embed ', block())]],
    [`((${ID}))}}`, [p(block(), '}}')]],
    ['((no id)) {{embed x}}', [p('((no id)) {{embed x}}')]],
    [`\`((${ID}))\``, [p({ kind: 'element', tag: 'code', children: [`((${ID}))`] })]],
  ])('%j', (source, blocks) => {
    expect(layOut(source)).toEqual(blocks);
  });
});
