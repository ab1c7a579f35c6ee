import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { connect } from '../../daemon/src/cli/connection.ts';
import { readDaemonFile } from '../../daemon/src/platform/home/daemon-file.ts';
import { type Home, homeAt } from '../../daemon/src/platform/home/home.ts';
import { isHeld } from '../../daemon/src/platform/home/lock.ts';
import { type App, startApp } from './app.ts';
import type { MenuItem } from './desktop.ts';
import { partsIn } from './parts.ts';
import { systemTimers } from './system/timers.ts';
import { type FakeDesktop, fakeDesktop } from './testing/fake-desktop.ts';

const REPOSITORY = path.join(import.meta.dirname, '../..');

let home: Home;
let desktop: FakeDesktop;
let app: App;
let env: NodeJS.ProcessEnv;
/** Ahead of the clock on the wall, ms. */
let ahead: number;

beforeEach(() => {
  home = homeAt(path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-desktop-')), 'home'));
  env = {
    ...process.env,
    REVERIE_PORT: '0',
    REVERIE_LOG_LEVEL: 'silent',
    XDG_CONFIG_HOME: path.join(home.folder, '..', 'config'),
  };
  desktop = fakeDesktop();
  ahead = 0;
});

afterEach(async () => {
  const file = readDaemonFile(home);
  await app.quit();
  if (file && isHeld(home)) process.kill(file.pid, 'SIGKILL');
  fs.rmSync(path.dirname(home.folder), { recursive: true, force: true });
});

function start(): void {
  app = startApp({
    desktop,
    home,
    env,
    parts: partsIn({ repository: REPOSITORY }),
    feed: { fetch: async () => undefined, install: () => undefined },
    battery: async () => 100,
    timers: { ...systemTimers, now: () => performance.now() + ahead },
  });
}

const labels = (items: readonly MenuItem[] = desktop.menu): string[] =>
  items.flatMap((item) => (item.kind === 'line' ? [] : [item.label]));
function choose(label: string): void {
  const item = desktop.menu.find((one) => one.kind !== 'line' && one.label === label);
  if (!item || !('run' in item)) throw new Error(`The menu has no ${label}: ${labels().join(', ')}`);
  item.run();
}
const isUp = () => expect.poll(() => labels(), { timeout: seconds(60) }).toContain('All saved');

describe('the app', () => {
  test('starts a daemon, draws what it says, and leaves it running', async () => {
    start();
    expect(labels()).toEqual([]);
    await isUp();
    expect(desktop.shown.at(-1)).toEqual({ picture: 'dormant', tip: 'Reverie: All saved' });
    const { client } = await connect(home, {});
    await client(setMemory, { body: { namespace: 'tea', key: 'green', value: 'At 80 degrees' } });
    await expect.poll(() => labels()).toContain('Namespaces (1)');
    choose('Open Reverie');
    expect(desktop.windows.map(({ addresses }) => addresses)).toEqual([['app://reverie/']]);
    const pid = readDaemonFile(home)?.pid;
    await app.quit();
    expect(desktop.windows[0]?.isDestroyed).toBe(true);
    expect([isHeld(home), readDaemonFile(home)?.pid]).toEqual([true, pid]);
  });

  test('starts a daemon that was killed, tells of a long absence, and stops it where a person chose so', async () => {
    start();
    await isUp();
    const before = readDaemonFile(home);
    process.kill(before?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => app.state().kind).not.toBe('running');
    ahead = 180_000;
    await expect.poll(() => app.state().kind, { timeout: seconds(60) }).toBe('running');
    expect(readDaemonFile(home)?.nonce).not.toBe(before?.nonce);
    await expect
      .poll(() => desktop.notices.map(({ body }) => body))
      .toEqual(['Reverie did not run for 3 minutes. It is back, and nothing that was stored is lost.']);
    const settings = desktop.menu.find((item) => item.kind === 'menu' && item.label === 'Settings');
    const keep =
      settings?.kind === 'menu'
        ? settings.items.find(
            (item) => item.kind === 'switch' && item.label.startsWith('Keep memory running'),
          )
        : undefined;
    if (keep?.kind !== 'switch') throw new Error('There is no such setting');
    keep.run();
    await app.quit();
    expect(isHeld(home)).toBe(false);
  });

  test('says what to do where it cannot start, and tries again when asked', async () => {
    fs.mkdirSync(home.folder, { mode: 0o700 });
    fs.writeFileSync(home.config, '{"dream": {"schedule": "noon"}}');
    // The first button opens the folder, the second tries again.
    desktop.answers.push(1);
    start();
    await expect.poll(() => desktop.questions.length, { timeout: seconds(60) }).toBe(1);
    expect(desktop.questions[0]).toMatchObject({ kind: 'error', title: 'A setting is wrong' });
    fs.rmSync(home.config);
    await isUp();
  });

  test('asks before it follows a link, and opens the memory then', async () => {
    start();
    await isUp();
    app.open('reverie://memory?namespace=tea&key=green');
    await expect.poll(() => desktop.questions.length).toBe(1);
    expect(desktop.windows).toEqual([]);
    desktop.answers.push(0);
    app.open('reverie://memory?namespace=tea&key=green');
    await expect.poll(() => desktop.windows.length).toBe(1);
    expect(desktop.windows[0]?.addresses).toEqual(['app://reverie/memories?namespace=tea&key=green']);
  });

  test('copies a key of this machine, which no window ever sees', async () => {
    start();
    await isUp();
    const menu = desktop.menu.find(
      (item) => item.kind === 'menu' && item.label === 'Copy a key for an agent',
    );
    const first = menu?.kind === 'menu' ? menu.items[0] : undefined;
    if (first?.kind !== 'action') throw new Error('There is no key');
    first.run();
    expect(desktop.copied).toEqual([fs.readFileSync(home.apiKey, 'utf8').trim()]);
  });
});
