import { beforeEach, describe, expect, test } from 'vitest';
import { type FakeDesktop, fakeDesktop } from '../testing/fake-desktop.ts';
import { atTray, inSight } from './placing.ts';
import { rulesOf, whereTo } from './rules.ts';
import { createWindows, type Windows } from './windows.ts';

let desktop: FakeDesktop;
let windows: Windows;
beforeEach(() => {
  desktop = fakeDesktop('darwin');
  windows = createWindows(desktop);
});

describe('a page', () => {
  test.each([
    ['app://reverie/', true],
    ['app://reverie/memories?namespace=a#x', true],
    ['app://reverie.example/', false],
    ['app://reverie@evil.example/', false],
    ['app://evil@reverie/', false],
    ['app://reverie:8080/', false],
    ['http://reverie/', false],
    ['http://127.0.0.1:7337/', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['about:blank', false],
    ['', false],
  ])('may go to %s: %s', (address, isAllowed) => {
    expect(rulesOf({ desktop, open: () => undefined }).mayNavigate(address)).toBe(isAllowed);
  });

  test('opens the web in the browser, our pages in the main window, and nothing else', () => {
    const opened: string[] = [];
    const { wantsWindow } = rulesOf({ desktop, open: (place) => opened.push(place) });
    for (const address of [
      'https://example.com/a?b#c',
      'http://example.com/',
      'app://reverie/memories?key=a#b',
      'file:///bin/sh',
      'smb://host/share',
      'javascript:alert(1)',
      'ms-msdt:/id',
      'reverie://join?invite=x',
      'app://other/',
    ])
      wantsWindow(address);
    expect(desktop.opened).toEqual(['https://example.com/a?b#c', 'http://example.com/']);
    expect(opened).toEqual(['/memories?key=a#b']);
    expect(whereTo('no address')).toEqual({ kind: 'nowhere' });
  });

  test('is given no permission but to copy', () => {
    const { mayUse } = rulesOf({ desktop, open: () => undefined });
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'hid',
      'openExternal',
      'fullscreen',
    ])
      expect([permission, mayUse(permission, 'app://reverie/')]).toEqual([permission, false]);
    expect(mayUse('clipboard-sanitized-write', 'app://reverie/')).toBe(true);
    expect(mayUse('clipboard-sanitized-write', 'https://example.com/')).toBe(false);
  });
});

describe('the main window', () => {
  test('is made once, shows the place that is asked for, and is kept when it is closed', () => {
    windows.openMain();
    windows.openMain('/dreams');
    windows.openMain();
    expect(desktop.windows.map(({ addresses }) => addresses)).toEqual([
      ['app://reverie/', 'app://reverie/dreams'],
    ]);
    const [main] = desktop.windows;
    expect([main?.close(), main?.isVisible()]).toEqual([true, false]);
    windows.letGo();
    expect([main?.close(), main?.isDestroyed]).toEqual([false, true]);
  });

  test('is made anew where its page is gone', () => {
    windows.openMain();
    desktop.windows[0]?.crash();
    windows.openMain('/dreams');
    expect(desktop.windows.map(({ addresses }) => addresses)).toEqual([
      ['app://reverie/'],
      ['app://reverie/dreams'],
    ]);
  });
});

describe('the small windows', () => {
  test('open and close at the icon, and hide when one looks elsewhere', () => {
    const icon = { x: 1500, y: 0, width: 24, height: 24 };
    windows.toggleTray(icon);
    const [tray] = desktop.windows;
    expect([tray?.addresses, tray?.at, tray?.isVisible()]).toEqual([
      ['app://reverie/tray'],
      { x: 1322, y: 32 },
      true,
    ]);
    tray?.blur();
    expect(tray?.isVisible()).toBe(false);
    windows.toggleTray(icon);
    windows.toggleTray(icon);
    expect([desktop.windows.length, tray?.isVisible()]).toEqual([1, false]);
    expect(tray?.spec).toMatchObject({ width: 380, height: 560, frame: false, alwaysOnTop: true });
  });

  test('make place for the main one', () => {
    windows.toggleQuick();
    windows.openMain();
    expect(desktop.windows.map((one) => one.isVisible())).toEqual([false, true]);
  });

  test('begin with an empty field each time', () => {
    for (const _ of [1, 2, 3]) windows.toggleQuick();
    expect([desktop.windows.length, desktop.windows[0]?.reloads]).toEqual([1, 1]);
  });

  test('stand on the screen, wherever the panel is', () => {
    const size = { width: 380, height: 560 };
    const area = { x: 0, y: 0, width: 1920, height: 1040 };
    expect(atTray({ x: 1900, y: 1050, width: 20, height: 30 }, size, area)).toEqual({ x: 1532, y: 472 });
    expect(atTray({ x: 0, y: 0, width: 20, height: 20 }, size, area)).toEqual({ x: 8, y: 28 });
    expect(
      atTray({ x: 10, y: 10, width: 20, height: 20 }, size, { x: 0, y: 0, width: 300, height: 300 }),
    ).toEqual({ x: 8, y: 8 });
    expect(inSight({ width: 620, height: 360 }, { x: 1920, y: 0, width: 1919, height: 1079 })).toEqual({
      x: 2570,
      y: 216,
    });
  });
});
