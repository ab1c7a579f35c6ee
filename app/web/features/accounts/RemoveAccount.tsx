import { deleteAccount, type Account } from '@reverie/shared/contract/accounts/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { nameOf } from './standing.ts';

interface RemoveProps {
  account: Account;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before an account is deleted: its memories are gone for good. */
export function RemoveAccount({ account, onClose, onDeleted }: RemoveProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(deleteAccount, { params: { id: account.id } }),
    onSuccess: async () => {
      onDeleted();
      await queries.invalidateQueries({ queryKey: ['accounts'] });
      notify('good', 'The account is deleted.');
    },
  });
  return (
    <Confirm
      title="Delete this account?"
      act="Delete account"
      doing={remove}
      failed="It was not deleted"
      onClose={onClose}
    >
      <p>
        The keys of <strong dir="auto">{nameOf(account)}</strong> stop at once, and{' '}
        {account.memories === 0
          ? 'it is gone'
          : `its ${countOf(account.memories, 'memory is', 'memories are')} forgotten`}{' '}
        for good. To keep them, adopt them first. This cannot be undone.
      </p>
    </Confirm>
  );
}
