import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type PlantedSet, plantedSets } from './planted.ts';
import { checkSet } from './sets/check.ts';

const names = Object.keys(plantedSets) as PlantedSet[];

it('knows each set that lies here, and which of them are blind', () => {
  const inRoom = (room: string) => readdirSync(join(import.meta.dirname, 'sets', room)).sort();
  expect(names.filter((name) => !plantedSets[name].isBlind).sort()).toEqual(inRoom('open'));
  expect(names.filter((name) => plantedSets[name].isBlind).sort()).toEqual(inRoom('blind'));
});

// A label that was put right must not make another one wrong. What is wrong is told in counts and keys, no memories.
it.each(names)('%s is what its set.json says', (name) => {
  expect(checkSet(name).problems).toEqual([]);
});
