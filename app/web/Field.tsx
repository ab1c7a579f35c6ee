import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import css from './Field.module.css';
import { FieldView } from './features/field/FieldView.tsx';
import type { FieldEntry } from './features/field/fitting.ts';
import { allows, session } from './platform/session.ts';
import { useStore } from './platform/store.ts';
import { keepTheme } from './features/settings/change.ts';
import { themes, type Theme } from './platform/theme.ts';
import { views } from './views.ts';

const THEMES: Readonly<Record<Theme, string>> = {
  system: 'Light or dark as the system',
  light: 'Light',
  dark: 'Dark',
};

/** The window of the one field, over whatever view one is in. */
export default function Field({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const entries = useEntries(onHelp);
  // A layout effect: it closes while the window is still in the page, which gives the focus back.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    opened?.querySelector<HTMLElement>('[data-first]')?.focus();
    return () => opened?.close();
  }, []);
  const then = (act: () => void) => {
    onClose();
    act();
  };
  return (
    <dialog
      ref={dialog}
      className={css['window']}
      aria-label="Find or ask"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <FieldView
        entries={entries.map((entry) => ({ ...entry, run: () => then(entry.run) }))}
        onOpen={(memory) =>
          then(
            () =>
              void navigate({ to: '/memories', search: { namespace: memory.namespace, key: memory.key } }),
          )
        }
        onAsk={(question) =>
          then(() => void navigate({ to: '/ask', search: { namespace: EVERY_NAMESPACE, q: question } }))
        }
        onSearch={(text) =>
          then(() => void navigate({ to: '/memories', search: { namespace: EVERY_NAMESPACE, q: text } }))
        }
      />
    </dialog>
  );
}

/** The views and actions that the session allows. */
function useEntries(onHelp: () => void): FieldEntry[] {
  const navigate = useNavigate();
  const now = useStore(session);
  const queries = useQueryClient();
  const canWrite = allows(now, 'write');
  return [
    ...views
      .filter(({ scope }) => allows(now, scope))
      .map(({ to, icon, label, letter }) => ({
        id: `view ${to}`,
        group: 'Go to' as const,
        icon,
        label,
        shortcut: `g ${letter}`,
        run: () => void navigate({ to }),
      })),
    ...(canWrite
      ? [
          {
            id: 'new',
            group: 'Do' as const,
            icon: 'plus' as const,
            label: 'Write a memory',
            words: ['new', 'add', 'note'],
            run: () => void navigate({ to: '/memories', search: { mode: 'new' } }),
          },
        ]
      : []),
    {
      id: 'daily',
      group: 'Do',
      icon: 'today',
      label: 'Open today’s note',
      shortcut: 'g j',
      words: ['daily', 'journal', 'diary'],
      run: () => void navigate({ to: '/memories', search: { day: 'today' } }),
    },
    {
      id: 'trash',
      group: 'Do',
      icon: 'trash',
      label: 'Look into the trash',
      words: ['deleted', 'restore'],
      run: () => void navigate({ to: '/memories', search: { mode: 'trash' } }),
    },
    {
      id: 'help',
      group: 'Do',
      icon: 'list',
      label: 'Show the keys of this view',
      words: ['shortcuts', 'keyboard', 'help'],
      run: onHelp,
    },
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      group: 'Do' as const,
      icon: 'moon' as const,
      label: THEMES[theme],
      words: ['theme', 'appearance', 'colours'],
      run: () => void keepTheme(queries, theme),
    })),
  ];
}
