import { useNavigate } from '@tanstack/react-router';
import { MAY_SEE } from './features/models/may-see.ts';
import { allows, session } from './platform/session.ts';
import { useStore } from './platform/store.ts';
import { chooseTheme, theme } from './platform/theme.ts';
import { signOut } from './sign-out.ts';
import { Menu, MenuChoice, MenuItem, MenuLine } from './ui/Menu.tsx';
import { views } from './views.ts';

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export interface PageMenuProps {
  onFind: () => void;
  onHelp: () => void;
  onClear: () => void;
  /** The namespace whose settings are here. */
  namespace: string | undefined;
}

/** Fetched when its button is pressed, so that it opens at once: every view, how the page looks, and what is done seldom. */
export default function PageMenu({ onFind, onHelp, onClear, namespace }: PageMenuProps) {
  const navigate = useNavigate();
  const chosenTheme = useStore(theme);
  const now = useStore(session);
  return (
    <Menu icon="gear" label="Menu" isOpenAtFirst>
      <MenuItem icon="search" shortcut="Ctrl K" onSelect={onFind}>
        Find anything
      </MenuItem>
      {views
        .filter(({ scope }) => allows(now, scope))
        .map(({ to, letter, icon, label }) => (
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
      {allows(now, 'owner') && namespace !== undefined && (
        <MenuItem onSelect={() => void navigate({ to: '/models', hash: MAY_SEE })}>
          Which models may see it…
        </MenuItem>
      )}
      {allows(now, 'write') && namespace !== undefined && (
        <MenuItem icon="trash" danger onSelect={onClear}>
          Clear this namespace…
        </MenuItem>
      )}
      <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}
