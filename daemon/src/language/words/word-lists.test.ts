import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listed } from './word-lists.ts';

const LISTS = ['grammar', 'language'].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, '../../../data', folder))
    .filter((file) => file.endsWith('.txt'))
    .map((file) => `${folder}/${file.slice(0, -'.txt'.length)}`),
);

describe.each(LISTS)('the list %s', (list) => {
  it('is sorted, and has each row once', () => {
    const rows = listed(list);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows).toEqual([...new Set(rows)].sort());
  });
});
