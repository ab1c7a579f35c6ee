import { expect, test } from 'vitest';
import { type Kind, kindOf } from './kind-of.ts';

test.each<[Kind, string]>([
  ['text', 'We ship on Monday.'],
  ['text', 'Herr Kern\nAm Markt 4\n20095 Hamburg'],
  ['text', 'שלום עולם\nand English'],
  ['text', '2*3*4 is 24, and a_b_c is a name'],
  ['text', '#tag and -5 degrees'],
  ['text', ''],
  ['text', '42'],
  ['text', '[a list in words, said so]'],
  ['markdown', '# Deploy\nOn Thursdays.'],
  ['markdown', 'Buy:\n- milk\n- bread'],
  ['markdown', '1. First\n2. Second'],
  ['markdown', 'We **never** deploy on Fridays'],
  ['markdown', 'We *never* deploy on Fridays'],
  ['markdown', 'See `npm ci`'],
  ['markdown', 'See [[runbooks/deploy]]'],
  ['markdown', 'See [the docs](https://x.test)'],
  ['markdown', 'See https://x.test'],
  ['markdown', '> quoted'],
  ['markdown', 'a | b\n--|--\n1 | 2'],
  ['markdown', 'Title\n=====\ntext'],
  ['markdown', '---\ntitle: A\n---\nplain'],
  ['markdown', '```js\nconst a = 1;\nconst b = 2;\nconst c = 3;\n```'],
  ['json', '{"a": [1, 2]}'],
  ['json', ' [1]\n'],
  ['code', 'import a from "a";\n\nexport function b() {\n  return a();\n}'],
  ['code', '#!/bin/sh\n# Starts it.\nset -e\nPORT=7337\nif [ -z "$PORT" ]; then\n  exit 1;\nfi\nrun() {\n}'],
  ['code', 'def f(x):\n    # twice\n    return g(x)\n\nclass A:\n    y = 1'],
  ['code', '2026-05-01T10:00:00 INFO started\n2026-05-01T10:00:01 WARN slow\n2026-05-01T10:00:02 ERROR gone'],
  ['code', 'SELECT a FROM b\nWHERE c = 1;\nUPDATE b SET c = 2;'],
])('%s: %j', (kind, value) => {
  expect(kindOf(value)).toBe(kind);
});

test('is told fast of a value that was written to be slow', () => {
  for (const part of ['[', '`a', '*a', '**', '[a](', '|', '|-', '~~', 'a\n', '{', '- ', '{"a":'])
    expect(['markdown', 'text', 'code']).toContain(kindOf(part.repeat(1_000_000 / part.length)));
}, 5_000);
