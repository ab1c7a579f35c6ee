import { changeLink, type NewNamespaces, type SyncStatus } from '@reverie/shared/contract/sync/sync';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { useChooseSync } from '../../platform/queries/choose-sync.ts';
import { countOf, formatBytes } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Field } from '../../ui/Field.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { namespacesHereQuery } from './queries.ts';
import css from './SyncView.module.css';

interface AskedProps {
  /** Those that are not chosen. */
  left: ReadonlySet<string>;
  onLeft: (left: ReadonlySet<string>) => void;
  then: NewNamespaces;
  onThen: (then: NewNamespaces) => void;
}

/** Asks which namespaces sync, before anything goes up: those that are here, with what they hold. Asks nothing where nothing is here. */
export function WhichSync({ left, onLeft, then, onThen }: AskedProps) {
  const here = useQuery(namespacesHereQuery).data ?? [];
  if (here.length === 0) return null;
  const isAll = here.every(({ namespace }) => !left.has(namespace));
  const turn = (namespace: string) => {
    const next = new Set(left);
    if (!next.delete(namespace)) next.add(namespace);
    onLeft(next);
  };
  return (
    <>
      <fieldset className={css['which']}>
        <legend>Which namespaces sync</legend>
        <p className={css['soft']}>Who runs the relay can read what goes up. The others stay here.</p>
        {here.map(({ namespace, count, bytes }) => (
          <label key={namespace} className={css['one']}>
            <input type="checkbox" checked={!left.has(namespace)} onChange={() => turn(namespace)} />
            <bdi>{namespace}</bdi>
            <span className={css['soft']}>
              {countOf(count, 'memory', 'memories')}, {formatBytes(bytes)}
            </span>
          </label>
        ))}
        <div>
          <Button onClick={() => onLeft(new Set(isAll ? here.map(({ namespace }) => namespace) : []))}>
            {isAll ? 'None' : 'All'}
          </Button>
        </div>
      </fieldset>
      <Field label="Those that my other devices have, and new ones">
        {(control) => (
          <select {...control} value={then} onChange={({ target }) => onThen(thenOf(target.value))}>
            <option value="sync">sync</option>
            <option value="stay">stay where they are</option>
          </select>
        )}
      </Field>
    </>
  );
}

const thenOf = (value: string): NewNamespaces => (value === 'stay' ? 'stay' : 'sync');

interface SwitchProps {
  status: Pick<SyncStatus, 'namespaces'>;
  namespace: string;
}

/** Turns the sync of a namespace on this device on and off; asks before it is turned off. */
export function SyncSwitch({ status, namespace }: SwitchProps) {
  const choose = useChooseSync();
  const [isAsking, setAsking] = useState(false);
  const synced = status.namespaces.find((one) => one.namespace === namespace);
  return (
    <>
      <Switch
        label={`Sync ${namespace}`}
        isOn={synced !== undefined}
        isDisabled={choose.isPending}
        onChange={(sync) => (sync ? choose.mutate({ namespace, sync }) : setAsking(true))}
      />
      {isAsking && (
        <StopSync
          namespace={namespace}
          isMine={synced?.role === 'owner' && !synced.shared}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface StopProps {
  namespace: string;
  /** Nobody else has it on the relay. */
  isMine: boolean;
  onClose: () => void;
}

function StopSync({ namespace, isMine, onClose }: StopProps) {
  const choose = useChooseSync();
  const [isRemoved, setRemoved] = useState(false);
  const doing = {
    ...choose,
    mutate: () =>
      choose.mutate(
        { namespace, sync: false, ...(isRemoved && { remove_from_relay: true }) },
        { onSuccess: onClose },
      ),
  };
  return (
    <Confirm
      title={`Keep ${namespace} on this device?`}
      act="Stop syncing it"
      look="strong"
      keep="Go on syncing"
      doing={doing}
      failed="It still syncs"
      onClose={onClose}
    >
      <p>
        Its memories stay here, and nothing of it goes to the relay or comes from there any more. What your
        other devices have stays with them.
      </p>
      {isMine ? (
        <label className={css['one']}>
          <input type="checkbox" checked={isRemoved} onChange={({ target }) => setRemoved(target.checked)} />
          Delete what the relay has of it, too
        </label>
      ) : (
        <p>The relay keeps it for those who share it; you are still a member.</p>
      )}
    </Confirm>
  );
}

/** The namespaces that stay on this device, each with the switch that syncs it, and what becomes of new ones. */
export function Staying({ status, isOwner }: { status: SyncStatus; isOwner: boolean }) {
  const { stays } = status;
  return (
    <>
      {stays.length > 0 && (
        <Items label="Namespaces that stay on this device">
          {stays.map(({ namespace, on_relay, shared }) => (
            <Item
              key={namespace}
              name={namespace}
              badges={
                <>
                  <Badge tone="plain">stays here</Badge>
                  {shared && <Badge tone="violet">shared</Badge>}
                </>
              }
              more={on_relay && 'The relay has it, too: what is written here does not go there.'}
              actions={isOwner && <SyncSwitch status={status} namespace={namespace} />}
            />
          ))}
        </Items>
      )}
      {isOwner && <NewOnes then={status.new_namespaces} />}
    </>
  );
}

function NewOnes({ then }: { then: NewNamespaces }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (new_namespaces: NewNamespaces) => call(changeLink, { body: { new_namespaces } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sync'] }),
    onError: ({ message }) => notify('bad', `That was not changed: ${message}`),
  });
  return (
    <label className={css['line']}>
      <span>New namespaces</span>
      <select
        value={change.isPending ? change.variables : then}
        onChange={({ target }) => change.mutate(thenOf(target.value))}
      >
        <option value="sync">sync</option>
        <option value="stay">stay on this device</option>
      </select>
    </label>
  );
}
