import { unlinkDevice } from '@reverie/shared/contract/sync/sync';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Confirm } from '../../ui/Confirm.tsx';

/** Asks before this machine is unlinked; its memories stay. */
export function Unlink({ pending, onClose }: { pending: number; onClose: () => void }) {
  const queries = useQueryClient();
  const unlink = useMutation({
    mutationFn: () => call(unlinkDevice, {}),
    onSuccess: async ({ told_relay }) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify(
        'good',
        told_relay
          ? 'This machine is unlinked; its memories are all here.'
          : 'This machine is unlinked. The relay did not answer: remove this device there on another one.',
      );
      onClose();
    },
  });
  return (
    <Confirm
      title="Unlink this machine?"
      act="Unlink"
      keep="Stay linked"
      doing={unlink}
      failed="It was not unlinked"
      onClose={onClose}
    >
      <p>
        Every memory stays here. Changes are no longer exchanged with your other devices
        {pending > 0 &&
          `, and ${countOf(pending, 'change that was', 'changes that were')} not sent stay here only`}
        .
      </p>
    </Confirm>
  );
}
