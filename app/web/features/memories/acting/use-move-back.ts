import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { notify } from '../../../platform/notices.ts';
import { type MemoryAddress, idOf } from '../address.ts';
import { refresh } from '../queries.ts';
import { moveAll } from './moving.ts';
import { offerUndo, reasonOf } from './undoing.ts';

type Moved = readonly { from: MemoryAddress; to: MemoryAddress }[];

/** Says that memories have another address, and offers to give them their old one back. */
export function useMoveBack(): (text: string, moved: Moved, onMoved: (back: Moved) => void) => void {
  const queries = useQueryClient();
  return (text, moved, onMoved) => {
    const before = new Map(moved.map(({ from, to }) => [idOf(to), from]));
    offerUndo(text, () => {
      void moveAll(
        call,
        moved.map(({ to }) => to),
        { whereTo: (to) => before.get(idOf(to)) ?? to },
      ).then((back) => {
        onMoved(back.moved);
        if (back.taken.length > 0)
          notify('bad', 'Not all could go back: another memory has the old key by now.');
        if (back.failure !== undefined)
          notify('bad', `Not all was taken back: ${reasonOf(back.failure)}. Move the rest by hand.`);
        void refresh(
          queries,
          moved.flatMap(({ from, to }) => [from.namespace, to.namespace]),
        );
      });
    });
  };
}
