import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link } from '@tanstack/react-router';
import { MemoriesPage } from './MemoriesPage.tsx';
import { parseSearch, placeOf, stringifySearch } from './platform/place.ts';
import { Shell } from './Shell.tsx';
import { Message } from './ui/Message.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Message icon="search" title="There is no such page">
      <Link to="/">To the memories</Link>
    </Message>
  ),
  errorComponent: ({ error }) => (
    <Message icon="warn" tone="bad" title="The page failed">
      <p>
        {error instanceof Error ? error.message : String(error)}. Reload it; your memories are not touched by
        this.
      </p>
    </Message>
  ),
});

const memories = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: MemoriesPage,
  validateSearch: placeOf,
});

const ask = createRoute({
  getParentRoute: () => root,
  path: '/ask',
  component: lazyRouteComponent(() => import('./AskPage.tsx')),
  validateSearch: placeOf,
});

const dreams = createRoute({
  getParentRoute: () => root,
  path: '/dreams',
  component: lazyRouteComponent(() => import('./DreamsPage.tsx')),
  validateSearch: placeOf,
});

const map = createRoute({
  getParentRoute: () => root,
  path: '/map',
  component: lazyRouteComponent(() => import('./MapPage.tsx')),
  validateSearch: placeOf,
});

const sync = createRoute({
  getParentRoute: () => root,
  path: '/sync',
  component: lazyRouteComponent(() => import('./SyncPage.tsx')),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('./KeysPage.tsx')),
});

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyRouteComponent(() => import('./StatusPage.tsx')),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  component: lazyRouteComponent(() => import('./EventsPage.tsx')),
  validateSearch: placeOf,
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./WebhooksPage.tsx')),
  validateSearch: placeOf,
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./InboxPage.tsx')),
  validateSearch: placeOf,
});

const accounts = createRoute({
  getParentRoute: () => root,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./AccountsPage.tsx')),
  validateSearch: placeOf,
});

export const router = createRouter({
  routeTree: root.addChildren([
    memories,
    ask,
    dreams,
    map,
    events,
    inbox,
    webhooks,
    keys,
    accounts,
    sync,
    status,
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
