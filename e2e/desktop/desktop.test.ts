import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getMemory, listMemories, setMemory } from '@reverie/shared/contract/memories/memories';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { type DesktopApp, electronProgram, openApp } from './app.ts';

const ROOT = join(import.meta.dirname, '../..');
const LONG = { timeout: seconds(60) };

if (electronProgram === undefined)
  console.log(
    'SKIPPED: the journeys of the desktop app. Electron is not installed here; `npx install-electron` fetches it, docs/release.md says more.',
  );

/** After the manner of Actual's desktop tests: an app of its own for each test, whose dialogs are recorded. They need no fuses. */
describe.skipIf(electronProgram === undefined)('the desktop app', () => {
  let app: DesktopApp;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build-desktop.ts')], { cwd: ROOT });
  });
  afterEach(() => app.close());

  const isUp = () => expect.poll(() => app.menu(), LONG).toContain('All saved');

  test('shows its tray and its window, which is signed in by itself', async () => {
    app = await openApp();
    const page = await app.window('/');
    await page.getByRole('heading', { name: /Welcome/ }).waitFor(LONG);
    expect(await page.evaluate<string>('typeof require + typeof process')).toBe('undefinedundefined');
    await isUp();
    await app.call(setMemory, { body: { namespace: 'tea', key: 'green', value: 'At 80 degrees' } });
    await expect.poll(() => app.menu(), LONG).toContain('Namespaces (1)');
    // The page hears of it by the stream that the app keeps.
    await page.getByText('At 80 degrees').first().waitFor(LONG);
  });

  test('keeps a thought in the quick field, and puts it away with Escape', async () => {
    app = await openApp(['--hidden']);
    await isUp();
    await app.choose('Quick add …');
    const quick = await app.window('/quick');
    await quick.getByRole('combobox', { name: 'Find or ask' }).waitFor(LONG);
    await quick.keyboard.type('Buy rye flour');
    await quick.keyboard.press('Control+Enter');
    await quick.getByText('Kept in default as').waitFor(LONG);
    expect((await app.call(listMemories, { body: {} })).total).toBe(1);
    await quick.keyboard.press('Escape');
    const isVisible = () =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().some((one) => one.isVisible()),
      );
    await expect.poll(isVisible, LONG).toBe(false);
  });

  test('lets no page go elsewhere, and hands the web to the browser', async () => {
    app = await openApp();
    const page = await app.window('/');
    for (const address of ['https://example.com/', 'http://127.0.0.1:7337/', 'file:///etc/passwd'])
      await page.evaluate(`location.href = ${JSON.stringify(address)}`).catch(() => undefined);
    await page.waitForTimeout(500);
    expect(page.url()).toMatch(/^app:\/\/reverie\//);
    await page.evaluate("void window.open('https://example.com/')");
    await page.evaluate("void window.open('file:///etc/passwd')");
    await expect.poll(async () => (await app.record()).opened, LONG).toEqual(['https://example.com/']);
    expect(app.electron.windows()).toHaveLength(1);
  });

  test('asks before it follows a link', async () => {
    app = await openApp(['--hidden', 'reverie://memory?namespace=tea&key=green']);
    await isUp();
    const follow = () =>
      app.electron.evaluate(({ app: process }) =>
        process.emit('second-instance', {}, ['reverie', 'reverie://memory?namespace=tea&key=green']),
      );
    await follow();
    await expect
      .poll(async () => (await app.record()).asked, LONG)
      .toContain('A link wants to open a memory');
    expect(app.electron.windows()).toHaveLength(0);
    await app.electron.evaluate(() => {
      (globalThis as unknown as { recorded: { answer: number } }).recorded.answer = 0;
    });
    await follow();
    await app.window('/memories?namespace=tea&key=green');
  });

  test('starts a daemon that was killed, and the page goes on', async () => {
    app = await openApp();
    const page = await app.window('/');
    await isUp();
    await app.call(setMemory, { body: { key: 'kept', value: 'Before the end' } });
    const before = app.daemon();
    process.kill(before?.pid ?? 0, 'SIGKILL');
    await expect
      .poll(() => app.daemon()?.nonce !== before?.nonce && app.daemon() !== undefined, LONG)
      .toBe(true);
    await isUp();
    expect((await app.call(getMemory, { body: { key: 'kept' } })).value).toBe('Before the end');
    await page.getByText('Before the end').first().waitFor(LONG);
  });

  test('starts with damaged settings, and says why where the daemon cannot', async () => {
    app = await openApp([], (home) => {
      mkdirSync(home, { mode: 0o700 });
      writeFileSync(join(home, 'desktop.json'), '{');
      writeFileSync(join(home, 'config.json'), '{"dream": {"schedule": "noon"}}');
    });
    await expect.poll(async () => (await app.record()).asked, LONG).toContain('A setting is wrong');
  });
});
