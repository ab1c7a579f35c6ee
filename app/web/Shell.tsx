import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { NamespaceList } from './features/namespaces/NamespaceList.tsx';
import { namespacesQuery } from './features/namespaces/queries.ts';
import { useChosenNamespace, useChosenOrEvery } from './features/namespaces/use-chosen.ts';
import { SessionScreen } from './features/session/SessionScreen.tsx';
import { FullDisk } from './features/status/FullDisk.tsx';
import { DisabledNotice } from './features/webhooks/DisabledNotice.tsx';
import { Messages } from './Messages.tsx';
import { Outage } from './Outage.tsx';
import type { PageMenuProps } from './PageMenu.tsx';
import { reach } from './platform/api.ts';
import { onceFetched } from './platform/late-part.ts';
import { usePlace } from './platform/place.ts';
import { isSettled } from './platform/idle.ts';
import { isRestored } from './platform/last-seen.ts';
import { liveness } from './platform/live.ts';
import { allows, session } from './platform/session.ts';
import { useShortcuts } from './platform/shortcuts.ts';
import { useStore } from './platform/store.ts';
import css from './Shell.module.css';
import { BareIconButton } from './ui/Button.tsx';
import { Icon } from './ui/Icon.tsx';
import { Skeleton } from './ui/Message.tsx';
import { useChooseNamespace, useFieldKey, useGoTo } from './use-go-to.ts';
import { useCounts } from './use-counts.ts';
import { tabs, viewGroups, views } from './views.ts';

const Field = lazy(() => import('./Field.tsx'));
const ShortcutsHelp = lazy(() => import('./ShortcutsHelp.tsx'));
const PageMenu = lazy(onceFetched(() => import('./PageMenu.tsx')));
const ClearNamespace = lazy(() => import('./features/namespaces/ClearNamespace.tsx'));

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
      {now.kind === 'closed' ? <SessionScreen why={now.why} /> : view}
      <Messages />
    </>
  );
}

function Inside() {
  const [help, setHelp] = useState(false);
  const [field, setField] = useState(false);
  const [clearing, setClearing] = useState<string>();
  const isOwner = allows(useStore(session), 'owner');
  const isLate = useStore(isSettled);
  const inMemories = useLocation().pathname === '/memories';
  const chosenOne = useChosenNamespace();
  const chosenOrEvery = useChosenOrEvery();
  const place = usePlace();
  const chosen = inMemories ? chosenOrEvery : place.namespace;
  const { data: rows } = useQuery(namespacesQuery);
  const choose = useChooseNamespace();
  useShortcuts({ '?': () => setHelp(true), '/': () => setField(true) }, window);
  useFieldKey(() => setField(true));
  useGoTo();
  const menu = (
    <LateMenu
      onFind={() => setField(true)}
      onHelp={() => setHelp(true)}
      onClear={() => setClearing(chosenOne)}
      namespace={inMemories && chosen !== EVERY_NAMESPACE ? chosen : undefined}
    />
  );

  return (
    <div className={css['shell']}>
      <header className={css['side']}>
        <Link to="/" search={{}} className={css['brand']}>
          <span className={css['moon']} />
          Reverie
        </Link>
        <button
          type="button"
          className={css['find']}
          aria-keyshortcuts="Control+K"
          onClick={() => setField(true)}
        >
          <Icon name="search" />
          <span>Find or ask</span>
          <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
        </button>
        <Views />
        <nav className={css['namespaces']} aria-label="Namespaces">
          <h2 className={css['heading']}>Namespaces</h2>
          <NamespaceList chosen={chosen} onChoose={choose} />
        </nav>
        <div className={css['foot']}>
          <Connection />
          {menu}
        </div>
      </header>
      <main className={css['main']}>
        <Outage />
        <FullDisk />
        {isOwner && isLate && <DisabledNotice />}
        <div className={css['outlet']}>
          <Outlet />
        </div>
      </main>
      <div className={css['tabs']}>
        <Tabs />
        {menu}
      </div>
      <Suspense fallback={null}>
        {field && <Field onClose={() => setField(false)} onHelp={() => setHelp(true)} />}
        {help && <ShortcutsHelp onClose={() => setHelp(false)} />}
        {clearing !== undefined && (
          <ClearNamespace
            namespace={clearing}
            count={rows?.find(({ namespace }) => namespace === clearing)?.count}
            onClose={() => setClearing(undefined)}
            onDone={() => {
              setClearing(undefined);
              choose(clearing);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The button of the menu; its parts would be a tenth of the first view. */
function LateMenu(props: PageMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <BareIconButton icon="gear" label="Menu" aria-haspopup="menu" onClick={() => setWanted(true)} />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <PageMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}

/** The views of the sidebar, in their groups. */
function Views() {
  const now = useStore(session);
  const counts = useCounts();
  return (
    <nav className={css['views']} aria-label="Views">
      {viewGroups.map(({ group, label }) => (
        <div key={group} className={css['group']}>
          {label !== undefined && <h2 className={css['heading']}>{label}</h2>}
          {views
            .filter((view) => view.group === group && allows(now, view.scope))
            .map(({ to, icon, label: name }) => (
              <Link
                key={to}
                to={to}
                preload="intent"
                className={css['view']}
                activeOptions={{ exact: true, includeSearch: false }}
              >
                <Icon name={icon} />
                {name}
                {counts[to] !== undefined && (
                  <span className={css['count']}>
                    {counts[to]} <span className="sr-only">waiting</span>
                  </span>
                )}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
}

/** What a thumb reaches at the foot of a narrow window. */
function Tabs() {
  const counts = useCounts();
  return (
    <nav className={css['tabList']} aria-label="Tabs">
      {views
        .filter(({ to }) => tabs.some((tab) => tab === to))
        .map(({ to, icon, label }) => (
          <Link
            key={to}
            to={to}
            preload="intent"
            className={css['tab']}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            <Icon name={icon} />
            {to === '/dreams' ? 'Review' : label}
            {counts[to] !== undefined && (
              <span className={css['tabCount']}>
                {counts[to]} <span className="sr-only">waiting</span>
              </span>
            )}
          </Link>
        ))}
    </nav>
  );
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
