import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useEffect, useState } from 'react';
import { wallClock } from '../../platform/clock.ts';
import { debounce } from '../../platform/debounce.ts';
import { liveness } from '../../platform/daemon/live.ts';
import { type TrayTab, trayTabs } from '../../platform/place.ts';
import { useStore } from '../../platform/store.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Time } from '../../ui/Time.tsx';
import { jobsQuery } from '../dreams/queries.ts';
import { statusQuery } from '../sync/queries.ts';
import { standingOf } from '../sync/words.ts';
import { QuickAdd } from '../today/QuickAdd.tsx';
import { Activity } from './Activity.tsx';
import { Found } from './Found.tsx';
import { Recent } from './Recent.tsx';
import { Review } from './Review.tsx';
import type { TrayTarget } from './target.ts';
import css from './TrayView.module.css';
import { Unread } from './Unread.tsx';

interface TrayProps {
  /** Of whose last dream is told; undefined while that is not known. */
  namespace: string | undefined;
  /** How much waits, in words; undefined where nothing does. */
  waiting: { review: string | undefined; inbox: string | undefined };
  canWrite: boolean;
  /** Undefined where none was chosen: then what waits is shown. */
  tab: TrayTab | undefined;
  onTab: (tab: TrayTab) => void;
  onOpen: (target: TrayTarget) => void;
}

/** How long one stops typing before memories are searched, ms. */
const PAUSE_MS = 120;

/** A window of 380 × 560: a field, what changed, what is to decide, messages, what happened; the rest is a click away. */
export function TrayView({ namespace, ...parts }: TrayProps) {
  const { canWrite, onOpen } = parts;
  const [typed, setTyped] = useState('');
  const [settled, setSettled] = useState('');
  const [pause] = useState(() => debounce<string>(wallClock, PAUSE_MS, setSettled));
  const [isAdding, setAdding] = useState(false);
  useEffect(() => pause.cancel, [pause]);
  const type = (text: string) => {
    setTyped(text);
    pause.push(text.trim());
  };
  const text = typed.trim();
  return (
    <main className={css['tray']}>
      <h1 className="sr-only">Reverie</h1>
      <form
        className={css['find']}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== '') onOpen({ to: '/memories', search: { namespace: '*', q: text } });
        }}
      >
        <Icon name="search" />
        <input
          type="search"
          className={css['input']}
          aria-label="Find or ask"
          placeholder="Find or ask"
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && typed !== '') type('');
          }}
        />
        {canWrite && (
          <IconButton
            icon={isAdding ? 'close' : 'plus'}
            label={isAdding ? 'Close' : 'Write down a thought'}
            aria-expanded={isAdding}
            onClick={() => setAdding(!isAdding)}
          />
        )}
      </form>
      {isAdding && (
        <div className={css['add']}>
          <QuickAdd />
        </div>
      )}
      {text === '' ? (
        <Parts {...parts} />
      ) : (
        <div className={css['part']}>
          <Found text={settled} onOpen={onOpen} />
        </div>
      )}
      <Foot onOpen={onOpen} namespace={namespace} />
    </main>
  );
}

function Parts({ waiting, canWrite, tab, onTab, onOpen }: Omit<TrayProps, 'namespace'>) {
  return (
    <Tabs.Root
      value={tab ?? (waiting.review === undefined ? 'recent' : 'review')}
      onValueChange={(value) => {
        const next = trayTabs.find((one) => one === value);
        if (next) onTab(next);
      }}
      className={css['parts']}
    >
      <Tabs.List className={css['tabs']} aria-label="What is shown">
        <Tab of="recent" name="Recent" />
        <Tab of="review" name="Review" count={waiting.review} />
        <Tab of="inbox" name="Inbox" count={waiting.inbox} />
        <Tab of="activity" name="Activity" />
      </Tabs.List>
      <Tabs.Content value="recent" className={css['part']}>
        <Recent onOpen={onOpen} />
      </Tabs.Content>
      <Tabs.Content value="review" className={css['part']}>
        <Review canWrite={canWrite} onOpen={onOpen} />
      </Tabs.Content>
      <Tabs.Content value="inbox" className={css['part']}>
        <Unread onOpen={onOpen} />
      </Tabs.Content>
      <Tabs.Content value="activity" className={css['part']}>
        <Activity onOpen={onOpen} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

function Tab({ of, name, count }: { of: TrayTab; name: string; count?: string | undefined }) {
  return (
    <Tabs.Trigger value={of} className={css['tab']}>
      {name}
      {count !== undefined && (
        <span className={css['count']}>
          {count} <span className="sr-only">waiting</span>
        </span>
      )}
    </Tabs.Trigger>
  );
}

/** How memory stands, in a line, and the way to everything else. */
function Foot({ namespace, onOpen }: Pick<TrayProps, 'namespace' | 'onOpen'>) {
  const isLost = useStore(liveness) === 'lost';
  const { data: sync } = useQuery(statusQuery);
  const isLinked = sync !== undefined && sync.state !== 'dormant';
  return (
    <footer className={css['foot']}>
      <span className={css['standing']} data-lost={isLost} role="status">
        {isLost ? 'Reconnecting…' : isLinked ? capital(standingOf(sync).word) : 'All saved'}
        {!isLost && namespace !== undefined && <LastDream namespace={namespace} />}
      </span>
      <button type="button" className={css['open']} onClick={() => onOpen({ to: '/', search: {} })}>
        Open Reverie
      </button>
    </footer>
  );
}

function LastDream({ namespace }: { namespace: string }) {
  const { data: jobs } = useQuery(jobsQuery(namespace));
  const dreamt = jobs?.find(
    ({ completed_at, trigger }) => completed_at !== null && trigger !== 'agent',
  )?.completed_at;
  if (dreamt === undefined || dreamt === null) return null;
  return (
    <>
      {' '}
      · last dream <Time at={dreamt} />
    </>
  );
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
