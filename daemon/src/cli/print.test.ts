import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  count,
  cutTo,
  hasColours,
  inOneLine,
  printTable,
  quoted,
  shortTime,
  size,
  visible,
  writtenTime,
} from './print.ts';

function output(isTTY: boolean, columns = 100) {
  const stdout = Object.assign(new PassThrough(), { isTTY, columns });
  return { stdout, env: {}, text: () => String(stdout.read() ?? '') };
}

describe('what is printed', () => {
  test('cannot command a terminal', () => {
    expect(visible('a\u001b[31mred\u0007\u009b2J')).toBe('a␛[31mred␇\ufffd2J');
    expect(visible('two\nlines\tand a tab, é 😀')).toBe('two\nlines\tand a tab, é 😀');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCharCode(code)) }),
        (text) => {
          expect(inOneLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        },
      ),
    );
  });

  test('tells times by the clock of this machine, to the minute', () => {
    const evening = new Date(2026, 10, 22, 21, 5, 59);
    expect(shortTime(evening.toISOString())).toBe('2026-11-22 21:05');
    expect(writtenTime(evening.toISOString())).toBe('2026-11-22 21:05');
    expect(writtenTime('2026-11-04T00:00:00.000Z')).toBe('2026-11-04');
  });

  test('fits into a line, whole characters only', () => {
    expect(cutTo('short', { columns: 80 }, 40)).toBe('short');
    expect(cutTo('😀'.repeat(50), { columns: 60 }, 40)).toBe(`${'😀'.repeat(19)}…`);
  });

  test('is a table on a terminal, and lines with tabs elsewhere', () => {
    const [terminal, pipe] = [output(true), output(false)];
    const rows = [['a', 'one\ntwo']];
    printTable(terminal, ['Key', 'Text'], rows);
    printTable(pipe, ['Key', 'Text'], rows);
    expect(
      terminal
        .text()
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual(['\u001b[1mKey\u001b[22m  \u001b[1mText\u001b[22m', 'a    one two', '']);
    expect(pipe.text()).toBe('a\tone two\n');
    printTable(terminal, ['Key', 'Text'], []);
    expect(terminal.text()).toBe('');
  });

  test('has no colours where they are not wanted', () => {
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const terminal = { ...output(true), env };
      printTable(terminal, ['Key'], [['a']]);
      expect(terminal.text().trimEnd()).toBe('Key\na');
    }
    expect(hasColours({ ...output(true), env: { NO_COLOR: '' } })).toBe(true);
    expect(hasColours(output(false))).toBe(false);
  });

  test.each([40, 60, 80, 200])(
    'is a table no wider than %i columns, and cuts prose before keys',
    (columns) => {
      const terminal = { ...output(true, columns), env: { NO_COLOR: '1' } };
      const key = 'a-key-of-thirty-five-characters-long';
      printTable(terminal, ['Key', 'Text', 'More'], [[key, 'words '.repeat(50), 'a few words']]);
      const [, line = ''] = terminal.text().split('\n');
      expect(line.startsWith(`${key}  words`)).toBe(true);
      // Below what the key and the least of the text need it wraps: a key that is cut is of no use.
      expect([...line].length).toBeLessThanOrEqual(Math.max(columns, key.length + 2 + 20 + 2 + 11));
    },
  );

  test('words for a shell', () => {
    expect([quoted('plain/key-1.md'), quoted("it's here"), quoted('')]).toEqual([
      'plain/key-1.md',
      `'it'\\''s here'`,
      "''",
    ]);
  });

  test('counts and sizes', () => {
    expect([count(1, 'memory', 'memories'), count(0, 'key'), count(1234, 'chunk')]).toEqual([
      '1 memory',
      '0 keys',
      '1,234 chunks',
    ]);
    expect([size(1), size(1023), size(1024), size(5 * 1024 ** 3)]).toEqual([
      '1 byte',
      '1,023 bytes',
      '1.0 KiB',
      '5.0 GiB',
    ]);
  });
});
