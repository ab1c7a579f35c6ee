import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { NamespaceList } from './features/namespaces/NamespaceList.tsx';
import { namespacesQuery } from './features/namespaces/queries.ts';
import { useChosenNamespace } from './features/namespaces/use-chosen.ts';
import { SessionScreen } from './features/session/SessionScreen.tsx';
import { FullDisk } from './features/status/FullDisk.tsx';
import { DisabledNotice } from './features/webhooks/DisabledNotice.tsx';
import { Messages } from './Messages.tsx';
import { reach } from './platform/api.ts';
import { liveness } from './platform/live.ts';
import { useGo } from './platform/place.ts';
import { allows, session } from './platform/session.ts';
import { useSecondKeys, useShortcuts } from './platform/shortcuts.ts';
import { useStore } from './platform/store.ts';
import { chooseTheme, theme } from './platform/theme.ts';
import css from './Shell.module.css';
import { signOut } from './sign-out.ts';
import { Icon } from './ui/Icon.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine } from './ui/Menu.tsx';
import { Banner, Skeleton } from './ui/Message.tsx';

const ShortcutsHelp = lazy(() => import('./ShortcutsHelp.tsx'));
const ClearNamespace = lazy(() => import('./features/namespaces/ClearNamespace.tsx'));

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** The views, in the menu and beside the namespaces: `g` and the letter goes there; with what a key has to allow. */
const VIEWS = [
  { to: '/', letter: 'm', icon: 'folder', label: 'Memories', scope: 'read' },
  { to: '/ask', letter: 'a', icon: 'ask', label: 'Ask', scope: 'read' },
  { to: '/dreams', letter: 'd', icon: 'moon', label: 'Dreams', scope: 'read' },
  { to: '/map', letter: 'p', icon: 'map', label: 'Map', scope: 'read' },
  { to: '/events', letter: 'e', icon: 'list', label: 'Events', scope: 'read' },
  { to: '/inbox', letter: 'i', icon: 'inbox', label: 'Inbox', scope: 'read' },
  { to: '/sync', letter: 's', icon: 'again', label: 'Sync', scope: 'read' },
  { to: '/webhooks', letter: 'w', icon: 'send', label: 'Webhooks', scope: 'owner' },
  { to: '/models', letter: 'o', icon: 'model', label: 'Models', scope: 'owner' },
  { to: '/keys', letter: 'k', icon: 'key', label: 'API keys', scope: 'owner' },
  { to: '/accounts', letter: 'c', icon: 'people', label: 'Accounts', scope: 'owner' },
  { to: '/status', letter: 't', icon: 'pulse', label: 'Status', scope: 'read' },
] as const;

/** What is around every view: without a session the way to one, else the namespaces, the menu and the messages. */
export function Shell() {
  const now = useStore(session);
  if (now.kind === 'opening') return <Skeleton lines={4} />;
  return (
    <>
      {now.kind === 'closed' ? <SessionScreen why={now.why} /> : <Inside />}
      <Messages />
    </>
  );
}

function Inside() {
  const [help, setHelp] = useState(false);
  const [clearing, setClearing] = useState<string>();
  const go = useGo();
  const isOwner = allows(useStore(session), 'owner');
  const inMemories = useLocation().pathname === '/';
  const namespace = useChosenNamespace();
  // Elsewhere none of them is what one looks at.
  const chosen = inMemories ? namespace : undefined;
  const { data: rows } = useQuery(namespacesQuery);
  const choose = (namespace: string) => go({ namespace, key: undefined, mode: undefined, q: undefined });
  useShortcuts({ '?': () => setHelp(true) });
  useGoTo();

  return (
    <div className={css['shell']}>
      <header className={css['top']}>
        <Link to="/" search={{}} className={css['brand']}>
          <img src="/icon.svg" alt="" width="20" height="20" />
          Reverie
        </Link>
        <Connection />
        <PageMenu onHelp={() => setHelp(true)} onClear={() => setClearing(chosen)} clearable={chosen} />
      </header>
      <div className={css['side']}>
        <nav className={css['namespaces']} aria-label="Namespaces">
          <h2 className={css['heading']}>Namespaces</h2>
          <NamespaceList chosen={chosen} onChoose={choose} />
        </nav>
        <Views />
      </div>
      <main className={css['main']}>
        <Unreachable />
        <FullDisk />
        {isOwner && <DisabledNotice />}
        <div className={css['outlet']}>
          <Outlet />
        </div>
      </main>
      <Suspense fallback={null}>
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

/** `g` and the letter of a view goes there. */
function useGoTo() {
  const navigate = useNavigate();
  const now = useStore(session);
  const views = VIEWS.filter(({ scope }) => allows(now, scope));
  useSecondKeys(
    'g',
    Object.fromEntries(views.map(({ letter, to }) => [letter, () => void navigate({ to })])),
  );
}

/** The other views, where the window is wide enough to show them all the time. */
function Views() {
  const now = useStore(session);
  return (
    <nav className={css['views']} aria-label="Views">
      {VIEWS.filter(({ to, scope }) => to !== '/' && allows(now, scope)).map(({ to, icon, label }) => (
        <Link key={to} to={to} className={css['viewLink']}>
          <Icon name={icon} />
          {label}
        </Link>
      ))}
    </nav>
  );
}

interface PageMenuProps {
  onHelp: () => void;
  onClear: () => void;
  clearable: string | undefined;
}

function PageMenu({ onHelp, onClear, clearable }: PageMenuProps) {
  const navigate = useNavigate();
  const chosenTheme = useStore(theme);
  const now = useStore(session);
  return (
    <Menu icon="menu" label="Menu">
      {VIEWS.filter(({ scope }) => allows(now, scope)).map(({ to, letter, icon, label }) => (
        <MenuItem key={to} icon={icon} shortcut={`g ${letter}`} onSelect={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
      <MenuItem shortcut="?" onSelect={onHelp}>
        Keyboard shortcuts
      </MenuItem>
      <MenuLine />
      <MenuChoice
        label="Appearance"
        value={chosenTheme}
        options={THEMES}
        onChoose={(next) => chooseTheme(localStorage, document.documentElement, next)}
      />
      <MenuLine />
      {allows(now, 'write') && clearable !== undefined && (
        <MenuItem icon="trash" danger onSelect={onClear}>
          Clear this namespace…
        </MenuItem>
      )}
      <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}

/** Says, quietly, that changes do not come in by themselves at the moment. */
function Connection() {
  const isLost = useStore(liveness) === 'lost';
  return (
    <span className={css['connection']} role="status">
      {isLost && 'Reconnecting…'}
    </span>
  );
}

function Unreachable() {
  if (useStore(reach) === 'up') return null;
  return (
    <Banner tone="warn">
      <span>
        Reverie does not answer. What you see may be old; this page tries again by itself. If it is not
        running, start it with <code>reverie start</code>.
      </span>
    </Banner>
  );
}
