import type { DreamJob } from '@reverie/shared/contract/dreams/dreams';
import type { MenuItem } from '../desktop.ts';
import type { DesktopSettings, NoticeKind } from '../settings/settings.ts';
import { counted, type KnownDaemon, trayStateOf } from './state.ts';

/** What can be done from the menu. */
export interface Actions {
  /** Shows a place of the page in the main window. */
  open(place: string): void;
  quickAdd(): void;
  dream(namespace: string): void;
  cancelDream(id: string): void;
  pauseSync(paused: boolean): void;
  copyKey(file: string): void;
  change(change: Partial<DesktopSettings>): void;
  showTrouble(): void;
  checkForUpdate(): void;
  quit(): void;
}

/** Everything that the menu is made of. */
export interface MenuFacts extends KnownDaemon {
  settings: DesktopSettings;
  /** Keys that lie in files of this machine, for agents. */
  keys: readonly { name: string; file: string }[];
  /** Why dreams wait, if they do. */
  heldDreams: string | undefined;
  /** What is to be said of an update. */
  update: string | undefined;
}

const MOST_NAMESPACES = 15;
/** What fits into a menu's line. */
const MOST_LETTERS = 70;

export const SHORTCUTS = [
  'CommandOrControl+Shift+Space',
  'CommandOrControl+Alt+Space',
  'Alt+Space',
  'CommandOrControl+Shift+M',
] as const;

const NOTICE_NAMES: Readonly<Record<NoticeKind, string>> = {
  proposals: 'Proposals of dreams',
  deliveries: 'Deliveries that failed',
  invites: 'Invites and devices',
  downtime: 'When Reverie was down',
};

/** The menu of the tray, whole, in every state. */
export function menuOf(facts: MenuFacts, act: Actions): MenuItem[] {
  const { daemon, settings } = facts;
  const known = daemon.kind === 'running' ? facts.facts : undefined;
  const { words } = trayStateOf(facts);
  const isRefused = daemon.kind === 'refused';
  return [
    isRefused
      ? { kind: 'action', label: `${words} …`, run: act.showTrouble }
      : { kind: 'label', label: words },
    ...(facts.update === undefined ? [] : [action(facts.update, act.checkForUpdate)]),
    { kind: 'line' },
    action('Open Reverie', () => act.open('/'), known !== undefined),
    {
      ...action('Quick add …', act.quickAdd, known !== undefined),
      ...(settings.quick_shortcut !== null && { shortcut: settings.quick_shortcut }),
    },
    ...(known
      ? [
          namespaceMenu(known.namespaces, act),
          { kind: 'line' as const },
          action(
            known.proposals === 0 ? 'Nothing to decide' : `${counted(known.proposals, 'proposal')} to decide`,
            () => act.open('/dreams'),
            known.proposals > 0,
          ),
          ...known.waiting.map(({ name }) =>
            action(short(`“${name}” asks to be let in`), () => act.open('/sync')),
          ),
          ...dreamItems(facts, known.namespaces, act),
          eventMenu(known.events, act),
          ...(known.sync.state === 'dormant'
            ? []
            : [switched('Pause sync', known.sync.paused, () => act.pauseSync(!known.sync.paused))]),
          keyMenu(facts.keys, act),
        ]
      : []),
    { kind: 'line' },
    switched('Start at login', settings.start_at_login, () =>
      act.change({ start_at_login: !settings.start_at_login }),
    ),
    settingsMenu(settings, act),
    action('Quit', act.quit),
  ];
}

function action(label: string, run: () => void, isEnabled = true): MenuItem & { kind: 'action' } {
  return { kind: 'action', label, run, isEnabled };
}

function switched(label: string, isOn: boolean, run: () => void): MenuItem {
  return { kind: 'switch', label, isOn, run };
}

/** An ampersand in a menu underlines the letter after it. */
function short(text: string): string {
  const line = text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
  return line.replaceAll('&', '&&');
}

