import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { expect, test } from 'vitest';
import { readable } from './readable.ts';

const insight = (parts: Partial<Insight>) =>
  ({ strategy: 'synthesize', title: 'incident', body: '', sources: [], ...parts }) as Insight;
const says = (key: string, sentence: string) => ({ key, sentence });

test('what is called by a name alone is said in words', () => {
  const sources = [says('a', 'Backup failed.'), says('b', 'Canary held.')];
  expect(readable(insight({ sources })).title).toBe('2 notes about “incident”');
  // What a model says of them in words of its own stays.
  expect(readable(insight({ sources, body: 'They belong on one page.' })).title).toBe('incident');
  const named = [says('a', 'It failed with PW-4093.'), says('b', 'Ask about PW-4093.')];
  expect(readable(insight({ strategy: 'connect', title: 'PW-4093', sources: named })).title).toBe(
    'Both name “PW-4093”',
  );
  expect(readable(insight({ strategy: 'connect', title: 'Refunds', sources: named })).title).toBe('Refunds');
  const linked = [says('a', 'See [[Heap]] for it.')];
  expect(readable(insight({ strategy: 'rem', title: 'Heap', sources: linked })).title).toBe(
    '“Heap” is linked, and there is no such note',
  );
});

test('what is quoted stands without its Markdown, and once', () => {
  const sources = [says('a', '> **Never** on Fridays')];
  const read = readable(
    insight({
      strategy: 'contradict',
      title: '> Never on Fridays',
      sources,
      body: '- > **Never** on Fridays ("a", 2026-06-08)',
    }),
  );
  expect([read.title, read.sources[0]?.sentence, read.body]).toEqual([
    'Never on Fridays',
    'Never on Fridays',
    '',
  ]);
});
