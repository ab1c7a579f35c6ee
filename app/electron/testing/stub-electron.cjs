// Stands in for Electron's own module where its binary cannot be had: `node --require stub-electron.cjs main.cjs`. It does nothing, writes what
// it is asked for as lines of JSON on stdout, and takes commands as lines on stdin. It proves that the binding calls what there is.
'use strict';
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const readline = require('node:readline');

const tell = (what, ...args) => process.stdout.write(`${JSON.stringify([what, ...args])}\n`);
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));

const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  getVersion: () => '0.1.0',
  getAppPath: () => process.cwd(),
  requestSingleInstanceLock: () => true,
  enableSandbox: () => tell('enableSandbox'),
  setAsDefaultProtocolClient: (scheme) => tell('claims', scheme),
  setLoginItemSettings: (settings) => tell('login', settings),
  whenReady: () => Promise.resolve(),
  getName: () => 'reverie',
  quit() {
    let isHeld = false;
    app.emit('before-quit', { preventDefault: () => (isHeld = true) });
    if (isHeld) return;
    tell('quit');
    process.exit(0);
  },
});

class WebContents extends EventEmitter {
  url = '';
  getURL() {
    return this.url;
  }
  setWindowOpenHandler(handler) {
    this.handler = handler;
  }
  reload() {
    tell('reload');
  }
}

const windows = [];
class BrowserWindow extends EventEmitter {
  constructor(options) {
    super();
    this.webContents = new WebContents();
    windows.push(this);
    tell('window', plain(options));
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url) {
    this.webContents.url = url;
    tell('load', url);
    const reply = await answer(new Request(url));
    tell('loaded', reply.status, reply.headers.get('content-security-policy'));
  }
  show() {
    this.isShown = true;
    tell('show');
  }
  focus() {}
  hide() {
    this.isShown = false;
  }
  isVisible() {
    return this.isShown === true;
  }
  setPosition(x, y) {
    // As Electron does: it throws for what is no whole number.
    if (!Number.isInteger(x) || !Number.isInteger(y)) throw new TypeError('conversion failure');
    tell('position', x, y);
  }
  destroy() {
    tell('destroy');
  }
}

class Tray extends EventEmitter {
  setImage() {}
  setToolTip(tip) {
    tell('tip', tip);
  }
  setContextMenu(menu) {
    tell('menu', plain(menu.template));
    Tray.menu = menu;
  }
  popUpContextMenu() {}
  getBounds() {
    return { x: 0, y: 0, width: 16, height: 16 };
  }
}

let answer = async () => new Response('', { status: 404 });
const rules = {};
const electron = {
  app,
  BrowserWindow,
  Tray,
  clipboard: { writeText: (text) => tell('copied', text.length) },
  dialog: {
    showMessageBox: async (options) => {
      tell('asked', plain(options));
      return { response: options.cancelId };
    },
    showMessageBoxSync: () => 0,
  },
  globalShortcut: {
    register: (keys) => {
      tell('keys', keys);
      return true;
    },
    unregisterAll() {},
  },
  Menu: { buildFromTemplate: (template) => ({ template }) },
  nativeImage: {
    createFromPath: (file) => {
      if (!require('node:fs').existsSync(file)) tell('no picture', file);
      return {};
    },
  },
  nativeTheme: Object.assign(new EventEmitter(), { shouldUseDarkColors: true }),
  Notification: class extends EventEmitter {
    constructor(options) {
      super();
      this.options = options;
    }
    show() {
      tell('notice', this.options);
    }
  },
  powerMonitor: Object.assign(new EventEmitter(), { isOnBatteryPower: () => false }),
  protocol: {
    registerSchemesAsPrivileged: (schemes) => tell('schemes', schemes),
    handle: (scheme, handler) => {
      tell('handles', scheme);
      answer = handler;
    },
  },
  screen: {
    getCursorScreenPoint: () => ({ x: 0, y: 0 }),
    getDisplayNearestPoint: () => ({ workArea: { x: 0, y: 0, width: 1919, height: 1079 } }),
  },
  session: {
    defaultSession: {
      setPermissionRequestHandler: (handler) => (rules.request = handler),
      setPermissionCheckHandler: (handler) => (rules.check = handler),
      setDevicePermissionHandler: (handler) => (rules.device = handler),
    },
  },
  shell: {
    openExternal: async (url) => tell('browser', url),
    openPath: async (folder) => tell('folder', folder),
  },
  // What electron-updater looks at when it is loaded.
  autoUpdater: new EventEmitter(),
  net: { request() {} },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  return name === 'electron' ? electron : load.call(this, name, ...rest);
};

/** What a test asks of the process, by name. */
const commands = {
  quit: () => app.quit(),
  choose(label) {
    const item = Tray.menu.template.find((one) => one.label === label);
    item.click();
  },
  second: (...args) => app.emit('second-instance', {}, args),
  navigate(url) {
    let isStopped = false;
    const event = { url, preventDefault: () => (isStopped = true) };
    for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
      isStopped = false;
      windows[0].webContents.emit(name, event);
      tell(name, url, isStopped ? 'stopped' : 'goes');
    }
  },
  open: (url) => tell('opened', url, windows[0].webContents.handler({ url })),
  webview() {
    let isStopped = false;
    windows[0].webContents.emit('will-attach-webview', { preventDefault: () => (isStopped = true) });
    tell('webview', isStopped ? 'stopped' : 'goes');
  },
  permission(name) {
    rules.request(windows[0].webContents, name, (isAllowed) => tell('permission', name, isAllowed));
    tell('check', name, rules.check(null, name, 'app://reverie/'));
    tell('device', rules.device({}));
  },
  close() {
    let isKept = false;
    windows[0].emit('close', { preventDefault: () => (isKept = true) });
    tell('closed', isKept ? 'kept' : 'gone');
  },
};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, ...args] = JSON.parse(line);
  commands[name](...args);
});
