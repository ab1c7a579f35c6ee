import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { cloneElement, Suspense, useLayoutEffect, useState } from 'react';
import { NamespaceList } from '../features/namespaces/NamespaceList.tsx';
import { useChosenOrEvery } from '../features/namespaces/use-chosen.ts';
import { FullDisk } from '../features/status/FullDisk.tsx';
import { Messages } from './Messages.tsx';
import { Outage } from './Outage.tsx';
import type { PageMenuProps } from './PageMenu.tsx';
import { reach } from '../platform/daemon/api.ts';
import { isSettled } from '../platform/idle.ts';
import { isRestored } from '../platform/queries/last-seen.ts';
import { latePart, onceFetched, useLatePart } from '../platform/late-part.ts';
import { liveness } from '../platform/daemon/live.ts';
import { dates } from '../platform/locale.ts';
import { usePlace } from '../platform/place.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useShortcuts } from '../platform/shortcuts.ts';
import { useStore } from '../platform/store.ts';
import css from './Shell.module.css';
import { BareIconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Skeleton } from '../ui/Message.tsx';
import { SHOW_EVERY, useChooseNamespace, useFieldKey, useGoTo } from './use-go-to.ts';
import { Count } from './Count.tsx';
import { useCounts } from './use-counts.ts';
import { isWithin, places, roomAt, tabs } from '../views.ts';

const Field = latePart(() => import('./Field.tsx'));
const ShortcutsHelp = latePart(() => import('./ShortcutsHelp.tsx'));
const PageMenu = latePart(() => import('./PageMenu.tsx'));
const disabledNotice = onceFetched(() => import('../features/webhooks/DisabledNotice.tsx'));
const SessionScreen = latePart(() => import('../features/session/SessionScreen.tsx'));
const roomViews = onceFetched(() => import('./RoomViews.tsx'));
const NamespaceDialog = latePart(() => import('../features/namespaces/NamespaceDialog.tsx'));

/** Which key the field's shortcut goes with. */
const isMac = navigator.platform.startsWith('Mac');

/** The small window at the tray: it has its own field and tabs, and neither sidebar nor menu. */
export const TRAY = '/tray';
/** The field that opens over whatever one does. */
export const QUICK = '/quick';

/** What is around every view: without a session the way to one, else the sidebar and the messages. */
export function Shell() {
  const now = useStore(session);
  const { pathname } = useLocation();
  const isSmall = pathname === TRAY || pathname === QUICK;
  const isReady = useStore(isRestored);
  if (now.kind === 'opening') return <Skeleton lines={4} />;
  // What was seen last is there in a moment: no grey lines before it.
  if (now.kind === 'open' && !isReady) return null;
  const view = isSmall ? <Outlet /> : <Inside />;
  return (
    <>
      {now.kind === 'closed' ? (
        <Suspense fallback={<Skeleton lines={4} />}>
          <SessionScreen why={now.why} />
        </Suspense>
      ) : (
        view
      )}
      <Messages />
    </>
  );
}

