/** Where something is on the screen, in device-independent pixels. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A line of a menu. */
export type MenuItem =
  | { kind: 'line' }
  | { kind: 'label'; label: string }
  | { kind: 'action'; label: string; run: () => void; isEnabled?: boolean; shortcut?: string }
  | { kind: 'switch'; label: string; isOn: boolean; run: () => void }
  | { kind: 'menu'; label: string; items: readonly MenuItem[] };

export interface TrayIcon {
  /** A picture of `app/electron/icons`, by its name without size and ending; on a Mac it is tinted by the system. */
  show(picture: string, tip: string): void;
  setMenu(items: readonly MenuItem[]): void;
  /** Where the icon is; undefined where the system does not say. */
  bounds(): Rectangle | undefined;
}

/** How a window is made; what is not named here is what Electron takes by itself. */
export interface WindowSpec {
  title: string;
  width: number;
  height: number;
  minWidth?: number;
  minHeight?: number;
  frame: boolean;
  resizable: boolean;
  alwaysOnTop: boolean;
  skipTaskbar: boolean;
  backgroundColor: string;
  webPreferences: SafePreferences;
}

/** The preferences that lock a page down; each is named, so that no default of another Electron version can loosen it. */
export interface SafePreferences {
  sandbox: true;
  contextIsolation: true;
  nodeIntegration: false;
  nodeIntegrationInWorker: false;
  nodeIntegrationInSubFrames: false;
  webSecurity: true;
  allowRunningInsecureContent: false;
  experimentalFeatures: false;
  webviewTag: false;
  navigateOnDragDrop: false;
  spellcheck: boolean;
  devTools: boolean;
}

export interface DesktopWindow {
  load(address: string): void;
  show(): void;
  hide(): void;
  isVisible(): boolean;
  place(at: { x: number; y: number }): void;
  /** Lets a page that is shown anew begin with an empty field. */
  reload(): void;
  /** The window is asked to close; true keeps it, hidden or not. */
  onClose(keep: () => boolean): void;
  onBlur(run: () => void): void;
  /** Its page went away: it crashed, or hung. */
  onGone(run: () => void): void;
  destroy(): void;
}

/** What every window obeys, whoever opened it. */
export interface Rules {
  mayNavigate(address: string): boolean;
  /** A page wants another window; none is opened by itself. */
  wantsWindow(address: string): void;
  mayUse(permission: string, address: string): boolean;
}

export interface DesktopNotice {
  title: string;
  body: string;
  run: () => void;
}

export interface DialogQuestion {
  kind: 'question' | 'warning' | 'error';
  title: string;
  detail: string;
  /** The first is what Enter chooses, the last what closing the window does. */
  buttons: readonly [string, ...string[]];
}

/** What the desktop gives: Electron in the product, `testing/fake-desktop.ts` in tests. */
export interface Desktop {
  platform: NodeJS.Platform;
  version: string;
  /** Whether it runs from an installed bundle. */
  isPackaged: boolean;
  tray(onClick: () => void): TrayIcon;
  window(spec: WindowSpec): DesktopWindow;
  guard(rules: Rules): void;
  /** Answers every request of `app:` addresses. */
  answer(handler: (request: Request) => Promise<Response>): void;
  /** The part of the screen that windows may take, around a point or the pointer. */
  workArea(around?: { x: number; y: number }): Rectangle;
  notify(notice: DesktopNotice): void;
  ask(question: DialogQuestion): Promise<number>;
  openExternal(address: string): void;
  openFolder(folder: string): void;
  copy(text: string): void;
  /** False where another program has the keys. */
  bindShortcut(keys: string, run: () => void): boolean;
  unbindShortcuts(): void;
  /** Makes the system hand `reverie:` addresses to this program. */
  claimLinks(): void;
  setLogin(isOn: boolean): void;
  isOnBattery(): boolean;
  onPowerChange(run: () => void): void;
  isDark(): boolean;
  onThemeChange(run: () => void): void;
  quit(): void;
}