function namespaceMenu(namespaces: readonly { namespace: string; count: number }[], act: Actions): MenuItem {
  const shown = namespaces.slice(0, MOST_NAMESPACES);
  const place = (name: string) => `/memories?${new URLSearchParams({ namespace: name }).toString()}`;
  return {
    kind: 'menu',
    label: `Namespaces (${namespaces.length.toLocaleString('en-GB')})`,
    items: [
      ...shown.map(({ namespace, count }) =>
        action(short(`${namespace} · ${counted(count, 'memory', 'memories')}`), () =>
          act.open(place(namespace)),
        ),
      ),
      ...(shown.length === 0 ? [{ kind: 'label' as const, label: 'No memories yet' }] : []),
      ...(namespaces.length > shown.length ? [action('All of them …', () => act.open(place('*')))] : []),
    ],
  };
}

function dreamItems(
  { facts, heldDreams }: MenuFacts,
  namespaces: readonly { namespace: string }[],
  act: Actions,
): MenuItem[] {
  const dream = facts?.dream;
  if (dream)
    return [
      action(short(progressOf(dream, heldDreams)), () => act.open('/dreams')),
      action('Cancel this dream', () => act.cancelDream(dream.id)),
    ];
  if (namespaces.length === 0) return [action('Dream now', () => undefined, false)];
  const label = heldDreams === undefined ? 'Dream now' : `Dream now (${heldDreams})`;
  const [only] = namespaces;
  if (namespaces.length === 1 && only) return [action(short(label), () => act.dream(only.namespace))];
  return [
    {
      kind: 'menu',
      label: short(label),
      items: namespaces
        .slice(0, MOST_NAMESPACES)
        .map(({ namespace }) => action(short(namespace), () => act.dream(namespace))),
    },
  ];
}

function progressOf(
  { namespace, status, stages, strategies, insights }: DreamJob,
  held: string | undefined,
): string {
  if (status === 'queued') return `A dream of ${namespace} waits${held === undefined ? '' : `: ${held}`}`;
  const running = strategies.find(({ state }) => state === 'running');
  const step = running && running.total > 0 ? ` (${Math.round((100 * running.done) / running.total)} %)` : '';
  const found = insights > 0 ? `, ${insights} found` : '';
  return `Dreaming of ${namespace}: ${stages} of ${strategies.length}${step}${found}`;
}

function eventMenu(events: readonly string[], act: Actions): MenuItem {
  return {
    kind: 'menu',
    label: 'What happened last',
    items: [
      ...events.map((words) => action(short(words), () => act.open('/events'))),
      ...(events.length === 0 ? [{ kind: 'label' as const, label: 'Nothing yet' }] : []),
    ],
  };
}

function keyMenu(keys: MenuFacts['keys'], act: Actions): MenuItem {
  return {
    kind: 'menu',
    label: 'Copy a key for an agent',
    items: [
      ...keys.map(({ name, file }) => action(short(name), () => act.copyKey(file))),
      { kind: 'line' },
      action('Connect agents …', () => act.open('/agents')),
      action('All keys …', () => act.open('/keys')),
    ],
  };
}

function settingsMenu(settings: DesktopSettings, act: Actions): MenuItem {
  const { notify } = settings;
  return {
    kind: 'menu',
    label: 'Settings',
    items: [
      { kind: 'label', label: 'Tell me of' },
      ...(Object.keys(NOTICE_NAMES) as NoticeKind[]).map((kind) =>
        switched(NOTICE_NAMES[kind], notify[kind], () =>
          act.change({ notify: { ...notify, [kind]: !notify[kind] } }),
        ),
      ),
      { kind: 'line' },
      {
        kind: 'menu',
        label: 'Keys for the quick field',
        items: [
          ...SHORTCUTS.map((keys) =>
            switched(readable(keys), settings.quick_shortcut === keys, () =>
              act.change({ quick_shortcut: keys }),
            ),
          ),
          switched('None', settings.quick_shortcut === null, () => act.change({ quick_shortcut: null })),
        ],
      },
      switched('Keep memory running after quitting', settings.keep_running, () =>
        act.change({ keep_running: !settings.keep_running }),
      ),
      switched('No dreams on battery below 40 %', settings.dream_battery > 0, () =>
        act.change({ dream_battery: settings.dream_battery > 0 ? 0 : 40 }),
      ),
    ],
  };
}

function readable(keys: string): string {
  return keys.replace('CommandOrControl', 'Ctrl/Cmd').replaceAll('+', ' + ');
}