function Inside() {
  const [help, setHelp] = useState(false);
  /** What was typed for the field before it was there; undefined while it is not wanted. */
  const [field, setField] = useState<string>();
  const openField = () => setField('');
  const [face, setFace] = useState<string>();
  const isOwner = allows(useStore(session), 'owner');
  const { pathname } = useLocation();
  const room = roomAt(pathname);
  const isLate = useStore(isSettled);
  const DisabledNotice = useLatePart(disabledNotice, {
    isWanted: isOwner && isLate,
    isMissed: false,
  })?.default;
  const RoomViews = useLatePart(roomViews, {
    isWanted: room !== undefined || isLate,
    isMissed: room !== undefined,
  })?.default;
  const inMemories = pathname === '/memories';
  const chosenOrEvery = useChosenOrEvery();
  const place = usePlace();
  // The desk, the inbox and the log show every namespace where none is named, and the sidebar marks what they show.
  const isOfEvery = SHOW_EVERY.some((view) => view === pathname);
  const chosen = inMemories ? chosenOrEvery : (place.namespace ?? (isOfEvery ? EVERY_NAMESPACE : undefined));
  const choose = useChooseNamespace();
  const written = useStore(dates);
  useShortcuts({ '?': () => setHelp(true), '/': openField }, window);
  useFieldKey(openField);
  useGoTo();
  const menu = {
    onFind: openField,
    onHelp: () => setHelp(true),
    onNamespace: setFace,
    namespace: inMemories && chosen !== EVERY_NAMESPACE ? chosen : undefined,
  };

  return (
    <div className={css['shell']}>
      <header className={css['side']}>
        <Link to="/" search={{}} className={css['brand']}>
          <span className={css['moon']} />
          Reverie
        </Link>
        <button type="button" className={css['find']} aria-keyshortcuts="Control+K" onClick={openField}>
          <Icon name="search" />
          <span>Find or ask</span>
          <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
        </button>
        <Places />
        <nav className={css['namespaces']} aria-label="Namespaces">
          <h2 className={css['heading']} title="A namespace keeps some memories apart from the others">
            Namespaces
          </h2>
          <NamespaceList chosen={chosen} onChoose={choose} onFace={isOwner ? setFace : undefined} />
        </nav>
        <div className={css['foot']}>
          <Connection />
          <Link to="/settings" className={css['gear']} title="Settings" aria-label="Settings">
            <Icon name="gear" />
          </Link>
          <LateMenu {...menu} isWide />
        </div>
      </header>
      <main className={css['main']}>
        <Outage />
        <FullDisk />
        {isOwner && DisabledNotice && <DisabledNotice />}
        {room !== undefined && (RoomViews ? <RoomViews room={room} /> : <div className={css['room']} />)}
        {/* Another way to write dates is followed at once by all that shows some; where it is chosen, the focus stays. */}
        <div className={css['outlet']} key={pathname === '/settings' ? pathname : JSON.stringify(written)}>
          <Outlet />
        </div>
      </main>
      <div className={css['tabs']}>
        <Tabs onFind={openField} />
        <LateMenu {...menu} isWide={false} />
      </div>
      {field !== undefined && (
        <Suspense fallback={<EarlyKeys onTyped={setField} />}>
          <Field typed={field} onClose={() => setField(undefined)} onHelp={() => setHelp(true)} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        {help && <ShortcutsHelp onClose={() => setHelp(false)} />}
        {face !== undefined && (
          <NamespaceDialog
            namespace={face}
            onClose={() => setFace(undefined)}
            onCleared={() => {
              setFace(undefined);
              choose(face);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

/** Stands for a field that is being fetched: what is typed meanwhile is meant for it. */
function EarlyKeys({ onTyped }: { onTyped: (text: string) => void }) {
  useLayoutEffect(() => {
    let text = '';
    const hear = (event: KeyboardEvent) => {
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if ([...key].length > 1 && key !== 'Backspace') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      text = key === 'Backspace' ? text.slice(0, -1) : text + key;
      onTyped(text);
    };
    window.addEventListener('keydown', hear, true);
    return () => window.removeEventListener('keydown', hear, true);
  }, [onTyped]);
  return null;
}

/** The button of the menu; its parts would be a tenth of the first view. */
function LateMenu(props: Omit<PageMenuProps, 'button' | 'isOpenAtFirst'>) {
  const [isWanted, setWanted] = useState(false);
  const look = props.isWide ? (
    <BareIconButton icon="more" label="Menu" aria-haspopup="menu" />
  ) : (
    <button type="button" className={css['tab']} aria-haspopup="menu">
      <Icon name="more" />
      More
    </button>
  );
  const button = cloneElement(look, { onClick: () => setWanted(true) });
  return isWanted ? (
    <Suspense fallback={button}>
      <PageMenu {...props} button={look} />
    </Suspense>
  ) : (
    button
  );
}

/** The six places of the sidebar. */
function Places() {
  const { pathname } = useLocation();
  const counts = useCounts();
  return (
    <nav className={css['views']} aria-label="Views">
      {places.map((place) => (
        <Link
          key={place.to}
          to={toOf(place, counts)}
          preload="intent"
          className={css['view']}
          title={place.label}
          aria-current={isWithin(place, pathname) ? 'page' : undefined}
        >
          <Icon name={place.icon} />
          <span className={css['name']}>{place.label}</span>
          <Count of={place.room && counts[place.room]} className={css['count']} />
        </Link>
      ))}
    </nav>
  );
}

/** What a thumb reaches at the foot of a narrow window. */
function Tabs({ onFind }: { onFind: () => void }) {
  const { pathname } = useLocation();
  const counts = useCounts();
  const find = (
    <button key="find" type="button" className={css['tab']} aria-haspopup="dialog" onClick={onFind}>
      <Icon name="search" />
      Find
    </button>
  );
  const [today, memories, ...others] = tabs.map(tabOf);
  return (
    <nav className={css['tabList']} aria-label="Tabs">
      {[today, memories, find, ...others]}
    </nav>
  );

  function tabOf(place: (typeof tabs)[number]) {
    return (
      <Link
        key={place.to}
        to={toOf(place, counts)}
        preload="intent"
        className={css['tab']}
        aria-current={isWithin(place, pathname) ? 'page' : undefined}
      >
        <Icon name={place.icon} />
        {place.label}
        <Count of={place.room && counts[place.room]} className={css['tabCount']} />
      </Link>
    );
  }
}

/** Review begins where something waits. */
function toOf({ to, room }: (typeof places)[number], counts: ReturnType<typeof useCounts>) {
  return room === 'review' && counts['/dreams'] === undefined && counts['/inbox'] !== undefined
    ? '/inbox'
    : to;
}

/** Says, quietly, whether changes come in by themselves at the moment. */
function Connection() {
  const isLost = useStore(liveness) === 'lost';
  const isAway = useStore(reach) === 'down';
  // The banner says it.
  if (isAway) return <span />;
  return (
    <span className={css['connection']} data-lost={isLost} role="status">
      {isLost ? 'Reconnecting…' : 'All saved'}
    </span>
  );
}
