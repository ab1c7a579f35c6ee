import { expect, it } from 'vitest';
import { viewOf } from '../fixtures/view.ts';
import { readingOf } from '../reading.ts';
import { slotValuesOf } from './slot-values.ts';

it('a tool is known as one however many other words came before it', () => {
  const kindsIn = (value: string) =>
    readingOf(viewOf([{ at: '2026-03-01', key: 'a', value }])).memories.flatMap(({ sentences }) =>
      sentences.flatMap((sentence) => slotValuesOf(sentence).map(({ kind }) => kind)),
    );
  const [kind] = kindsIn('We install with pnpm.');
  expect(kind).toContain('package');
  const letters = (n: number) =>
    [...n.toString(26)].map((digit) => String.fromCharCode(97 + parseInt(digit, 26)));
  for (let from = 0; from < 100_000; from += 1_000)
    kindsIn(Array.from({ length: 1_000 }, (_, at) => `zz${letters(from + at).join('')}`).join(' '));
  expect(kindsIn('We install with yarn.')).toEqual([kind]);
});
