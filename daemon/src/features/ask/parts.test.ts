import { expect, it } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { partAround } from './parts.ts';

const partOf = (value: string, word: string, most: number) => {
  const part = partAround(value, value.indexOf(word), { most });
  return { ...part, text: value.slice(part.start, part.end) };
};

it('a part is whole blocks around the place, as many as there is place for', () => {
  const blocks = Array.from({ length: 9 }, (_, at) => `- item ${at} ${'x'.repeat(80)}`);
  const { text } = partOf(blocks.join('\n'), 'item 4', 300);
  expect(text.length).toBeLessThanOrEqual(300);
  expect(blocks.slice(3, 6).join('\n')).toBe(text.trim());
});

it('it knows the headings above it and the head of its table', () => {
  const rows = Array.from({ length: 40 }, (_, at) => `| env-${at} | window ${at} |`);
  const value = `# Ops\n\n## Deploys\n\n| Env | Window |\n| --- | --- |\n${rows.join('\n')}\n`;
  const { text, path, lead } = partOf(value, 'env-30', 300);
  expect(path).toEqual(['Ops', 'Deploys']);
  expect(lead()).toContain('Env');
  expect(text).toContain('| env-30 | window 30 |');
  expect(text.length).toBeLessThanOrEqual(300);
});

it.each(['🙂', 'x', 'word ', 'A sentence of some words. '])(
  'a text of a megabyte of %j is read in time by its length, and cut within no letter',
  async (filler) => {
    await expectLinear((length) => {
      const half = filler.repeat(length / 2 / filler.length);
      const { text } = partOf(`${half} The rent is 940 euro. ${half}`, 'The rent', 900);
      expect(text).toContain('The rent is 940');
      expect(text.length).toBeLessThanOrEqual(900);
      expect(text.isWellFormed()).toBe(true);
    }, 1_000_000);
  },
);
