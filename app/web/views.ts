import type { Scope } from '@reverie/shared/contract/route';
import type { IconName } from './ui/Icon.tsx';

/** The groups of the sidebar; `settings` stands in the menu of the gear alone. */
export const viewGroups = [
  { group: 'library', label: undefined },
  { group: 'review', label: 'Review' },
  { group: 'connect', label: 'Connect' },
] as const;

/** A view: `g` and the letter goes there; `scope` is what a key has to allow for it. */
export const views = [
  { to: '/', letter: 't', icon: 'today', label: 'Today', scope: 'read', group: 'library' },
  { to: '/memories', letter: 'm', icon: 'note', label: 'Memories', scope: 'read', group: 'library' },
  { to: '/ask', letter: 'a', icon: 'ask', label: 'Ask', scope: 'read', group: 'library' },
  { to: '/map', letter: 'p', icon: 'map', label: 'Map', scope: 'read', group: 'library' },
  { to: '/sessions', letter: 'n', icon: 'session', label: 'Sessions', scope: 'read', group: 'library' },
  { to: '/dreams', letter: 'd', icon: 'moon', label: 'Dreams', scope: 'read', group: 'review' },
  { to: '/inbox', letter: 'i', icon: 'inbox', label: 'Inbox', scope: 'read', group: 'review' },
  { to: '/agents', letter: 'r', icon: 'agent', label: 'Agents', scope: 'read', group: 'connect' },
  { to: '/sync', letter: 's', icon: 'device', label: 'Devices', scope: 'read', group: 'connect' },
  { to: '/folders', letter: 'f', icon: 'folder', label: 'Folders', scope: 'owner', group: 'connect' },
  { to: '/webhooks', letter: 'w', icon: 'hook', label: 'Webhooks', scope: 'owner', group: 'connect' },
  { to: '/events', letter: 'e', icon: 'pulse', label: 'Events', scope: 'read', group: 'connect' },
  { to: '/models', letter: 'o', icon: 'model', label: 'Models', scope: 'owner', group: 'settings' },
  { to: '/keys', letter: 'k', icon: 'key', label: 'API keys', scope: 'owner', group: 'settings' },
  { to: '/accounts', letter: 'c', icon: 'people', label: 'Accounts', scope: 'owner', group: 'settings' },
  { to: '/status', letter: 'h', icon: 'gear', label: 'Status', scope: 'read', group: 'settings' },
] as const satisfies readonly {
  to: string;
  letter: string;
  icon: IconName;
  label: string;
  scope: Scope;
  group: (typeof viewGroups)[number]['group'] | 'settings';
}[];

export type PageView = (typeof views)[number];

/** What a narrow window has at its foot, beside the menu. */
export const tabs = ['/', '/memories', '/ask', '/dreams'] as const satisfies readonly PageView['to'][];
