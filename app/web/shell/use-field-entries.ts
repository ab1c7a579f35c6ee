import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FieldEntry } from '../features/field/fitting.ts';
import { namespacesQuery } from '../features/namespaces/queries.ts';
import { keepTheme } from '../features/settings/change.ts';
import type { Place } from '../platform/place.ts';
import { allows, session } from '../platform/daemon/session.ts';
import { useStore } from '../platform/store.ts';
import { themes } from '@reverie/shared/contract/system/settings';
import type { Theme } from '../platform/theme.ts';
import { type PageView, views } from '../views.ts';

const THEMES: Readonly<Record<Theme, string>> = {
  system: 'Light or dark as the system',
  light: 'Light',
  dark: 'Dark',
};

interface Going {
  goTo: (to: PageView['to'], search: Place) => void;
  onNamespace: (namespace: string) => void;
  /** Missing where no view stands behind the field. */
  onHelp?: () => void;
}

/** The namespaces, views and actions that the session allows. */
export function useFieldEntries({ goTo, onNamespace, onHelp }: Going): FieldEntry[] {
  const now = useStore(session);
  const queries = useQueryClient();
  const { data: namespaces = [] } = useQuery(namespacesQuery);
  const open = (of: Omit<FieldEntry, 'group' | 'run'>, search: Place): FieldEntry => ({
    ...of,
    group: 'Do',
    run: () => goTo('/memories', search),
  });
  return [
    ...namespaces.map(({ namespace }): FieldEntry => ({
      id: `namespace ${namespace}`,
      group: 'Places',
      icon: 'folder',
      namespace,
      verb: 'Go to',
      label: namespace,
      words: ['namespace'],
      isQuiet: true,
      run: () => onNamespace(namespace),
    })),
    ...views
      .filter(({ scope }) => allows(now, scope))
      .map(({ to, icon, label, letter }): FieldEntry => ({
        id: `view ${to}`,
        group: 'Places',
        icon,
        verb: 'Go to',
        label,
        shortcut: `g ${letter}`,
        run: () => goTo(to, {}),
      })),
    ...(allows(now, 'write')
      ? [
          open(
            { id: 'new', icon: 'plus', label: 'Write a memory', words: ['new', 'add', 'note'] },
            { mode: 'new' },
          ),
        ]
      : []),
    open(
      {
        id: 'daily',
        icon: 'today',
        label: 'Open today’s note',
        shortcut: 'g j',
        words: ['daily', 'journal', 'diary'],
      },
      { day: 'today' },
    ),
    open(
      { id: 'trash', icon: 'trash', label: 'Look into the trash', words: ['deleted', 'restore'] },
      { mode: 'trash' },
    ),
    ...(onHelp
      ? [
          {
            id: 'help',
            group: 'Do' as const,
            icon: 'list' as const,
            label: 'Show the keys of this view',
            words: ['shortcuts', 'keyboard', 'help'],
            run: onHelp,
          },
        ]
      : []),
    ...themes.map((theme): FieldEntry => ({
      id: `theme ${theme}`,
      group: 'Do',
      icon: 'moon',
      label: THEMES[theme],
      words: ['theme', 'appearance', 'colours'],
      run: () => void keepTheme(queries, theme),
    })),
  ];
}
