import { expect, test } from 'vitest';
import { memoriesOf } from '../structure/testing.ts';
import { nearnessOf } from './nearness.ts';

/** The key of the note that is nearest to one. */
function nearestTo(key: string, notes: Readonly<Record<string, string>>): string | undefined {
  const memories = memoriesOf(Object.entries(notes).map(([name, value]) => ({ key: name, value })));
  const id = memories.find((memory) => memory.key === key)?.id ?? 0;
  const [nearest] = nearnessOf(memories, () => ({ of: () => [] }))(id);
  return memories.find((memory) => memory.id === nearest?.id)?.key;
}

const OTHERS = {
  bread: 'The bread goes into the oven at six.',
  bill: 'The electrician sent a bill of 90 euro.',
  tent: 'The tent leaks at the left seam.',
};

test.each([
  ['a rare name', 'Horák mended the drain.', 'A letter on behalf of Horák came.'],
  ['a number', 'Part 00631780 is out of stock.', 'Ordered 00631780 again.'],
  [
    'words of another language',
    'The landlord wants the key back.',
    'Der Vermieter will den Schlüssel zurück.',
  ],
])('notes are near by %s', (_, one, other) => {
  expect(nearestTo('one', { ...OTHERS, one, other })).toBe('other');
});
