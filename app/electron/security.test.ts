import fs from 'node:fs';
import path from 'node:path';
import { PAGE_POLICY } from '@reverie/shared/http/page-policy';
import { describe, expect, test } from 'vitest';
import { FUSES } from '../../scripts/desktop/fuses.cjs';
import { isOwnPage } from './bridge/address.ts';
import { specOf, windowKinds } from './windows/specs.ts';

/** Every source of the main process, tests and stand-ins left out. */
const sources = fs
  .readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'))
  .map((name) => ({ name, text: fs.readFileSync(path.join(import.meta.dirname, name), 'utf8') }));
const binding = sources.find(({ name }) => name === 'electron.ts')?.text ?? '';
const preferences = windowKinds.map(
  (kind) => specOf(kind, { isDark: false, isPackaged: true }).webPreferences,
);
const nowhere = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

// Electron's list, item by item: https://www.electronjs.org/docs/latest/tutorial/security
describe("Electron's security checklist", () => {
  test('1. only secure content is loaded: windows begin at app://reverie, and go nowhere else', () => {
    expect(nowhere(/\.loadURL\(|\.loadFile\(/)).toEqual(['electron.ts']);
    expect(nowhere(/\.load\((?!PAGES)/)).toEqual([]);
    expect(isOwnPage('http://127.0.0.1:7337/')).toBe(false);
  });

  test('2. to 8. a page has no Node, an own context, a sandbox, and the security of the web', () => {
    for (const given of preferences)
      expect(given).toEqual({
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        contextIsolation: true,
        sandbox: true,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
        devTools: false,
      });
    expect(binding).toContain('app.enableSandbox()');
    // And no Blink feature is turned on (10.), nor a switch of Chromium that would.
    expect(nowhere(/enableBlinkFeatures|appendSwitch|appendArgument/)).toEqual([]);
  });

  test('5. permissions are asked for in vain', () => {
    for (const handler of [
      'setPermissionRequestHandler',
      'setPermissionCheckHandler',
      'setDevicePermissionHandler',
    ])
      expect(binding).toContain(handler);
  });

  test('7. a policy stands on every page, the same that the daemon gives it', () => {
    expect(PAGE_POLICY).toContain("default-src 'none'");
    expect(PAGE_POLICY).not.toMatch(/unsafe|\*|http/);
  });

  test('11. and 12. there is no <webview>, and none can be attached', () =>
    expect(binding).toMatch(/will-attach-webview', \(event\) => event\.preventDefault\(\)/));

  test('13. navigation is limited, by link, by script, by frame and by redirect', () => {
    for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect'])
      expect(binding).toContain(`'${name}'`);
  });

  test('14. and 15. no window opens by itself, and the browser gets http and https alone', () => {
    expect(binding).toContain("action: 'deny'");
    expect(nowhere(/shell\.openExternal/)).toEqual(['electron.ts']);
  });

  test('16. Electron is of this year', () => {
    const { devDependencies } = JSON.parse(
      fs.readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
    ) as { devDependencies: Record<string, string> };
    expect(Number(/\d+/.exec(devDependencies['electron'] ?? '')?.[0])).toBeGreaterThanOrEqual(45);
  });

  test('17. and 20. no message of a page reaches Electron: there is no preload, no IPC, and nothing of Electron in a page', () =>
    expect(nowhere(/ipcMain|ipcRenderer|contextBridge|preload|MessageChannelMain/)).toEqual([]));

  test('18. pages come by a scheme of their own, never by file:', () => {
    expect(nowhere(/file:\/\//)).toEqual([]);
    expect(nowhere(/bypassCSP|corsEnabled|allowServiceWorkers/)).toEqual([]);
  });

  test('19. the fuses are as they are decided', () =>
    expect(FUSES).toEqual({
      RunAsNode: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      GrantFileProtocolExtraPrivileges: false,
      LoadBrowserProcessSpecificV8Snapshot: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      EnableCookieEncryption: true,
      WasmTrapHandlers: true,
    }));

  test('what a page could ask of the main process is what its address says: one file knows Electron', () => {
    expect(nowhere(/from 'electron'/)).toEqual(['electron.ts']);
    expect(nowhere(/executeJavaScript|insertCSS|debugger\.attach/)).toEqual([]);
  });
});
