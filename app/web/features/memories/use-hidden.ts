import { useStore } from '../../platform/store.ts';
import { draftId } from './draft.ts';
import { trashing } from './trash.ts';

/** Tells which keys of a namespace are on their way to the trash, and so no longer shown. */
export function useHidden(namespace: string): (key: string) => boolean {
  const moved = useStore(trashing.moved);
  const ids = new Set(moved.flatMap(({ id, phase }) => (phase === 'moving' ? id : [])));
  return (key) => ids.size > 0 && ids.has(draftId(namespace, key));
}
