import path from 'node:path';
import * as electron from 'electron';
import type { Desktop, MenuItem, DesktopWindow } from './desktop.ts';

const {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
} = electron;
const { powerMonitor, protocol, screen, session, shell, Tray } = electron;

/** Binds Electron to what the app needs of a desktop; nothing is decided here. Call it once Electron is ready. */
export function electronDesktop({ icons, scheme }: { icons: string; scheme: string }): Desktop {
  const { platform } = process;
  const picture = (name: string) => {
    // A Mac tints what is named a template; elsewhere the panel is dark or light.
    const look = platform === 'darwin' ? 'Template' : nativeTheme.shouldUseDarkColors ? '-dark' : '-light';
    return nativeImage.createFromPath(path.join(icons, `${name}${look}.png`));
  };
  return {
    platform,
    version: app.getVersion(),
    isPackaged: app.isPackaged,
    tray(onClick) {
      const tray = new Tray(picture('dormant'));
      let last = 'dormant';
      tray.on('click', onClick);
      nativeTheme.on('updated', () => tray.setImage(picture(last)));
      return {
        show(name, tip) {
          last = name;
          tray.setImage(picture(name));
          tray.setToolTip(tip);
        },
        setMenu(items) {
          const menu = Menu.buildFromTemplate(items.map(templateOf));
          if (platform === 'linux') return tray.setContextMenu(menu);
          // A menu that is set would open on the left button, too, where the window does.
          tray.removeAllListeners('right-click');
          tray.on('right-click', () => tray.popUpContextMenu(menu));
        },
        bounds: () => (platform === 'linux' ? undefined : tray.getBounds()),
      };
    },
    window: ({ webPreferences, ...spec }) =>
      shownBy(new BrowserWindow({ ...spec, show: false, autoHideMenuBar: true, webPreferences })),
    guard(rules) {
      app.on('web-contents-created', (_event, contents) => {
        contents.on('will-navigate', (event) => rules.mayNavigate(event.url) || event.preventDefault());
        contents.on('will-frame-navigate', (event) => rules.mayNavigate(event.url) || event.preventDefault());
        contents.on('will-redirect', (event) => rules.mayNavigate(event.url) || event.preventDefault());
        contents.on('will-attach-webview', (event) => event.preventDefault());
        contents.setWindowOpenHandler(({ url }) => {
          rules.wantsWindow(url);
          return { action: 'deny' };
        });
        // A page with text that is not kept asks to stay; the person has just asked for another one.
        contents.on('will-prevent-unload', (event) => {
          const buttons = ['Stay', 'Leave without keeping it'];
          if (dialog.showMessageBoxSync({ message: 'A text was not kept yet', buttons }) === 1)
            event.preventDefault();
        });
      });
      const { defaultSession } = session;
      defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
        answer(rules.mayUse(permission, contents.getURL())),
      );
      defaultSession.setPermissionCheckHandler((_contents, permission, origin) =>
        rules.mayUse(permission, origin),
      );
      defaultSession.setDevicePermissionHandler(() => false);
    },
    answer: (handler) => protocol.handle(scheme, handler),
    workArea: (around) => screen.getDisplayNearestPoint(around ?? screen.getCursorScreenPoint()).workArea,
    notify({ title, body, run }) {
      const notice = new Notification({ title, body });
      notice.on('click', run);
      notice.show();
    },
    async ask({ kind, title, detail, buttons }) {
      const box = { type: kind, message: title, detail, buttons: [...buttons], cancelId: buttons.length - 1 };
      return (
        await dialog.showMessageBox({ ...box, defaultId: kind === 'question' ? buttons.length - 1 : 0 })
      ).response;
    },
    openExternal: (address) => void shell.openExternal(address),
    openFolder: (folder) => void shell.openPath(folder),
    copy: (text) => void clipboard.writeText(text),
    bindShortcut: (keys, run) => globalShortcut.register(keys, run),
    unbindShortcuts: () => globalShortcut.unregisterAll(),
    claimLinks: () => void app.setAsDefaultProtocolClient('reverie'),
    setLogin: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, args: ['--hidden'] }),
    isOnBattery: () => powerMonitor.isOnBatteryPower(),
    onPowerChange(run) {
      for (const name of ['on-battery', 'on-ac', 'resume'] as const) powerMonitor.on(name as 'resume', run);
    },
    isDark: () => nativeTheme.shouldUseDarkColors,
    onThemeChange: (run) => void nativeTheme.on('updated', run),
    quit: () => app.quit(),
  };
}

function templateOf(item: MenuItem): Electron.MenuItemConstructorOptions {
  switch (item.kind) {
    case 'line':
      return { type: 'separator' };
    case 'label':
      return { label: item.label, enabled: false };
    case 'action':
      return {
        label: item.label,
        click: item.run,
        enabled: item.isEnabled ?? true,
        // The keys are shown; the global shortcut hears them.
        ...(item.shortcut !== undefined && { accelerator: item.shortcut, registerAccelerator: false }),
      };
    case 'switch':
      return { type: 'checkbox', label: item.label, checked: item.isOn, click: item.run };
    case 'menu':
      return { label: item.label, submenu: item.items.map(templateOf) };
  }
}

function shownBy(window: Electron.BrowserWindow): DesktopWindow {
  return {
    load: (address) => void window.loadURL(address).catch(() => undefined),
    show() {
      window.show();
      window.focus();
    },
    hide: () => window.hide(),
    isVisible: () => window.isVisible(),
    place: ({ x, y }) => window.setPosition(x, y),
    reload: () => window.webContents.reload(),
    onClose: (keep) =>
      void window.on('close', (event) => {
        if (keep()) event.preventDefault();
      }),
    onBlur: (run) => void window.on('blur', run),
    onGone: (run) => void window.webContents.on('render-process-gone', run),
    destroy: () => window.destroy(),
  };
}

/** What the process tells the app that runs in it. */
interface Running {
  /** A link was opened, or the app was started a second time. */
  open(link: string | undefined): void;
  quit(): Promise<void>;
}

interface Life {
  scheme: string;
  linkIn: (args: readonly string[]) => string | undefined;
  /** Called once Electron is ready; `archive` is where the app's own files are. */
  start: (place: { resources: string; archive: string; isPackaged: boolean }) => Running;
}

/** Runs the app in this process: one at a time, with links from every system's own way, and an orderly end. */
export function runElectron({ scheme, linkIn, start }: Life): void {
  if (!app.requestSingleInstanceLock()) return app.quit();
  // Before Electron is ready: such pages have an origin of their own, and may use fetch and modules.
  const privileges = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }]);
  app.enableSandbox();
  let running: Running | undefined;
  let early = linkIn(process.argv);
  app.on('second-instance', (_event, args) => running?.open(linkIn(args)));
  app.on('activate', () => running?.open(undefined));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    if (running) running.open(url);
    else early = url;
  });
  // The tray stays; without this the last window would end the app.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => {
    const ending = running;
    if (!ending) return;
    event.preventDefault();
    running = undefined;
    void ending.quit().finally(() => app.quit());
  });
  void app.whenReady().then(() => {
    if (process.platform === 'darwin') app.dock?.hide();
    const place = { resources: process.resourcesPath, archive: app.getAppPath(), isPackaged: app.isPackaged };
    running = start(place);
    if (early !== undefined) running.open(early);
    else if (!process.argv.includes('--hidden')) running.open(undefined);
  });
}
