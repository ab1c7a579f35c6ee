import type { Client } from '@reverie/shared/client';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { tagMemories } from '@reverie/shared/contract/memories/naming';
import type { MemoryAddress } from '../address.ts';
import { tagsOf } from '../tags.ts';

/** Tags that are added to memories, and others that are taken off. */
export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

type Tagged = MemoryAddress & Pick<Memory, 'metadata'>;

/** Adds and takes off tags, of all memories or of none. */
export async function changeTags(
  call: Client,
  of: readonly MemoryAddress[],
  { add, remove }: TagChange,
): Promise<void> {
  const items = of.map(({ namespace, key }) => ({ namespace, key }));
  await call(tagMemories, { body: { items, add: [...add], remove: [...remove] } });
}

/**
 * The steps that undo a change of tags: an added tag is taken off the memories that
 * did not have it before, and a removed one is given back to those that did.
 */
export function inverseOf(
  of: readonly Tagged[],
  change: TagChange,
): { of: MemoryAddress[]; change: TagChange }[] {
  const steps = [
    ...change.add.map((tag) => ({
      of: of.filter(({ metadata }) => !tagsOf(metadata).includes(tag)),
      change: { add: [], remove: [tag] },
    })),
    ...change.remove.map((tag) => ({
      of: of.filter(({ metadata }) => tagsOf(metadata).includes(tag)),
      change: { add: [tag], remove: [] },
    })),
  ];
  return steps.filter((step) => step.of.length > 0);
}
