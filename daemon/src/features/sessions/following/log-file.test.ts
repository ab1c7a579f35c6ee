import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeCode } from '@reverie/session-logs/agents/claude-code/claude-code';
import type { SessionFormat } from '@reverie/session-logs/format';
import {
  CLAUDE_FILE,
  CLAUDE_SESSION,
  claudeTime,
  userLine,
} from '@reverie/session-logs/testing/claude-lines';
import { temporaryFolder } from '../../../testing.ts';
import { type LogFile, logFile } from './log-file.ts';

/** Every line is a record of its own type. */
const format = {
  lines: () => ({
    read: ({ type }: { type: string }) => ({ type, known: true, reads: [] }),
    writtenAt: () => 0,
  }),
} as unknown as SessionFormat;

let home: ReturnType<typeof temporaryFolder>;
let file: string;
let log: LogFile;
beforeEach(() => {
  home = temporaryFolder();
  file = path.join(home.folder, 'log.jsonl');
  log = logFile(format, { path: file, relative: 'log.jsonl', file: { kind: 'lines' }, born: 0 }, Date.now);
});
afterEach(() => home.remove());

async function more(): Promise<string[]> {
  const types: string[] = [];
  for await (const record of log.more()) types.push(record?.type ?? 'malformed');
  return types;
}
/** A line that is longer than what tells a log apart, and has its name at both ends. */
const long = (name: string) => `${JSON.stringify({ type: name, rest: ''.padEnd(5_000), end: name })}\n`;

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
  fs.writeFileSync(file, '\uFEFF{"type":"one"}\n{"type":"tw');
  expect(await more()).toEqual(['one']);
  fs.appendFileSync(file, 'o"}\n');
  expect(await more()).toEqual(['two']);
});

test('a log with damaged lines says the same in any pieces, and counts the same', async () => {
  const text = (n: number) => JSON.stringify(userLine(`u${n}`, `é ${n}`, { timestamp: claudeTime(n) }));
  const damage = [
    (n: number) => `${text(n)}\n`,
    (n: number) => `${text(n).slice(0, 150)}${text(n + 50)}\n`,
    (n: number) => `${text(n)}${text(n + 50)}\0\0\n`,
    (n: number) => `${text(n).slice(n * 7)}\n`,
    () => '\n',
  ];
  const size = damage.reduce((sum, line) => sum + line(20).length, 0) * 3;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(damage.length - 1), { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(size), { maxLength: 6 }),
      async (kinds, cuts) => {
        const bytes = Buffer.from(kinds.map((kind, n) => damage[kind]?.(n + 1) ?? '').join(''));
        const whole = await readIn(bytes, []);
        expect(await readIn(bytes, cuts)).toEqual(whole);
      },
    ),
    { numRuns: 12 },
  );
});

/** What a log says that is written in pieces, cut at these bytes, and read after each. */
async function readIn(bytes: Buffer, cuts: readonly number[]): Promise<[unknown[], number | undefined]> {
  fs.rmSync(file, { force: true });
  const place = {
    path: file,
    relative: CLAUDE_FILE,
    file: { kind: 'lines', session: CLAUDE_SESSION },
    born: 0,
  } as const;
  const pieces = logFile(claudeCode, place, Date.now);
  const reads: unknown[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]
    .map((at) => Math.min(at, bytes.length))
    .toSorted((a, b) => a - b)) {
    fs.appendFileSync(file, bytes.subarray(from, cut));
    from = cut;
    for await (const record of pieces.more()) reads.push(...(record?.reads ?? ['unread']));
  }
  return [reads, pieces.state()?.malformed];
}

test.each([
  ['/home/ana/app\n', '/home/ana/app'],
  [undefined, undefined],
  ['x'.repeat(5_000), undefined],
])(
  'the working folder that a file beside a log says is handed to its format: %.20j',
  async (says, folder) => {
    const folders: (string | undefined)[] = [];
    const noting = {
      lines(at: { folder?: string }) {
        folders.push(at.folder);
        return { read: () => undefined, writtenAt: () => 0 };
      },
    } as unknown as SessionFormat;
    fs.mkdirSync(path.join(home.folder, 'app/chats'), { recursive: true });
    const at = path.join(home.folder, 'app/chats/log.jsonl');
    fs.writeFileSync(at, '{}\n');
    if (says !== undefined) fs.writeFileSync(path.join(home.folder, 'app/.root'), says);
    const described = { kind: 'lines', folderIn: 'app/.root' } as const;
    log = logFile(noting, { path: at, relative: 'app/chats/log.jsonl', file: described, born: 0 }, Date.now);
    await more();
    expect(folders).toEqual([folder]);
  },
);
