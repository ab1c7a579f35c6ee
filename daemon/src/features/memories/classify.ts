import { type MemoryClass, memoryClasses } from '@reverie/shared/contract/memories/memories';

/** The class of a memory by the prefix of its key, `<class>:`; `note` where there is none. */
export function classify(key: string): MemoryClass {
  return memoryClasses.find((name) => key.startsWith(`${name}:`)) ?? 'note';
}
