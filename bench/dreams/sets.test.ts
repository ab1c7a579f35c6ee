import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plantedSets } from './planted.ts';

const folders = readdirSync(import.meta.dirname).filter((name) => /-set(?:-\d+)?$/u.test(name));

it('knows each set that lies here', () => {
  expect(Object.keys(plantedSets).sort()).toEqual(folders.sort());
});

// A label that was put right must not make another one wrong. The check prints counts and keys, no memories.
it.each(folders)('%s is what its check wants', (name) => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, name, 'check.mjs')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
