import { expect, test } from 'vitest';
import { placeIn } from './entry.ts';

test('a place that is read is found in the source, also among its like', () => {
  const source = '# Deploy\n\nWe **ship** on Monday.\n\nWe **ship** on Tuesday.';
  const at = (text: string, offset: number, share: number) => placeIn(source, { text, at: offset, share });
  expect(source.slice(at(' on Monday.', 4, 0.4))).toBe('Monday.\n\nWe **ship** on Tuesday.');
  expect(source.slice(at('ship', 4, 0.2))).toMatch(/^\*\* on Monday/);
  expect(source.slice(at('ship', 4, 0.8))).toBe('** on Tuesday.');
  expect(at('what the source does not say', 3, 0.5)).toBe(Math.round(source.length / 2));
  expect(placeIn('', { text: '', at: 0, share: 0 })).toBe(0);
});
