import { approveDevice, pairDevice, removeDevice, type Device } from '@reverie/shared/contract/sync/devices';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { notify } from '../../platform/notices.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { Banner } from '../../ui/Message.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { Time } from '../../ui/Time.tsx';
import { voided } from './Members.tsx';
import { devicesQuery } from './queries.ts';
import css from './SyncView.module.css';

/** The devices of the account: when each was seen, letting one in, removing one, and adding one more. */
export function Devices({ isOwner }: { isOwner: boolean }) {
  const devices = useQuery(devicesQuery);
  const [pairing, setPairing] = useState(false);
  const [removing, setRemoving] = useState<Device>();
  return (
    <section aria-label="Devices" className={css['part']}>
      <div className={css['line']}>
        <h2>Devices</h2>
        {isOwner && (
          <Button icon="plus" onClick={() => setPairing(true)}>
            Add a device…
          </Button>
        )}
      </div>
      <Fetched of={devices} lines={3}>
        {(data) => (
          <Items label="Devices of the account">
            {data.devices.map((device) => (
              <One key={device.id} device={device} isOwner={isOwner} onRemove={() => setRemoving(device)} />
            ))}
          </Items>
        )}
      </Fetched>
      {pairing && <Pair onClose={() => setPairing(false)} />}
      {removing && <Remove device={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  );
}

function One({ device, isOwner, onRemove }: { device: Device; isOwner: boolean; onRemove: () => void }) {
  const queries = useQueryClient();
  const approve = useMutation({
    mutationFn: () => call(approveDevice, { params: { id: device.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sync'] }),
    onError: (error) => notify('bad', `It was not approved: ${error.message}`),
  });
  const isWaiting = device.status === 'waiting';
  return (
    <Item
      name={device.name}
      badges={
        <>
          {device.self && <Badge tone="accent">this one</Badge>}
          {isWaiting && <Badge tone="warn">wants in</Badge>}
          {!isWaiting && (device.online || !device.self) && (
            <Badge tone={device.online ? 'good' : 'plain'}>{device.online ? 'online' : 'away'}</Badge>
          )}
        </>
      }
      more={
        device.online || device.self ? undefined : device.last_seen === null ? (
          'never seen'
        ) : (
          <>
            last seen <Time at={device.last_seen} />
          </>
        )
      }
      actions={
        isOwner && (
          <>
            {isWaiting && (
              <Button look="strong" disabled={approve.isPending} onClick={() => approve.mutate()}>
                Let it in
              </Button>
            )}
            {!device.self && <Button onClick={onRemove}>{isWaiting ? 'Refuse…' : 'Remove…'}</Button>}
          </>
        )
      }
    />
  );
}

function Pair({ onClose }: { onClose: () => void }) {
  const pair = useMutation({ mutationFn: () => call(pairDevice, {}) });
  const made = pair.data;
  return (
    <Dialog title="Add a device" onClose={onClose}>
      {!made ? (
        <>
          <p>
            A code lets one more device see everything that you sync. It works once, for ten minutes. Make it
            when the other device is at hand.
          </p>
          {pair.isError && <Banner tone="bad">No code was made: {pair.error.message}</Banner>}
          <DialogActions>
            <Button data-first look="strong" disabled={pair.isPending} onClick={() => pair.mutate()}>
              Show a code
            </Button>
          </DialogActions>
        </>
      ) : (
        <>
          <p>
            On the other device open <em>Devices</em>, or type <code>reverie link</code>, and give it this
            code:
          </p>
          <p className={css['code']}>
            {made.code} <CopyButton text={made.code} what="code" />
          </p>
          <QrCode text={`${made.relay}/#pair=${made.code}`} label="The code as a picture" />
          <p className={css['soft']}>
            Relay: <bdi>{made.relay}</bdi>. The code ends <Time at={made.expires_at} full />.
          </p>
          <DialogActions>
            <Button autoFocus onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

function Remove({ device, onClose }: { device: Device; onClose: () => void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(removeDevice, { params: { id: device.id } }),
    onSuccess: async ({ invites_ended }) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify('good', `“${device.name}” was removed.${voided(invites_ended)}`);
      onClose();
    },
  });
  return (
    <Confirm
      title="Remove this device?"
      act="Remove device"
      doing={remove}
      failed="It was not removed"
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{device.name}</strong> gets nothing more and sends nothing more. What it holds
        already stays on it. To come back it needs a new code. Open invites that it may know stop working, but
        for those that are for an e-mail address.
      </p>
    </Confirm>
  );
}
