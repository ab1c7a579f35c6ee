import { expectLinear } from '@reverie/shared/testing/linear';
import { describe, expect, test } from 'vitest';
import { codeText, findLines, hashOf, readRange } from './lines.ts';

/** Where the lines `range` of a text stand in another one. */
function found(before: string, range: string, after: string): string[] {
  const { from, to } = readRange(range);
  const hash = hashOf(codeText(before), { from, to });
  expect(hash).toBeDefined();
  return [...findLines(codeText(after), hash ?? '', from)].map((place) => `${place.from}-${place.to}`);
}

const CODE = 'function retry(a, b) {\n  const most = 3;\n  return most + a;\n}\n';

describe('lines are found again', () => {
  test.each([
    ['where they stood', CODE, ['1-4']],
    ['further down', `// one\n\n${CODE}`, ['3-6']],
    [
      'indented otherwise, with blank lines and other line ends',
      CODE.replaceAll('  ', '\t').replaceAll('\n', ' \r\n\r\n'),
      ['1-7'],
    ],
    ['within something that was put around them', `class A {\n${CODE.replaceAll(/^/gm, '  ')}}\n`, ['2-5']],
    ['broken otherwise within brackets', CODE.replace('(a, b)', '(\n  a,\n  b\n)'), ['1-7']],
    ['twice, the nearest first', `${CODE}\n\n\n${CODE}`, ['1-4', '8-11']],
    ['not with another figure', CODE.replace('3', '4'), []],
    ['not with a line between them', CODE.replace('3;', '3;\n  a += 1;'), []],
    ['not with a line less', CODE.replace('  const most = 3;\n', ''), []],
    ['not with two words made one', CODE.replace('return most', 'returnmost'), []],
    ['not behind a sign in their first line', CODE.replace('function', '// function'), []],
  ])('%s', (_, after, places) => {
    expect(found(CODE, '1-4', after)).toEqual(places);
  });

  test('how lines are indented within each other means something outside of brackets', () => {
    const python = 'def retry(a):\n    if a:\n        wait()\n        log(a)\n    return a\n';
    expect(found(python, '1-5', python.replaceAll('    ', '  '))).toEqual(['1-5']);
    expect(found(python, '1-5', python.replace('        log', '    log'))).toEqual([]);
    expect(found(python, '3-5', `if b:\n${python.replaceAll(/^/gm, '    ')}`)).toEqual(['4-6']);
  });

  test('a single line and a part of a file', () => {
    expect(found(CODE, '2-2', `x\n${CODE}`)).toEqual(['3-3']);
    expect(found(CODE, '2-3', `x\n${CODE}`)).toEqual(['3-4']);
  });

  test('blank lines have no hash', () => {
    expect(hashOf(codeText('a\n \n\nb'), { from: 2, to: 3 })).toBeUndefined();
  });
});

test('time grows with the text, also where each line is like every other', async () => {
  const hash = hashOf(codeText('a\n'.repeat(2_000)), { from: 1, to: 2_000 }) ?? '';
  // The same length and polynomial as every place, and another digest: each would be compared.
  const forged = hash.replace(/:[0-9a-f]{32}$/u, `:${'0'.repeat(32)}`);
  await expectLinear((length) => {
    const code = codeText('a\n'.repeat(length / 2));
    expect([...findLines(code, forged)]).toEqual([]);
  }, 800_000);
});
