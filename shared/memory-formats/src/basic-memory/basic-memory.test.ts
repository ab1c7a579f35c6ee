import { expect, test } from 'vitest';
import { basicMemoryReader } from './basic-memory.ts';
import { semanticsOf } from './semantics.ts';
import { folderWith, only, readAll } from '../testing/reading.ts';

const NOTE = `---
title: Coffee Brewing Methods
type: guide
permalink: coffee/brewing-methods
tags: coffee, brewing
created: 2025-02-01T08:00:00+00:00
modified: 2025-02-03T09:00:00+00:00
origin: Ethiopia
---

# Coffee Brewing Methods

## Observations
- [method] Pour over gives more clarity #brewing #pour-over (learned 2024)
- [tip] Grind size matters
- [ ] buy filters
- [x] buy a kettle
- [a link](https://example.org)
- [00:01:02] spoken words
- only tagged #untyped

## Relations
- requires [[Coffee Grinder]] (any burr grinder)
- "pairs well with" [[Chocolate]]
- some prose with [[Water Quality]] inside

See also [[Tea]].

> [!note] a callout [[Ignored]]

\`\`\`
- [code] no observation
- needs [[Nothing]]
\`\`\`
`;

test('reads a note with its permalink as key, and what it says as metadata', async () => {
  const root = await folderWith({ 'coffee/Coffee Brewing Methods.md': NOTE });
  const { memories, skipped } = await readAll(basicMemoryReader, root);
  expect(skipped).toEqual([]);
  expect(only(memories)).toMatchObject({
    key: 'coffee/brewing-methods',
    value: NOTE,
    created_at: '2025-02-01T08:00:00.000Z',
    updated_at: '2025-02-03T09:00:00.000Z',
    metadata: {
      title: 'Coffee Brewing Methods',
      type: 'guide',
      tags: ['coffee', 'brewing'],
      origin: 'Ethiopia',
      observations: [
        {
          category: 'method',
          content: 'Pour over gives more clarity #brewing #pour-over',
          tags: ['brewing', 'pour-over'],
          context: 'learned 2024',
        },
        { category: 'tip', content: 'Grind size matters' },
        { category: 'Note', content: 'only tagged #untyped', tags: ['untyped'] },
      ],
      relations: [
        { type: 'requires', target: 'Coffee Grinder', context: 'any burr grinder' },
        { type: 'pairs well with', target: 'Chocolate' },
        { type: 'links_to', target: 'Water Quality' },
        { type: 'links_to', target: 'Tea' },
      ],
      entities: ['Coffee Grinder', 'Chocolate', 'Water Quality', 'Tea'],
    },
  });
});

test('without a permalink, or with one that another note has, takes the path', async () => {
  const root = await folderWith({
    'a.md': '---\npermalink: same\n---\none',
    'b copy.md': '---\npermalink: same\n---\ntwo',
    'Folder/Plain.md': 'three',
    'list.md': '---\ntitle: [a, b]\ntype: [x]\n---\nfour',
  });
  const { memories } = await readAll(basicMemoryReader, root);
  expect(memories.map(({ key, value }) => [key, value.split('\n').at(-1)])).toEqual([
    ['Folder/Plain', 'three'],
    ['same', 'one'],
    ['b copy', 'two'],
    ['list', 'four'],
  ]);
  expect(memories[0]?.metadata).toMatchObject({ type: 'note', title: 'Plain' });
});

test('a note that says very much keeps what fits, and says how much does not', async () => {
  const text = Array.from({ length: 3000 }, (_, at) => `- [fact] number ${at} is known`).join('\n');
  const root = await folderWith({ 'big.md': `---\ntitle: Big\n---\n${text}` });
  const { memories } = await readAll(basicMemoryReader, root);
  const { observations, imported } = only(memories).metadata ?? {};
  expect(Array.isArray(observations) && observations.length).toBeGreaterThan(100);
  expect(imported).toHaveProperty('semantics_left_out', 3000 - (observations as unknown[]).length);
});

test('hostile lines are read in the time of the test, and say nothing', () => {
  const open = semanticsOf(`- ${'['.repeat(50_000)}\n- ${'[['.repeat(50_000)}\n- [a] ${'('.repeat(50_000)}`);
  expect(open).toEqual({ observations: [{ category: 'a', content: '('.repeat(50_000) }], relations: [] });
  const spaces = semanticsOf(`- ${' '.repeat(50_000)}x\n${'- x [[y]] ('.repeat(10_000)})`);
  expect(spaces.observations).toEqual([]);
  expect(spaces.relations).toHaveLength(10_000);
});
