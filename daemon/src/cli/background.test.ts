import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reasonIn, rotate } from './background.ts';

let folder: string;
let log: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-log-'));
  log = path.join(folder, 'reverie.log');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

describe('the log of a daemon in the background', () => {
  test('moves aside when it is large, and the oldest goes', () => {
    for (let number = 1; number <= 7; number += 1) {
      fs.writeFileSync(log, `log ${number}`);
      rotate(log, 5);
    }
    expect(fs.readdirSync(folder).sort()).toEqual([1, 2, 3, 4].map((number) => `reverie.log.${number}`));
    expect(fs.readFileSync(`${log}.1`, 'utf8')).toBe('log 7');
    expect(fs.readFileSync(`${log}.4`, 'utf8')).toBe('log 4');
  });

  test('stays where it is small or missing', () => {
    rotate(log, 5);
    fs.writeFileSync(log, 'log');
    rotate(log, 5);
    expect(fs.readdirSync(folder)).toEqual(['reverie.log']);
  });

  test('says why a start failed: the refusal, else what was logged last, else the error', () => {
    const earlier = 'The port 1 is in use.\n';
    const info = JSON.stringify({ level: 30, msg: 'hello' });
    const reason = (text: string) => {
      fs.writeFileSync(log, earlier + text);
      return reasonIn(log, earlier.length);
    };
    expect(reason(`${info}\nThe setting port is wrong.\nChange it.\n`)).toBe(
      'The setting port is wrong.\nChange it.',
    );
    expect(reason(`${info}\n${JSON.stringify({ level: 60, msg: 'a bug ended Reverie' })}\n`)).toMatch(
      /did not start: a bug ended Reverie\. Its log is/,
    );
    expect(reason('x.ts:1\nTypeError: no\n    at x.ts:1\n')).toMatch(/did not start: TypeError: no\./);
    expect(reason('TypeError: it is undefined.\n    at x.ts:1\n')).toMatch(/it is undefined\. Its log/);
    expect(reason('')).toMatch(/said nothing/);
  });
});
