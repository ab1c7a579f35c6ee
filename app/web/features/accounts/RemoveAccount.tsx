import { deleteAccount, type Account } from '@reverie/shared/contract/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { countOf } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Banner } from '../../ui/Message.tsx';
import css from './Dialogs.module.css';
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
    <Dialog title="Delete this account?" onClose={onClose}>
      <p>
        The keys of <strong dir="auto">{nameOf(account)}</strong> stop at once, and{' '}
        {account.memories === 0
          ? 'it is gone'
          : `its ${countOf(account.memories, 'memory is', 'memories are')} forgotten`}{' '}
        for good. To keep them, adopt them first. This cannot be undone.
      </p>
      {remove.isError && <Banner tone="bad">It was not deleted: {remove.error.message}</Banner>}
      <div className={css['actions']}>
        <Button data-first onClick={onClose}>
          Keep it
        </Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? 'Deleting…' : 'Delete account'}
        </Button>
      </div>
    </Dialog>
  );
}
