import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { withoutTold } from './without-descriptions.ts';

const left = (code: string) =>
  withoutTold(code, parseSync('a.js', code).program as unknown as Parameters<typeof withoutTold>[1]);

test.each([
  ["z.string().min(1).describe('A, (name)').optional()", 'z.string().min(1).optional()'],
  ["z.object({ a: z.int().describe(`of ${unit}`) }).meta({ id: 'A' })", 'z.object({ a: z.int() })'],
  [
    "route({ id: 'a', summary: 'A', body: z.strictObject({ description: z.string() }), description: 'B' })",
    "route({ id: 'a', body: z.strictObject({ description: z.string() }),  })",
  ],
])('what a contract tells its reader is left out: %s', (code, expected) => {
  expect(left(code).replaceAll(/\s+/gu, ' ')).toBe(expected.replaceAll(/\s+/gu, ' '));
});

test.each(['const { description } = hook; hook.meta();', "describe('this', run)", "tell({ summary: 'A' })"])(
  'all else stays: %s',
  (code) => expect(left(code)).toBe(code),
);
