import type { Memory } from '@reverie/shared/contract/memories/memories';

/** Where a memory is. */
export type MemoryAddress = Pick<Memory, 'namespace' | 'key'>;

/** What tells memories apart, also of several namespaces. */
export function idOf({ namespace, key }: MemoryAddress): string {
  return JSON.stringify([namespace, key]);
}

export function isSame(one: MemoryAddress | undefined, other: MemoryAddress | undefined): boolean {
  return one?.key === other?.key && one?.namespace === other?.namespace;
}

/** Characters of a title that a sentence has room for. */
const SAID = 60;

/** A memory in a sentence: its title, cut where that is long. */
export function nameOf({ title, key }: { title: string; key: string }): string {
  const name = title === '' ? key : title;
  return name.length > SAID ? `${name.slice(0, SAID - 1)}…` : name;
}
