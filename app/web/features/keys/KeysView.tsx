import type { ApiKey } from '@reverie/shared/contract/accounts/keys';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Column, Lead } from '../../ui/Column.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { OwnerOnly, Snippet } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { Revoke, Rotate } from './KeyDialogs.tsx';
import { NewKey } from './NewKey.tsx';
import { keysQuery } from './queries.ts';
import { nameOf, narrowerText } from './words.ts';

type Asking =
  { kind: 'new' } | { kind: 'made'; name: string; key: string } | { kind: 'revoke' | 'rotate'; of: ApiKey };

/** The keys of the machine's account: who may read and write memories. */
export default function KeysView({ isOwner }: { isOwner: boolean }) {
  const keys = useQuery({ ...keysQuery, enabled: isOwner });
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const made = ({ name, key }: { name: string; key: string }) => setAsking({ kind: 'made', name, key });
  useShortcuts({ n: () => isOwner && setAsking({ kind: 'new' }) });
  if (!isOwner) return <OwnerOnly title="Only the owner may look after keys" />;
  return (
    <Column>
      <h1>API keys</h1>
      <Lead>A key lets one program in. Take it away, and only that one is out.</Lead>
      <div>
        <Button look="strong" icon="plus" onClick={() => setAsking({ kind: 'new' })}>
          New key <kbd>n</kbd>
        </Button>
      </div>
      <Fetched of={keys} lines={5}>
        {(all) => (
          <Items label="Keys">
            {all.map((key) => (
              <KeyItem key={key.id} of={key} onAsk={(kind) => setAsking({ kind, of: key })} />
            ))}
          </Items>
        )}
      </Fetched>
      {asking?.kind === 'new' && <NewKey onClose={close} onMade={made} />}
      {asking?.kind === 'made' && (
        <Dialog title={`The key “${asking.name}”`} onClose={close}>
          <p>Copy it now: Reverie does not keep it, and cannot show it again.</p>
          <Snippet>{asking.key}</Snippet>
          <DialogActions>
            <CopyButton text={asking.key} what="key" wide />
            <Button data-first look="strong" onClick={close}>
              Done
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {asking?.kind === 'revoke' && <Revoke of={asking.of} onClose={close} />}
      {asking?.kind === 'rotate' && <Rotate of={asking.of} onClose={close} onMade={made} />}
    </Column>
  );
}

const TONES: Readonly<Record<ApiKey['scope'], Tone>> = { owner: 'accent', write: 'plain', read: 'plain' };

interface KeyProps {
  of: ApiKey;
  onAsk: (what: 'revoke' | 'rotate') => void;
}

/** One key: what it may do, how it is used, and what can be done with it. */
function KeyItem({ of: key, onAsk }: KeyProps) {
  const isRevoked = key.revoked_at !== null;
  const narrower = narrowerText(key);
  const ending = key.open_sessions === null ? 'Revoke' : 'Sign out';
  return (
    <Item
      name={nameOf(key)}
      isPast={isRevoked}
      badges={
        <>
          <Badge tone={TONES[key.scope]}>{key.scope}</Badge>
          {isRevoked && <Badge tone="bad">revoked</Badge>}
        </>
      }
      more={
        <>
          {key.open_sessions === null ? (
            <code>{key.key_prefix}…</code>
          ) : (
            countOf(key.open_sessions, 'open session', 'open sessions')
          )}
          {' · made '}
          <Time at={key.created_at} />
          {key.last_used_at === null ? (
            ' · never used'
          ) : (
            <>
              {' · used '}
              <Time at={key.last_used_at} />
            </>
          )}
          {key.revoked_at !== null ? (
            <>
              {' · revoked '}
              <Time at={key.revoked_at} />
            </>
          ) : (
            key.expires_at !== null && (
              <>
                {' · expires '}
                <Time at={key.expires_at} />
              </>
            )
          )}
          {narrower !== '' && ` · ${narrower}`}
        </>
      }
      actions={
        !isRevoked && (
          <>
            {!(key.kept_in_file && key.expires_at !== null) && key.open_sessions === null && (
              <Button onClick={() => onAsk('rotate')} aria-label={`Rotate ${key.name}`}>
                Rotate
              </Button>
            )}
            {!key.kept_in_file && (
              <Button onClick={() => onAsk('revoke')} aria-label={`${ending} ${nameOf(key)}`}>
                {ending}
              </Button>
            )}
          </>
        )
      }
    />
  );
}
