import { progressWords } from '@reverie/shared/contract/sync/progress-words';
import {
  pauseSync,
  triggerSync,
  type SyncProgress,
  type SyncStatus,
} from '@reverie/shared/contract/sync/sync';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf, formatCount } from '../../platform/format.ts';
import { notify } from '../../platform/notices.ts';
import { Column } from '../../ui/Column.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Banner } from '../../ui/Message.tsx';
import { Standing } from '../../ui/Standing.tsx';
import { Time } from '../../ui/Time.tsx';
import { Conflicts } from './Conflicts.tsx';
import { Devices } from './Devices.tsx';
import { LinkForm } from './LinkForm.tsx';
import { Lost } from './Lost.tsx';
import { Move } from './Move.tsx';
import { statusQuery } from './queries.ts';
import { Shared } from './Shared.tsx';
import css from './SyncView.module.css';
import { Unlink } from './Unlink.tsx';
import { standingOf } from './words.ts';

/** Sync in plain words: how it stands, what waits, which devices there are, what is shared, and what lost. */
export default function SyncView({ isOwner, canWrite }: { isOwner: boolean; canWrite: boolean }) {
  const status = useQuery(statusQuery);
  useEffect(() => {
    document.title = 'Devices · Reverie';
  }, []);
  return (
    <Column>
      <h1>Devices</h1>
      <Fetched of={status} lines={8}>
        {(data) => (
          <>
            <State status={data} isOwner={isOwner} />
            {data.relay === null ? (
              <>
                {isOwner && <LinkForm stays={data.stays} />}
                <Lost lost={data.lost} isOwner={isOwner} isLinked={false} />
              </>
            ) : (
              <>
                <Devices isOwner={isOwner} />
                <Lost lost={data.lost} isOwner={isOwner} isLinked />
                <Shared status={data} isOwner={isOwner} />
              </>
            )}
            {data.conflicts + data.conflicts_of_others > 0 && <Conflicts status={data} canWrite={canWrite} />}
          </>
        )}
      </Fetched>
    </Column>
  );
}

function State({ status, isOwner }: { status: SyncStatus; isOwner: boolean }) {
  const { tone, word, sentence } = standingOf(status);
  const [asks, setAsks] = useState<'unlink' | 'move'>();
  const isLinked = status.relay !== null;
  return (
    <section aria-label="State" className={css['part']}>
      <Standing tone={tone} word={word} isLive>
        {sentence}
      </Standing>
      {status.error && (
        <Banner tone={status.state === 'offline' ? 'warn' : 'bad'}>
          {status.error.message}. {status.error.advice}
        </Banner>
      )}
      {status.recovered.map(({ email, at }) => (
        <Banner key={email} tone="warn">
          <span>
            The devices of <bdi>{email}</bdi> were replaced by recovery on <Time at={at} full />. If you
            wonder, ask them by another way before you share more.
          </span>
        </Banner>
      ))}
      {status.handed_over.map(({ namespace, email, at }) => (
        <Banner key={namespace} tone="plain">
          <span>
            <bdi>{email ?? 'Somebody who is gone'}</bdi> made you the owner of <bdi>{namespace}</bdi> on{' '}
            <Time at={at} full />, and it takes your space on the relay. To give it back, change the role of a
            member below.
          </span>
        </Banner>
      ))}
      {status.sessions_ended.map(({ session, title, message }) => (
        <Banner key={session} tone="warn">
          The session “<bdi>{title ?? session}</bdi>”: {message}.
        </Banner>
      ))}
      {status.quarantined > 0 && (
        <Banner tone="warn">
          {countOf(status.quarantined, 'change from elsewhere', 'changes from elsewhere')} could not be read
          and {status.quarantined === 1 ? 'was' : 'were'} put aside; nothing here was changed by it.
        </Banner>
      )}
      <Moving way="upload" progress={status.upload} />
      <Moving way="download" progress={status.download} />
      {isLinked && (
        <>
          <details>
            <summary className={css['soft']}>In figures</summary>
            <Facts
              rows={[
                ['Relay', <bdi>{status.relay}</bdi>],
                ['Account', status.email],
                ['This device', status.device?.name],
                ['Waiting to be sent', formatCount(status.pending)],
                [
                  'Oldest of them',
                  status.oldest_pending_at !== null && <Time at={status.oldest_pending_at} full />,
                ],
                ['Still to be read', status.behind === null ? 'not known' : formatCount(status.behind)],
                [
                  'Last in sync',
                  status.last_sync_at === null ? 'never yet' : <Time at={status.last_sync_at} full />,
                ],
              ]}
            />
          </details>
          {isOwner && <Actions status={status} onAsk={setAsks} />}
        </>
      )}
      {asks === 'unlink' && <Unlink pending={status.pending} onClose={() => setAsks(undefined)} />}
      {asks === 'move' && <Move relay={status.relay ?? ''} onClose={() => setAsks(undefined)} />}
    </section>
  );
}

/** How far the first sync is in one direction; nothing once it is through. */
function Moving({ way, progress }: { way: 'upload' | 'download'; progress: SyncProgress | null }) {
  if (!progress) return null;
  return (
    <p>
      {progressWords(way, progress, formatCount)}
      <progress
        className={css['progress']}
        max={progress.total}
        value={progress.done}
        aria-label={way === 'upload' ? 'First upload' : 'First download'}
      />
    </p>
  );
}

const TRIGGERED = {
  synced: 'Everything is in sync.',
  sync_started: 'Sync has begun and goes on.',
  sync_not_active: 'Sync is off: it is paused, or this machine is not linked.',
} as const;

function Actions({ status, onAsk }: { status: SyncStatus; onAsk: (what: 'unlink' | 'move') => void }) {
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: ['sync'] });
  const now = useMutation({
    mutationFn: () => call(triggerSync, {}),
    onSuccess: async ({ ok, status: said }) => {
      notify(ok ? 'good' : 'bad', TRIGGERED[said]);
      await again();
    },
    onError: (error) => notify('bad', `Sync could not be begun: ${error.message}`),
  });
  const pause = useMutation({
    mutationFn: () => call(pauseSync, { body: { paused: !status.paused } }),
    onSuccess: again,
    onError: (error) => notify('bad', `That did not work: ${error.message}`),
  });
  return (
    <div className={css['actions']}>
      <Button icon="again" disabled={now.isPending || status.paused} onClick={() => now.mutate()}>
        {now.isPending ? 'Syncing…' : 'Sync now'}
      </Button>
      <Button disabled={pause.isPending} onClick={() => pause.mutate()}>
        {status.paused ? 'Go on' : 'Pause'}
      </Button>
      <Button onClick={() => onAsk('move')}>Relay moved…</Button>
      <Button onClick={() => onAsk('unlink')}>Unlink…</Button>
    </div>
  );
}
