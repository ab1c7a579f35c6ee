import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import { signOut } from './sign-out.ts';
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx';
import { views } from '../views.ts';

export interface PageMenuProps {
  /** What opens it. */
  button: ReactElement;
  /** Whether it stands beside a sidebar, which has the views that it would lead to. */
  isWide: boolean;
  onFind: () => void;
  onHelp: () => void;
  onNamespace: (namespace: string) => void;
  /** The namespace that is looked at. */
  namespace: string | undefined;
}

/** The views to which nothing else leads in a narrow window. */
const FURTHER = views.filter(({ to }) =>
  ['/ask', '/sessions', '/connections', '/map', '/settings'].includes(to),
);

/** Fetched when its button is pressed, so that it opens at once: where nothing else leads to, and what is done seldom. */
export default function PageMenu({ button, isWide, namespace, ...act }: PageMenuProps) {
  const navigate = useNavigate();
  const now = useStore(session);
  const hasKeyboard = !matchMedia('(pointer: coarse)').matches;
  return (
    <Menu button={button} isOpenAtFirst>
      {isWide && (
        <MenuItem icon="search" shortcut="Ctrl K" onSelect={act.onFind}>
          Find anything
        </MenuItem>
      )}
      {!isWide &&
        FURTHER.map(({ to, letter, icon, label }) => (
          <MenuItem key={to} icon={icon} shortcut={`g ${letter}`} onSelect={() => void navigate({ to })}>
            {label}
          </MenuItem>
        ))}
      {isWide && (
        <MenuItem icon="map" shortcut="g p" onSelect={() => void navigate({ to: '/map' })}>
          Map
        </MenuItem>
      )}
      {hasKeyboard && (
        <MenuItem icon="list" shortcut="?" onSelect={act.onHelp}>
          Keyboard shortcuts
        </MenuItem>
      )}
      {allows(now, 'owner') && namespace !== undefined && (
        <>
          <MenuLine />
          <MenuItem icon="tag" onSelect={() => act.onNamespace(namespace)}>
            {`About ${namespace}…`}
          </MenuItem>
        </>
      )}
      <MenuLine />
      <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}
