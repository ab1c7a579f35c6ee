import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { frontmatterOf, parseYaml } from '@reverie/memory-formats/notes/frontmatter';
import { type GivenValue, withProperty } from './property-lines.ts';

const note = (...lines: string[]) => ['---', ...lines, '---', '', '# T', ''].join('\n');

describe('a property of front matter', () => {
  test.each<[what: string, before: string, name: string, value: GivenValue, after: string]>([
    [
      'a text',
      'a: 1 # one\nstatus: open  # now\nb: "x"',
      'status',
      'done',
      'a: 1 # one\nstatus: done  # now\nb: "x"',
    ],
    ['a text in quotation marks', 'status: "open"\nb: 1', 'status', 'it is', 'status: "it is"\nb: 1'],
    ['a text in single ones', "status: 'open'\nb: 1", 'status', "it's", "status: 'it''s'\nb: 1"],
    ['a text that looks like a number', 'n: x', 'n', '3', 'n: "3"'],
    ['a text that says yes', 'n: x', 'n', 'yes', 'n: "yes"'],
    ['a text with a colon', 'n: x', 'n', 'a: b # c', 'n: "a: b # c"'],
    ['an address', 'n: x', 'n', 'https://example.org/a', 'n: https://example.org/a'],
    ['a link', 'n: "[[a]]"', 'n', '[[b]]', 'n: "[[b]]"'],
    ['a day', 'due: 2026-12-01\nb: 1', 'due', '2026-12-24', 'due: 2026-12-24\nb: 1'],
    ['a number', 'n: 1.10', 'n', 2.5, 'n: 2.5'],
    ['a checkbox', 'done: false', 'done', true, 'done: true'],
    ['nothing so far', 'status:\nb: 1', 'status', 'open', 'status: open\nb: 1'],
    ['another case', 'Status: open', 'status', 'done', 'Status: done'],
    ['a name in quotation marks', '"my due": x', 'my due', 'z', '"my due": z'],
    ['no such line', 'b: 1 # one', 'status', 'open', 'b: 1 # one\nstatus: open'],
    ['a list on one line', 'p: [a, "b c"] # w', 'p', ['b c', 'd'], 'p: ["b c", d] # w'],
    [
      'a list on lines',
      'p:\n  - a # x\n  - "b"\nq: 1',
      'p',
      ['a', 'b', 'c'],
      'p:\n  - a # x\n  - "b"\n  - c\nq: 1',
    ],
    ['a list on lines that loses one', 'p:\n- a\n- b\nq: 1', 'p', ['b'], 'p:\n- b\nq: 1'],
    ['a list on lines that is emptied', 'p:\n  - a\nq: 1', 'p', [], 'p: []\nq: 1'],
    ['a list in another order', 'p: [a, b]', 'p', ['b', 'a'], 'p: [b, a]'],
    ['a text of several lines', 'p: |\n  a\n  b\nq: 1', 'p', 'c', 'p: c\nq: 1'],
    ['a map', 'p:\n  x: 1\nq: 1', 'p', 'c', 'p: c\nq: 1'],
    ['a line in Chinese', '状态: 进行中', '状态', '完成', '状态: 完成'],
  ])('%s is changed in its own lines alone', (...[, before, name, value, after]) => {
    expect(withProperty(note(...before.split('\n')), { name, value })).toBe(note(...after.split('\n')));
    const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
    expect(withProperty(windows(note(...before.split('\n'))), { name, value })).toBe(
      windows(note(...after.split('\n'))),
    );
  });

  test.each([
    ['a: 1\nstatus: open # x\n# of b\nb: 2', 'a: 1\n# of b\nb: 2'],
    ['a: 1\nstatus:\n  - x\n  - y\nb: 2', 'a: 1\nb: 2'],
    ['a: 1\nstatus: |\n  x\n\n  y\nb: 2', 'a: 1\nb: 2'],
    ['a: 1\nstatus:\nb: 2', 'a: 1\nb: 2'],
    ['a: 1\nb: 2', 'a: 1\nb: 2'],
  ])('is taken out of %j', (before, after) => {
    expect(withProperty(note(before), { name: 'status', value: undefined })).toBe(note(after));
  });

  test('comes with front matter, and goes with it', () => {
    for (const text of ['# T\n', '\uFEFF# T\r\n', '', '- not:a property\n']) {
      const given = withProperty(text, { name: 'due', value: '2026-12-01' }) ?? '';
      expect(given.replace('\uFEFF', '').startsWith('---')).toBe(true);
      expect(withProperty(given, { name: 'due', value: undefined })).toBe(text);
    }
  });

  test.each(['a: [1', 'a: 1\na: 2', '- a\n- b', '{a: 1}', 'x: &a 1\nb: *a'])(
    'is refused where %j would not stay as it is',
    (yaml) => {
      const name = yaml.startsWith('x') ? 'x' : 'a';
      expect(withProperty(note(yaml), { name, value: 'new' })).toBeUndefined();
    },
  );

  test('is read as it was given, whatever it says, and all else stays byte for byte', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('null', '~', '- a', '[', '{x}', 'a #b', '1e3', '0x1', ' a ', "'", '"', 'a\nb', '---'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
      fc.boolean(),
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 5 }),
    );
    const before = 'a: 1 # one\np: [x, "y z"]\nq:\n  - "1" # q\n  - r\ns: \'t\'\nu: >\n  folded\n  text\nv:';
    fc.assert(
      fc.property(fc.constantFrom('p', 'q', 's', 'u', 'v', 'new'), value, (name, given) => {
        const text = withProperty(note(before), { name, value: given }) ?? '';
        const front = frontmatterOf(text);
        expect(text.slice(front?.bodyAt)).toBe('\n# T\n');
        const { fields } = parseYaml(front?.yaml ?? '');
        expect(fields?.[name]).toEqual(given);
        const pieces = [
          'a: 1 # one',
          'p: [x, "y z"]',
          'q:\n  - "1" # q\n  - r',
          "s: 't'",
          'u: >\n  folded\n  text',
        ];
        for (const piece of pieces) if (!piece.startsWith(name)) expect(text).toContain(`${piece}\n`);
      }),
      { numRuns: runs(300, 20_000) },
    );
  });
});

describe('a property of a page of Logseq', () => {
  const page = '- status:: open\n  due:: [[2026-12-01]]\n- A block.\n\t- status:: of the block\n';
  test.each<[name: string, value: GivenValue | undefined, after: string]>([
    ['status', 'done', page.replace('open', 'done')],
    ['Due', '[[2026-12-24]]', page.replace('12-01', '12-24')],
    ['owner', ['[[Ada]]', '[[Bo]]'], page.replace('- A', '  owner:: [[Ada]], [[Bo]]\n- A')],
    ['status', undefined, page.replace('- status:: open\n  due', '- due')],
    ['due', undefined, page.replace('  due:: [[2026-12-01]]\n', '')],
  ])('%s becomes %j in its own line alone', (name, value, after) => {
    expect(withProperty(page, { name, value })).toBe(after);
  });

  test('is refused where its line could not say it', () => {
    expect(withProperty(page, { name: 'status', value: 'a\nb' })).toBeUndefined();
    expect(withProperty(page, { name: 'two words', value: 'a' })).toBeUndefined();
  });

  test('is changed in the lines of a page without a list, too', () => {
    expect(withProperty('status:: open', { name: 'status', value: 'done' })).toBe('status:: done');
    expect(withProperty('status:: open', { name: 'n', value: 3 })).toBe('status:: open\nn:: 3');
  });
});
