import { describe, expect, test } from 'vitest';
import { labelOf } from './label.ts';

describe('labelOf', () => {
  test('joins the key, the title and the tags', () => {
    expect(labelOf('bash/copyright', '{"title":"Bash","tags":["shell","gpl"]}')).toBe(
      'bash/copyright\nBash\nshell\ngpl',
    );
    expect(labelOf('k', '{"tags":"a,b"}')).toBe('k\na,b');
  });

  test('leaves out a key that was made, and what is not text', () => {
    expect(labelOf('mem_01m7wbz1pkeyegc64xt28fddb1', '{}')).toBe('');
    expect(labelOf('k', '{"title":5,"tags":[1,null,"x"]}')).toBe('k\nx');
  });

  test('is never long, and never ends in half a character', () => {
    expect(labelOf('k', JSON.stringify({ title: '🎉'.repeat(500) })).isWellFormed()).toBe(true);
    expect(labelOf('k', JSON.stringify({ title: 'x'.repeat(5000) }))).toHaveLength(400);
  });
});
