import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { onceFetched } from './platform/late-part.ts';
import { parseSearch, placeOf, stringifySearch } from './platform/place.ts';
import { QUICK, Shell, TRAY } from './shell/Shell.tsx';
import { TodayPage } from './pages/TodayPage.tsx';
import { Message, Skeleton } from './ui/Message.tsx';

const pages = {
  memories: onceFetched(() => import('./pages/MemoriesPage.tsx')),
  ask: onceFetched(() => import('./pages/AskPage.tsx')),
  dreams: onceFetched(() => import('./pages/DreamsPage.tsx')),
  map: onceFetched(() => import('./pages/MapPage.tsx')),
  connections: onceFetched(() => import('./pages/connections/ConnectionsPage.tsx')),
  settings: onceFetched(() => import('./pages/SettingsPage.tsx')),
  sync: onceFetched(() => import('./pages/connections/SyncPage.tsx')),
  keys: onceFetched(() => import('./pages/connections/KeysPage.tsx')),
  models: onceFetched(() => import('./pages/connections/ModelsPage.tsx')),
  status: onceFetched(() => import('./pages/StatusPage.tsx')),
  events: onceFetched(() => import('./pages/connections/EventsPage.tsx')),
  webhooks: onceFetched(() => import('./pages/connections/WebhooksPage.tsx')),
  inbox: onceFetched(() => import('./pages/InboxPage.tsx')),
  accounts: onceFetched(() => import('./pages/connections/AccountsPage.tsx')),
  agents: onceFetched(() => import('./pages/connections/AgentsPage.tsx')),
  folders: onceFetched(() => import('./pages/connections/FoldersPage.tsx')),
  sessions: onceFetched(() => import('./pages/SessionsPage.tsx')),
  sources: onceFetched(() => import('./pages/SessionSourcesPage.tsx')),
  session: onceFetched(() => import('./pages/SessionPage.tsx')),
  tray: onceFetched(() => import('./pages/TrayPage.tsx')),
  quick: onceFetched(() => import('./pages/QuickPage.tsx')),
};

/** Where one is likely to go from the first view: each fetches its page, or fails. */
export const likelyPages = { memories: pages.memories, ask: pages.ask };

const root = createRootRoute({
  validateSearch: placeOf,
  // The chosen namespace stays chosen in every view.
  search: { middlewares: [retainSearchParams(['namespace'])] },
  component: Shell,
  notFoundComponent: () => (
    <Message icon="search" title="There is no such page">
      <Link to="/">To the start</Link>
    </Message>
  ),
  errorComponent: ({ error }) => (
    <Message icon="warn" tone="bad" title="This page failed">
      <p>{error instanceof Error ? error.message : String(error)}. Reload it; your memories are safe.</p>
    </Message>
  ),
});

const today = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: TodayPage,
  validateSearch: placeOf,
  // Links to memories were here once, and may stand in notes and mails.
  beforeLoad: ({ search }) => {
    if (search.key !== undefined || search.q !== undefined || search.mode !== undefined)
      redirect({ to: '/memories', search, replace: true, throw: true });
  },
});

const memories = createRoute({
  getParentRoute: () => root,
  path: '/memories',
  component: lazyRouteComponent(pages.memories),
  validateSearch: placeOf,
});

const ask = createRoute({
  getParentRoute: () => root,
  path: '/ask',
  component: lazyRouteComponent(pages.ask),
  validateSearch: placeOf,
});

const dreams = createRoute({
  getParentRoute: () => root,
  path: '/dreams',
  component: lazyRouteComponent(pages.dreams),
  validateSearch: placeOf,
});

const map = createRoute({
  getParentRoute: () => root,
  path: '/map',
  component: lazyRouteComponent(pages.map),
  validateSearch: placeOf,
});

const sync = createRoute({
  getParentRoute: () => root,
  path: '/sync',
  component: lazyRouteComponent(pages.sync),
});

const connections = createRoute({
  getParentRoute: () => root,
  path: '/connections',
  component: lazyRouteComponent(pages.connections),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(pages.settings),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(pages.keys),
});

const models = createRoute({
  getParentRoute: () => root,
  path: '/models',
  component: lazyRouteComponent(pages.models),
});

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyRouteComponent(pages.status),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  component: lazyRouteComponent(pages.events),
  validateSearch: placeOf,
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(pages.webhooks),
  validateSearch: placeOf,
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(pages.inbox),
  validateSearch: placeOf,
});

const accounts = createRoute({
  getParentRoute: () => root,
  path: '/accounts',
  component: lazyRouteComponent(pages.accounts),
  validateSearch: placeOf,
});

const folders = createRoute({
  getParentRoute: () => root,
  path: '/folders',
  component: lazyRouteComponent(pages.folders),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(pages.agents),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(pages.sessions),
  validateSearch: placeOf,
});

const sources = createRoute({
  getParentRoute: () => root,
  path: '/sessions/sources',
  component: lazyRouteComponent(pages.sources),
});

const session = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$id',
  component: lazyRouteComponent(pages.session),
  validateSearch: placeOf,
});

const tray = createRoute({
  getParentRoute: () => root,
  path: TRAY,
  component: lazyRouteComponent(pages.tray),
  validateSearch: placeOf,
});

const quick = createRoute({
  getParentRoute: () => root,
  path: QUICK,
  component: lazyRouteComponent(pages.quick),
  validateSearch: placeOf,
});

export const router = createRouter({
  routeTree: root.addChildren([
    today,
    memories,
    ask,
    dreams,
    map,
    events,
    inbox,
    webhooks,
    connections,
    settings,
    keys,
    accounts,
    sync,
    models,
    status,
    folders,
    agents,
    sessions,
    sources,
    session,
    tray,
    quick,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  defaultPendingComponent: () => <Skeleton lines={8} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
