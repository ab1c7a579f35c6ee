import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSettings } from '../settings/settings.ts';
import { fakeDesktop } from '../testing/fake-desktop.ts';
import { startAtLogin } from './login.ts';
import { watchPower, whyHeld } from './power.ts';
import { bindQuick } from './quick-shortcut.ts';
import { watchUpdates } from './updates.ts';

let folder: string;
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-system-'))));
afterEach(() => fs.rmSync(folder, { recursive: true }));
const never = () => () => undefined;

describe('power', () => {
  test('dreams wait on battery below the share that was set, and nowhere else', () => {
    expect(whyHeld({ isOnBattery: true, percent: 39 }, 40)).toBe('on battery, 39 %');
    expect(whyHeld({ isOnBattery: true, percent: 40 }, 40)).toBeUndefined();
    expect(whyHeld({ isOnBattery: false, percent: 5 }, 40)).toBeUndefined();
    expect(whyHeld({ isOnBattery: true, percent: undefined }, 40)).toBeUndefined();
    expect(whyHeld({ isOnBattery: true, percent: 5 }, 0)).toBeUndefined();
  });

  test('the daemon is told as long as it lasts, and when it ends', async () => {
    const desktop = fakeDesktop();
    const held: unknown[] = [];
    let changes = 0;
    const power = watchPower({
      desktop,
      battery: async () => 31,
      floor: () => 40,
      every: never,
      hold: async (...args) => void held.push(args),
      changed: () => (changes += 1),
    });
    await power.look();
    desktop.battery = true;
    await power.look();
    await power.look();
    expect([power.held(), changes]).toEqual(['on battery, 31 %', 1]);
    desktop.battery = false;
    await power.look();
    await power.look();
    expect(held).toEqual([
      [300, 'on battery, 31 %'],
      [300, 'on battery, 31 %'],
      [0, ''],
    ]);
  });
});

describe('start at login', () => {
  const env = () => ({ XDG_CONFIG_HOME: folder });
  const entry = () => path.join(folder, 'autostart/reverie.desktop');

  test('is a file on Linux, for the AppImage where it is one', () => {
    const desktop = fakeDesktop('linux');
    startAtLogin({ desktop, env: env(), program: '/opt/Reverie/reverie' }, true);
    expect(fs.readFileSync(entry(), 'utf8')).toContain('Exec="/opt/Reverie/reverie" --hidden\n');
    startAtLogin({ desktop, env: { ...env(), APPIMAGE: '/home/a b/50%"$x.AppImage' }, program: '/x' }, true);
    expect(fs.readFileSync(entry(), 'utf8')).toContain(
      'Exec="/home/a b/50%%\\\\"\\\\$x.AppImage" --hidden\n',
    );
    startAtLogin({ desktop, env: env(), program: '/x' }, false);
    startAtLogin({ desktop, env: env(), program: '/x' }, false);
    expect(fs.existsSync(entry())).toBe(false);
  });

  test('is asked of the system elsewhere', () => {
    const desktop = fakeDesktop('darwin');
    startAtLogin({ desktop, env: env(), program: '/x' }, true);
    expect([desktop.logins, fs.existsSync(entry())]).toEqual([[true], false]);
  });
});

describe('the keys of the quick field', () => {
  test('can be changed and taken away, and are told of where another program has them', () => {
    const desktop = fakeDesktop();
    let opened = 0;
    const deps = { desktop, open: () => (opened += 1), choose: () => undefined };
    bindQuick(deps, 'Alt+Space');
    desktop.shortcuts.get('Alt+Space')?.();
    bindQuick(deps, 'CommandOrControl+Shift+Space');
    expect([[...desktop.shortcuts.keys()], opened]).toEqual([['CommandOrControl+Shift+Space'], 1]);
    bindQuick(deps, null);
    expect(desktop.shortcuts.size).toBe(0);
    desktop.taken.add('Alt+Space');
    bindQuick(deps, 'Alt+Space');
    expect(desktop.notices.map(({ title }) => title)).toEqual(['The quick field has no keys']);
  });

  test('that nobody can press are told of, too', () => {
    const desktop = fakeDesktop();
    desktop.bindShortcut = () => {
      throw new TypeError('conversion failure');
    };
    bindQuick({ desktop, open: () => undefined, choose: () => undefined }, 'Nonsense');
    expect(desktop.notices).toHaveLength(1);
  });
});

describe('updates', () => {
  const watch = (address: string | null, found: () => Promise<{ version: string } | undefined>) => {
    const asked: string[] = [];
    let installed = 0;
    const updates = watchUpdates({
      feed: {
        fetch: async (feed) => {
          asked.push(feed);
          return found();
        },
        install: () => (installed += 1),
      },
      address: () => address,
      every: never,
      changed: () => undefined,
    });
    return { updates, asked, installs: () => installed };
  };

  test('are never asked for where no feed is set', async () => {
    const { updates, asked } = watch(null, async () => ({ version: '2.0.0' }));
    await updates.check();
    updates.chosen();
    expect([asked, updates.words()]).toEqual([[], undefined]);
  });

  test('are fetched, and installed when a person says so', async () => {
    const { updates, asked, installs } = watch('https://example.com/feed', async () => ({
      version: '2.0.0',
    }));
    await updates.check();
    expect([asked, updates.words(), installs()]).toEqual([
      ['https://example.com/feed'],
      'Restart for version 2.0.0',
      0,
    ]);
    updates.chosen();
    expect(installs()).toBe(1);
  });

  test('that fail are told of, and tried again', async () => {
    const { updates, asked } = watch('https://example.com/feed', async () => Promise.reject(new Error('no')));
    await updates.check();
    expect(updates.words()).toBe('The update failed; try again');
    updates.chosen();
    await expect.poll(() => asked.length).toBe(2);
  });
});

describe('the settings', () => {
  test('are kept, and what is wrong in them is as it comes', () => {
    const settings = openSettings({ folder });
    expect(settings.get()).toMatchObject({ keep_running: true, update_feed: null, dream_battery: 40 });
    settings.change({ keep_running: false });
    const file = path.join(folder, 'desktop.json');
    expect(fs.statSync(file).mode & 0o077).toBe(0);
    expect(openSettings({ folder }).get().keep_running).toBe(false);
    fs.writeFileSync(
      file,
      '{"keep_running": "maybe", "dream_battery": 30, "update_feed": "http://plain.example"}',
    );
    expect(openSettings({ folder }).get()).toMatchObject({
      keep_running: true,
      dream_battery: 30,
      update_feed: null,
    });
  });

  test.each(['{', '[]', 'null', '"x"'])('that are damaged (%s) are put aside, and the app starts', (text) => {
    fs.writeFileSync(path.join(folder, 'desktop.json'), text);
    expect(openSettings({ folder }).get().keep_running).toBe(true);
    expect(fs.readFileSync(path.join(folder, 'desktop.json.damaged'), 'utf8')).toBe(text);
  });
});
