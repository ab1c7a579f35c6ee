import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { PAGE_POLICY } from '@reverie/shared/http/page-policy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isHeld } from '../../daemon/src/platform/home/lock.ts';
import { readDaemonFile } from '../../daemon/src/platform/home/daemon-file.ts';
import { homeAt } from '../../daemon/src/platform/home/home.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const home = homeAt(path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-binding-')), 'home'));

let child: ChildProcess;
const said: unknown[][] = [];

/** The bundled main process under Node, with a stand-in for Electron's module: what it was asked for is in `said`. */
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [path.join(ROOT, 'scripts/build-desktop.ts')], { cwd: ROOT });
  const stub = path.join(import.meta.dirname, 'testing/stub-electron.cjs');
  child = spawn(process.execPath, ['--require', stub, path.join(ROOT, 'dist/desktop/main.cjs'), '--hidden'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      REVERIE_REPOSITORY: ROOT,
      REVERIE_HOME: home.folder,
      REVERIE_PORT: '0',
      REVERIE_LOG_LEVEL: 'silent',
      XDG_CONFIG_HOME: path.dirname(home.folder),
    },
  });
  if (!child.stdout) throw new Error('There is no output');
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line) as unknown[]));
  await waitUntil(() => said.some(([what, tip]) => what === 'tip' && tip === 'Reverie: All saved'));
});

afterAll(() => {
  child.kill('SIGKILL');
  const daemon = readDaemonFile(home);
  if (daemon && isHeld(home)) process.kill(daemon.pid, 'SIGKILL');
  fs.rmSync(path.dirname(home.folder), { recursive: true, force: true });
});

async function waitUntil(holds: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > end)
      throw new Error(`It was not said in: ${JSON.stringify(said).slice(0, 4000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const ask = (...command: string[]) => child.stdin?.write(`${JSON.stringify(command)}\n`);
async function answerTo(command: readonly string[], what: string): Promise<unknown[]> {
  const from = said.length;
  ask(...command);
  await waitUntil(() => said.slice(from).some(([name]) => name === what));
  return said.slice(from).find(([name]) => name === what) ?? [];
}

// Told in order: it is one process, which quits in the end.
describe('the bundled main process', { shuffle: false }, () => {
  test('the process prepares its scheme before it is ready, and every renderer is sandboxed', () => {
    expect(said.find(([what]) => what === 'schemes')).toEqual([
      'schemes',
      [
        {
          scheme: 'app',
          privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
        },
      ],
    ]);
    const order = said.map(([what]) => what);
    expect(order.indexOf('schemes')).toBeLessThan(order.indexOf('handles'));
    expect(order).toContain('enableSandbox');
    expect(order).not.toContain('no picture');
    // Started at login it shows no window.
    expect(order).not.toContain('window');
  });

  test('the menu opens a window of ours, which the scheme answers', async () => {
    const loaded = await answerTo(['choose', 'Open Reverie'], 'loaded');
    expect(loaded).toEqual(['loaded', 200, PAGE_POLICY]);
    expect(said.find(([what]) => what === 'load')).toEqual(['load', 'app://reverie/']);
    const [, options] = said.find(([what]) => what === 'window') ?? [];
    expect(options).toMatchObject({
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
    });
    expect(JSON.stringify(options)).not.toContain('preload');
  });

  test('the guards are bound to every way out of a page', async () => {
    for (const [url, goes] of [
      ['app://reverie/memories', 'goes'],
      ['http://127.0.0.1:7337/', 'stopped'],
      ['file:///etc/passwd', 'stopped'],
    ] as const) {
      await answerTo(['navigate', url], 'will-redirect');
      for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect'])
        expect(said.findLast(([what]) => what === name)).toEqual([name, url, goes]);
    }
    expect(await answerTo(['open', 'https://example.com/'], 'opened')).toEqual([
      'opened',
      'https://example.com/',
      { action: 'deny' },
    ]);
    expect(said.filter(([what]) => what === 'browser')).toEqual([['browser', 'https://example.com/']]);
    await answerTo(['open', 'file:///etc/passwd'], 'opened');
    expect(said.filter(([what]) => what === 'browser')).toHaveLength(1);
    expect(await answerTo(['webview'], 'webview')).toEqual(['webview', 'stopped']);
    expect(await answerTo(['permission', 'media'], 'permission')).toEqual(['permission', 'media', false]);
    expect(said.findLast(([what]) => what === 'check')).toEqual(['check', 'media', false]);
    expect(said.findLast(([what]) => what === 'device')).toEqual(['device', false]);
    expect(await answerTo(['permission', 'clipboard-sanitized-write'], 'permission')).toEqual([
      'permission',
      'clipboard-sanitized-write',
      true,
    ]);
  });

  test('a second start shows the window, one with a link asks first, and closing keeps it', async () => {
    await answerTo(['second', 'reverie'], 'show');
    const [, asked] = await answerTo(['second', 'reverie', 'reverie://memory?key=tea'], 'asked');
    expect(asked).toMatchObject({ buttons: ['Open it', 'Cancel'], cancelId: 1, defaultId: 1 });
    expect(await answerTo(['close'], 'closed')).toEqual(['closed', 'kept']);
    await answerTo(['choose', 'Quick add …'], 'position');
  });

  test('quitting ends the process and leaves the daemon', async () => {
    const ended = once(child, 'exit');
    ask('quit');
    expect(await ended).toEqual([0, null]);
    expect(isHeld(home)).toBe(true);
  });
});
