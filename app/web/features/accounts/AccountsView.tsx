import type { Account } from '@reverie/shared/contract/accounts/accounts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf, formatBytes } from '../../platform/format.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Message, OwnerOnly } from '../../ui/Message.tsx';
import { NothingOpen, Row, Rows, RowsHead } from '../../ui/lists/Rows.tsx';
import { Split, SplitBody } from '../../ui/lists/Split.tsx';
import { Time } from '../../ui/Time.tsx';
import { AccountDetail } from './AccountDetail.tsx';
import { MailDetail } from './MailDetail.tsx';
import { Outbox } from './Outbox.tsx';
import { accountsQuery } from './queries.ts';
import { nameOf, standingOf } from './standing.ts';

interface AccountsProps {
  isOwner: boolean;
  /** The quota bars of an account. */
  quotasOf: (account: string) => ReactNode;
}

/** The accounts of this machine: who signed up, what they hold and use; and the e-mails that were not sent. */
export default function AccountsView({ isOwner, quotasOf }: AccountsProps) {
  const accounts = useQuery({ ...accountsQuery, enabled: isOwner });
  const place = usePlace();
  const go = useGo('/accounts');
  const close = () => go({ account: undefined, mail: undefined });
  const isOpen = place.account !== undefined || place.mail !== undefined;
  useEffect(() => {
    document.title = 'Accounts · Reverie';
  }, []);
  useShortcuts({ Escape: () => isOpen && close() });
  if (!isOwner) return <OwnerOnly title="Only the owner may look after accounts" />;
  return (
    <Split
      labels={['Accounts', 'Open account']}
      isOpen={isOpen}
      tools={<RowsHead title="Accounts" />}
      list={
        <SplitBody>
          <Fetched of={accounts} lines={6}>
            {(data) => (
              <>
                <Rows label="Accounts">
                  {data.map((account) => (
                    <AccountRow
                      key={account.id}
                      account={account}
                      isOpen={account.id === place.account}
                      onOpen={() => go({ account: account.id, mail: undefined })}
                    />
                  ))}
                </Rows>
                <Outbox open={place.mail} onOpen={(mail) => go({ mail, account: undefined })} />
              </>
            )}
          </Fetched>
        </SplitBody>
      }
      detail={<OpenAccount all={accounts.data} quotasOf={quotasOf} onClose={close} />}
    />
  );
}

interface OpenProps extends Pick<AccountsProps, 'quotasOf'> {
  all: readonly Account[] | undefined;
  onClose: () => void;
}

/** What is open beside the list: an e-mail, an account, or what accounts are. */
function OpenAccount({ all, quotasOf, onClose }: OpenProps) {
  const { account, mail } = usePlace();
  const open = all?.find(({ id }) => id === account);
  if (mail !== undefined) return <MailDetail key={mail} id={mail} onClose={onClose} />;
  if (open)
    return <AccountDetail key={open.id} account={open} quotas={quotasOf(open.id)} onClose={onClose} />;
  if (account !== undefined && all)
    return (
      <Frame title="Account" onClose={onClose}>
        <Message icon="search" title="This account does not exist">
          <p>It may have expired and been deleted.</p>
          <Button onClick={onClose}>Back to the list</Button>
        </Message>
      </Frame>
    );
  return (
    <NothingOpen>
      <Message icon="people" title="Agents get an account of their own with an e-mail address">
        <p>
          What they store stays apart from what you remember. Choose one to see what it holds, to set its
          limits, or to adopt its memories.
        </p>
      </Message>
    </NothingOpen>
  );
}

interface RowProps {
  account: Account;
  isOpen: boolean;
  onOpen: () => void;
}

function AccountRow({ account, isOpen, onOpen }: RowProps) {
  const { tone, word } = standingOf(account);
  return (
    <Row
      name={nameOf(account)}
      badge={<Badge tone={tone}>{word}</Badge>}
      isOpen={isOpen}
      onOpen={onOpen}
      more={
        <>
          {account.kind === 'bot' && `${account.tier} · `}
          {countOf(account.memories, 'memory', 'memories')}, {formatBytes(account.bytes)}
          {account.last_used_at !== null && (
            <>
              {' · used '}
              <Time at={account.last_used_at} />
            </>
          )}
        </>
      }
    />
  );
}
