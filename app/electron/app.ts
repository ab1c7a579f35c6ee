import { EventEmitter } from 'node:events';
import { holdDreams } from '@reverie/shared/contract/dreams/dream-hold';
import { cancelDream, startDream } from '@reverie/shared/contract/dreams/dreams';
import { pauseSync } from '@reverie/shared/contract/sync/sync';
import { readPrivateFile, type Home } from '../../daemon/src/platform/home/home.ts';
import { answerPages } from './bridge/app-protocol.ts';
import { createKeeping } from './daemon/keeping.ts';
import { linkDaemon } from './daemon/link.ts';
import type { DaemonState } from './daemon/state.ts';
import { supervise } from './daemon/supervisor.ts';
import { createTroubleDialog } from './daemon/trouble-dialog.ts';
import type { Desktop } from './desktop.ts';
import { followLink } from './links/following.ts';
import { type NoticeText, tellingOfDowntime, tellingOfEvent, tellingsOfFacts } from './notices/notices.ts';
import type { BundledParts } from './parts.ts';
import { openSettings } from './settings/settings.ts';
import { startAtLogin } from './system/login.ts';
import { type ReadBattery, watchPower } from './system/power.ts';
import { bindQuick } from './system/quick-shortcut.ts';
import { type UpdateFeed, watchUpdates } from './system/updates.ts';
import { drawTray } from './tray/drawing.ts';
import { agentKeys } from './tray/keys.ts';
import type { Actions } from './tray/menu.ts';
import type { Timers } from './system/timers.ts';
import { rulesOf } from './windows/rules.ts';
import { createWindows } from './windows/windows.ts';

export interface AppDeps {
  desktop: Desktop;
  home: Home;
  env: NodeJS.ProcessEnv;
  parts: BundledParts;
  feed: UpdateFeed;
  battery: ReadBattery;
  timers: Timers;
}

/** The running app, for the process around it. */
export interface App {
  /** Opens a `reverie:` link, or the main window where none is named. */
  open(link?: string): void;
  state(): DaemonState;
  /** Ends everything; the daemon runs on or stops, as the person chose. */
  quit(): Promise<void>;
}

/** Joins the parts of the app: the tray, the windows, the daemon and what the system tells. */
export function startApp(deps: AppDeps): App {
  const { desktop, home, env, timers } = deps;
  const { program, page } = deps.parts;
  const settings = openSettings(home);
  const link = linkDaemon(home, env);
  const { client } = link;
  const keeping = createKeeping({ program, home, env, version: desktop.version, link });
  const windows = createWindows(desktop);
  /** Told whenever icon and menu may be others. */
  const changes = new EventEmitter();
  const changed = () => void changes.emit('changed');

  desktop.answer(answerPages({ folder: page, lines: link.lines, ticket: link.ticket }));
  desktop.guard(rulesOf({ desktop, open: windows.openMain }));
  // On Linux a click opens the menu, and nothing says where the icon is.
  const icon = desktop.tray(() =>
    desktop.platform === 'linux' ? windows.openMain() : windows.toggleTray(icon.bounds()),
  );

  const tell = ({ kind, title, body, place }: NoticeText) => {
    if (settings.get().notify[kind]) desktop.notify({ title, body, run: () => windows.openMain(place) });
  };
  /** What a person asked for and did not get. */
  const attempt = (what: string, run: () => Promise<unknown>) =>
    void run().then(changed, (cause: unknown) =>
      desktop.notify({
        title: what,
        body: cause instanceof Error ? cause.message : String(cause),
        run: () => windows.openMain(),
      }),
    );

  const power = watchPower({
    desktop,
    battery: deps.battery,
    floor: () => settings.get().dream_battery,
    async hold(seconds, why) {
      await client(holdDreams, { body: { seconds, why } });
    },
    every: timers.every,
    changed,
  });
  const updates = watchUpdates({
    feed: deps.feed,
    address: () => settings.get().update_feed,
    every: timers.every,
    changed,
  });
  const tellTrouble = createTroubleDialog({
    desktop,
    folder: home.folder,
    useOtherPort: keeping.useOtherPort,
  });
  /** Whether the daemon was ever seen, and since when it is away. */
  let wasSeen = false;
  let lostAt: number | undefined;
  const daemon = supervise({
    look: keeping.look,
    start: keeping.start,
    after: timers.after,
    now: timers.now,
    follow(lost) {
      // Dreams are held by the daemon that was told so; this may be another.
      void power.look().catch(() => undefined);
      return link.follow((event) => {
        const telling = tellingOfEvent(event);
        if (telling) tell(telling);
        changed();
      }, lost);
    },
    tell: (why, retry) => void tellTrouble(why, retry),
    changed(state) {
      if (state.kind === 'running' && lostAt !== undefined) {
        const telling = tellingOfDowntime(timers.now() - lostAt);
        if (telling) tell(telling);
      }
      if (state.kind === 'running') lostAt = undefined;
      else lostAt ??= wasSeen ? timers.now() : undefined;
      changed();
    },
  });
  const actions: Actions = {
    open: windows.openMain,
    quickAdd: windows.toggleQuick,
    dream: (namespace) =>
      attempt('The dream did not begin', () => client(startDream, { body: { namespace } })),
    cancelDream: (id) => attempt('The dream goes on', () => client(cancelDream, { params: { id } })),
    pauseSync: (paused) => attempt('Sync is as it was', () => client(pauseSync, { body: { paused } })),
    copyKey: (file) =>
      attempt('The key was not copied', async () => desktop.copy(readPrivateFile(file) ?? '')),
    change: (change) => settings.change(change),
    showTrouble() {
      const state = daemon.state();
      if (state.kind === 'refused') void tellTrouble(state.why, daemon.retry);
    },
    checkForUpdate: () => updates.chosen(),
    quit: () => desktop.quit(),
  };
  const drawing = drawTray({
    icon,
    client,
    timers,
    actions,
    around: () => ({
      daemon: daemon.state(),
      settings: settings.get(),
      keys: agentKeys(home),
      heldDreams: power.held(),
      update: updates.words(),
    }),
    looked(before, now) {
      wasSeen = true;
      tellingsOfFacts(before, now).forEach(tell);
    },
  });
  changes.on('changed', drawing.soon);

  const useSettings = () => {
    const { quick_shortcut, start_at_login } = settings.get();
    bindQuick({ desktop, open: windows.toggleQuick, choose: () => windows.openMain() }, quick_shortcut);
    const login = { desktop, env, program: process.execPath };
    attempt('Starting at login was not set', async () => startAtLogin(login, start_at_login));
  };
  settings.onChange(useSettings);
  useSettings();
  desktop.onThemeChange(changed);
  desktop.claimLinks();
  void updates.check();

  return {
    open: (address) =>
      address === undefined
        ? windows.openMain()
        : void followLink({ desktop, client, open: windows.openMain }, address),
    state: daemon.state,
    async quit() {
      for (const stop of [drawing.stop, power.stop, updates.stop]) stop();
      daemon.stop();
      windows.letGo();
      desktop.unbindShortcuts();
      link.lines.close();
      if (!settings.get().keep_running) await keeping.stop();
    },
  };
}
