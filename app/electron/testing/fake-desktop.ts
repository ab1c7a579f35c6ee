import type {
  Desktop,
  MenuItem,
  DesktopNotice,
  DialogQuestion,
  Rectangle,
  Rules,
  DesktopWindow,
  WindowSpec,
} from '../desktop.ts';

/** A window that shows nothing and remembers all. */
export interface FakeWindow extends DesktopWindow {
  spec: WindowSpec;
  addresses: string[];
  at: { x: number; y: number } | undefined;
  reloads: number;
  isDestroyed: boolean;
  /** A person closes it; answers whether it is kept. */
  close(): boolean;
  blur(): void;
  crash(): void;
}

/** A desktop that records what it is asked for, and does what a test says. */
export interface FakeDesktop extends Desktop {
  windows: FakeWindow[];
  notices: DesktopNotice[];
  questions: DialogQuestion[];
  opened: string[];
  copied: string[];
  logins: boolean[];
  shown: { picture: string; tip: string }[];
  menu: readonly MenuItem[];
  rules: Rules | undefined;
  handler: ((request: Request) => Promise<Response>) | undefined;
  shortcuts: Map<string, () => void>;
  /** Keys of other programs. */
  taken: Set<string>;
  /** Which button the next questions are answered with. */
  answers: number[];
  battery: boolean;
  dark: boolean;
  iconBounds: Rectangle | undefined;
  hasQuit: boolean;
  clickTray(): void;
  powerChanges(): void;
}

/** Makes a desktop of a platform. */
export function fakeDesktop(platform: NodeJS.Platform = 'linux'): FakeDesktop {
  const powerListeners: (() => void)[] = [];
  let onTray: () => void = () => undefined;
  const fake: FakeDesktop = {
    platform,
    version: '0.1.0',
    isPackaged: true,
    windows: [],
    notices: [],
    questions: [],
    opened: [],
    copied: [],
    logins: [],
    shown: [],
    menu: [],
    rules: undefined,
    handler: undefined,
    answers: [],
    shortcuts: new Map(),
    taken: new Set(),
    battery: false,
    dark: false,
    hasQuit: false,
    iconBounds: platform === 'linux' ? undefined : { x: 1500, y: 0, width: 24, height: 24 },
    tray(onClick) {
      onTray = onClick;
      return {
        show: (picture, tip) => void fake.shown.push({ picture, tip }),
        setMenu: (items) => (fake.menu = items),
        bounds: () => fake.iconBounds,
      };
    },
    window(spec) {
      const shown = fakeWindow(spec);
      fake.windows.push(shown);
      return shown;
    },
    guard: (rules) => (fake.rules = rules),
    answer: (handler) => (fake.handler = handler),
    workArea: () => ({ x: 0, y: 24, width: 1920, height: 1056 }),
    notify: (notice) => void fake.notices.push(notice),
    ask: async (question) => {
      fake.questions.push(question);
      return fake.answers.shift() ?? question.buttons.length - 1;
    },
    openExternal: (address) => void fake.opened.push(address),
    openFolder: (folder) => void fake.opened.push(folder),
    copy: (text) => void fake.copied.push(text),
    bindShortcut(keys, run) {
      if (fake.taken.has(keys)) return false;
      fake.shortcuts.set(keys, run);
      return true;
    },
    unbindShortcuts: () => fake.shortcuts.clear(),
    claimLinks: () => undefined,
    setLogin: (isOn) => void fake.logins.push(isOn),
    isOnBattery: () => fake.battery,
    onPowerChange: (run) => void powerListeners.push(run),
    isDark: () => fake.dark,
    onThemeChange: () => undefined,
    quit: () => (fake.hasQuit = true),
    clickTray: () => onTray(),
    powerChanges: () => powerListeners.forEach((run) => run()),
  };
  return fake;
}

function fakeWindow(spec: WindowSpec): FakeWindow {
  let isVisible = false;
  let keep: () => boolean = () => false;
  let blurred: () => void = () => undefined;
  let gone: () => void = () => undefined;
  const shown: FakeWindow = {
    spec,
    addresses: [],
    at: undefined,
    reloads: 0,
    isDestroyed: false,
    load: (address) => void shown.addresses.push(address),
    show: () => void (isVisible = true),
    hide: () => void (isVisible = false),
    isVisible: () => isVisible,
    place: (at) => void (shown.at = at),
    reload: () => void (shown.reloads += 1),
    onClose: (run) => void (keep = run),
    onBlur: (run) => void (blurred = run),
    onGone: (run) => void (gone = run),
    destroy: () => void (shown.isDestroyed = true),
    close: () => keep(),
    blur: () => blurred(),
    crash: () => gone(),
  };
  return shown;
}
