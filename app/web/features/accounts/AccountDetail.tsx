import type { Account } from '@reverie/shared/contract/accounts/accounts';
import { useId, useState, type ReactNode } from 'react';
import { countOf, formatBytes } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Frame } from '../../ui/Frame.tsx';
import { Standing } from '../../ui/Standing.tsx';
import { Time } from '../../ui/Time.tsx';
import css from './AccountDetail.module.css';
import { Adopt } from './Adopt.tsx';
import { Inside } from './Inside.tsx';
import { RemoveAccount } from './RemoveAccount.tsx';
import { nameOf, standingOf } from './standing.ts';
import { TierChoice } from './TierChoice.tsx';

interface DetailProps {
  account: Account;
  /** The quota bars of the account. */
  quotas: ReactNode;
  onClose: () => void;
}

/** One account: how it stands, what it may do, what it holds, and what the owner can do with it. */
export function AccountDetail({ account, quotas, onClose }: DetailProps) {
  const [asking, setAsking] = useState<'adopt' | 'remove'>();
  const { tone, word, sentence } = standingOf(account);
  const isOwn = account.kind === 'machine';
  const whyNot = useId();
  return (
    <Frame title={nameOf(account)} onClose={onClose}>
      <div className={css['parts']}>
        <Standing tone={tone} word={word}>
          {sentence}
        </Standing>
        {!isOwn && (
          <div className={css['actions']}>
            <Button
              icon="down"
              disabled={account.memories === 0}
              aria-describedby={account.memories === 0 ? whyNot : undefined}
              onClick={() => setAsking('adopt')}
            >
              Adopt its memories…
            </Button>
            {account.kind === 'bot' && (
              <Button icon="trash" onClick={() => setAsking('remove')}>
                Delete…
              </Button>
            )}
            {account.memories === 0 && (
              <span id={whyNot} className={css['whyNot']}>
                It holds no memories that could be adopted.
              </span>
            )}
          </div>
        )}
        <Facts
          rows={[
            ['Tier', account.kind === 'bot' ? <TierChoice account={account} /> : account.tier],
            ['Signed up', <Time at={account.created_at} full />],
            ['Confirmed', account.confirmed_at !== null && <Time at={account.confirmed_at} full />],
            [
              account.status === 'expired' ? 'Keys stopped' : 'Keys stop',
              account.expires_at !== null && <Time at={account.expires_at} full />,
            ],
            ['Deleted', account.deleted_at !== null && <Time at={account.deleted_at} full />],
            ['Keys that work', account.keys],
            ['Last used', account.last_used_at === null ? 'never' : <Time at={account.last_used_at} full />],
            [
              'Holds',
              `${countOf(account.memories, 'memory', 'memories')} in ${countOf(account.namespaces, 'namespace', 'namespaces')}, ${formatBytes(account.bytes)}`,
            ],
            ['Id', <code>{account.id}</code>],
          ]}
        />
        {quotas}
        {!isOwn && account.memories > 0 && <Inside account={account} />}
      </div>
      {asking === 'adopt' && <Adopt account={account} onClose={() => setAsking(undefined)} />}
      {asking === 'remove' && (
        <RemoveAccount account={account} onClose={() => setAsking(undefined)} onDeleted={onClose} />
      )}
    </Frame>
  );
}
