import { useStore } from '../../../platform/store.ts';
import { type MemoryAddress, idOf } from '../address.ts';
import { trashing } from './trash.ts';

/** Tells which memories are on their way to the trash, and so no longer shown. */
export function useHidden(): (memory: MemoryAddress) => boolean {
  const moved = useStore(trashing.moved);
  const ids = new Set(moved.flatMap(({ memories, phase }) => (phase === 'moving' ? memories.map(idOf) : [])));
  return (memory) => ids.size > 0 && ids.has(idOf(memory));
}
