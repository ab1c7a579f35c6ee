import AccountsView from '../../features/accounts/AccountsView.tsx';
import { Quotas } from '../../features/usage/Quotas.tsx';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';

/** The accounts of this machine, for who may see them. */
export default function AccountsPage() {
  return (
    <>
      <h1 className="sr-only">Accounts</h1>
      <AccountsView
        isOwner={allows(useStore(session), 'owner')}
        quotasOf={(account) => <Quotas account={account} />}
      />
    </>
  );
}
