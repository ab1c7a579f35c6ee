import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing.ts';
import type { SessionFormat } from '../formats/format.ts';
import { type LogFile, logFile } from './log-file.ts';

/** Every line is a record of its own type. */
const format = {
  lines: () => ({ read: (line: string) => ({ type: line.slice(0, 12).trim(), known: true, reads: [] }) }),
} as unknown as SessionFormat;

let home: ReturnType<typeof temporaryFolder>;
let file: string;
let log: LogFile;
beforeEach(() => {
  home = temporaryFolder();
  file = path.join(home.folder, 'log.jsonl');
  log = logFile(format, { path: file, relative: 'log.jsonl', file: { kind: 'lines' } });
});
afterEach(() => home.remove());

async function more(): Promise<string[]> {
  const types: string[] = [];
  for await (const record of log.more()) types.push(record?.type ?? 'malformed');
  return types;
}
/** A line that is longer than what tells a log apart, and has its name at both ends. */
const long = (name: string) => `${name.padEnd(5_000)}${name}\n`;

describe('a log that was read', () => {
  beforeEach(async () => {
    fs.writeFileSync(file, long('one') + long('two') + long('three'));
    expect(await more()).toEqual(['one', 'two', 'three']);
  });

  test('is read on from there', async () => {
    expect(await more()).toEqual([]);
    fs.appendFileSync(file, long('four'));
    expect(await more()).toEqual(['four']);
    expect(log.done()).toBe(fs.statSync(file).size);
  });

  // Written in place, so that it is the same file, and longer than before.
  test('and begins as before, is read anew where what was read last is another', async () => {
    fs.writeFileSync(file, long('one') + long('two') + long('other') + long('four'));
    expect(await more()).toEqual(['one', 'two', 'other', 'four']);
  });

  test('and ends as before, is read anew where it begins with something else', async () => {
    fs.writeFileSync(file, long('uno') + long('two') + long('three') + long('four'));
    expect(await more()).toEqual(['uno', 'two', 'three', 'four']);
  });

  test('is read anew where it was cut', async () => {
    fs.writeFileSync(file, long('one'));
    expect(await more()).toEqual(['one']);
  });

  test('is read anew where another file has its name', async () => {
    fs.writeFileSync(`${file}.new`, long('one') + long('two') + long('three'));
    fs.renameSync(`${file}.new`, file);
    expect(await more()).toEqual(['one', 'two', 'three']);
  });
});

test('a line without its end is read once it has one, and a mark of the byte order is no part of it', async () => {
  fs.writeFileSync(file, '\uFEFFone\ntw');
  expect(await more()).toEqual(['one']);
  fs.appendFileSync(file, 'o\n');
  expect(await more()).toEqual(['two']);
});
