import type { Scope } from '@reverie/shared/contract/route';
import type { IconName } from './ui/Icon.tsx';

/**
 * A view: `g` and the letter goes there; `scope` is what a key has to allow for it. Views of a `room` stand beside each other in the
 * room's own navigation, and the room alone in the sidebar; `tab` is what a view is called there, where that is something else.
 */
export const views = [
  { to: '/', letter: 't', icon: 'today', label: 'Today', scope: 'read' },
  { to: '/memories', letter: 'm', icon: 'note', label: 'Memories', scope: 'read' },
  { to: '/ask', letter: 'a', icon: 'ask', label: 'Ask', scope: 'read' },
  { to: '/sessions', letter: 'n', icon: 'session', label: 'Sessions', scope: 'read' },
  { to: '/map', letter: 'p', icon: 'map', label: 'Map', scope: 'read' },
  { to: '/dreams', letter: 'd', icon: 'moon', label: 'Dreams', scope: 'read', room: 'review' },
  { to: '/inbox', letter: 'i', icon: 'inbox', label: 'Inbox', scope: 'read', room: 'review' },
  {
    to: '/connections',
    letter: 'l',
    icon: 'connections',
    label: 'Connections',
    scope: 'read',
    room: 'connections',
    tab: 'Overview',
  },
  { to: '/agents', letter: 'r', icon: 'agent', label: 'Agents', scope: 'read', room: 'connections' },
  { to: '/sync', letter: 's', icon: 'device', label: 'Devices', scope: 'read', room: 'connections' },
  { to: '/folders', letter: 'f', icon: 'folder', label: 'Folders', scope: 'owner', room: 'connections' },
  { to: '/models', letter: 'o', icon: 'model', label: 'Models', scope: 'owner', room: 'connections' },
  { to: '/webhooks', letter: 'w', icon: 'hook', label: 'Webhooks', scope: 'owner', room: 'connections' },
  { to: '/events', letter: 'e', icon: 'pulse', label: 'Events', scope: 'read', room: 'connections' },
  { to: '/keys', letter: 'k', icon: 'key', label: 'API keys', scope: 'owner', room: 'connections' },
  { to: '/accounts', letter: 'c', icon: 'people', label: 'Accounts', scope: 'owner', room: 'connections' },
  { to: '/settings', letter: ',', icon: 'gear', label: 'Settings', scope: 'read', room: 'settings' },
  {
    to: '/status',
    letter: 'h',
    icon: 'pulse',
    label: 'Status',
    scope: 'read',
    room: 'settings',
    tab: 'How it is doing',
  },
] as const satisfies readonly {
  to: string;
  letter: string;
  icon: IconName;
  label: string;
  scope: Scope;
  room?: Room;
  tab?: string;
}[];

export type PageView = (typeof views)[number];
export type Room = 'review' | 'connections' | 'settings';

/** The views of a room, in the order in which they stand beside each other. */
export function viewsOf(room: Room): PageView[] {
  return views.filter((view) => 'room' in view && view.room === room);
}

/** The room that an address is in; undefined where it is in none. */
export function roomAt(pathname: string): Room | undefined {
  const view = views.find(({ to }) => to === pathname);
  return view && 'room' in view ? view.room : undefined;
}

interface Place {
  to: PageView['to'];
  icon: IconName;
  label: string;
  room?: Room;
}

/** What the sidebar has. */
export const places: readonly Place[] = [
  { to: '/', icon: 'today', label: 'Today' },
  { to: '/memories', icon: 'note', label: 'Memories' },
  { to: '/ask', icon: 'ask', label: 'Ask' },
  { to: '/sessions', icon: 'session', label: 'Sessions' },
  { to: '/dreams', icon: 'moon', label: 'Review', room: 'review' },
  { to: '/connections', icon: 'connections', label: 'Connections', room: 'connections' },
];

/** What a narrow window has at its foot, beside the field, which asks, too, and the menu, which has the rest. */
export const tabs: readonly Place[] = places.filter(({ label }) =>
  ['Today', 'Memories', 'Review'].includes(label),
);

/** Whether an address is within a place, so that it is marked there. */
export function isWithin({ to, room }: Place, pathname: string): boolean {
  if (room !== undefined) return roomAt(pathname) === room;
  return pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
}
