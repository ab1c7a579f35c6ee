import { deleteMemory } from '@reverie/shared/contract/memories/memories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { notify } from '../../../platform/notices.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { nameOf } from '../address.ts';
import { KeptLonger } from '../KeptLonger.tsx';
import { refresh } from '../queries.ts';
import type { DialogProps } from './targets.ts';

/** Asks before a memory is deleted past the trash. */
export function ForGoodDialog({ targets: [target], onDone, onClose }: DialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      if (!target) return;
      const { namespace, key, updated_at } = target;
      await call(deleteMemory, { body: { namespace, key, if_updated_at: updated_at } });
    },
    onSuccess: async () => {
      onDone();
      onClose();
      if (!target) return;
      notify('good', `“${nameOf(target)}” was deleted for good.`);
      await refresh(queries, [target.namespace]);
    },
  });
  return (
    <Confirm
      title="Delete for good?"
      act="Delete for good"
      failed="Nothing was deleted"
      doing={remove}
      onClose={onClose}
    >
      <p>
        <bdi>{target && nameOf(target)}</bdi> will be deleted with all earlier versions, and not go to the
        trash. This cannot be undone.
      </p>
      <KeptLonger />
    </Confirm>
  );
}
