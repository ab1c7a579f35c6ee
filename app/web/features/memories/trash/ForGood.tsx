import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { emptyTrash, type TrashedMemory } from '@reverie/shared/contract/memories/trash';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { countOf } from '../../../platform/format.ts';
import { notify } from '../../../platform/notices.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { nameOf } from '../address.ts';
import { KeptLonger } from '../KeptLonger.tsx';
import { refresh } from '../queries.ts';

interface ForGoodProps {
  namespace: string;
  /** One of the trash, or all that is in it. */
  what: TrashedMemory | 'all';
  total: number;
  onClose: () => void;
}

/** Says what is permanent before it is. */
export function ForGood({ namespace, what, total, onClose }: ForGoodProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(emptyTrash, { body: bodyOf(namespace, what) }),
    onSuccess: async ({ deleted }) => {
      notify('good', `${countOf(deleted, 'memory was', 'memories were')} deleted for good.`);
      onClose();
      await refresh(queries, [what === 'all' ? namespace : what.namespace]);
    },
  });
  return (
    <Confirm
      title="Delete for good?"
      keep="Keep it in the trash"
      act="Delete for good"
      failed="Nothing was deleted"
      doing={remove}
      onClose={onClose}
    >
      <p>
        {what === 'all' ? countOf(total, 'memory', 'memories') : <bdi>{nameOf(what)}</bdi>} will be deleted
        with all earlier versions. This cannot be undone.
      </p>
      <KeptLonger />
    </Confirm>
  );
}

function bodyOf(namespace: string, what: TrashedMemory | 'all') {
  if (what === 'all') return namespace === EVERY_NAMESPACE ? {} : { namespace };
  const { key, trashed_at } = what;
  return { items: [{ namespace: what.namespace, key, trashed_at }] };
}
