import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient, type Client } from '@reverie/shared/client';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { expect } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TIMEOUT = 60_000;

/** Electron's program, or undefined where it was not installed: its package comes without it. */
export const electronProgram = programOfPackage();

/** Its package would download it as soon as it is asked where it is. */
function programOfPackage(): string | undefined {
  const folder = dirname(createRequire(join(ROOT, 'app/package.json')).resolve('electron/package.json'));
  const named = join(folder, 'path.txt');
  const program = existsSync(named) ? join(folder, 'dist', readFileSync(named, 'utf8')) : undefined;
  return program !== undefined && existsSync(program) ? program : undefined;
}

/** An app on an empty home. */
export interface DesktopApp {
  electron: ElectronApplication;
  home: string;
  /** The daemon that it started. */
  daemon(): { pid: number; nonce: string; origin: string } | undefined;
  call: Client;
  /** The window that shows a place of the page. */
  window(place: string): Promise<Page>;
  /** The lines of the menu at the tray, as they were drawn last. */
  menu(): Promise<string[]>;
  /** Presses a line of it. */
  choose(label: string): Promise<void>;
  /** What the app asked and told since it began: dialogs, notifications, pages for the browser. */
  record(): Promise<{ asked: string[]; told: string[]; opened: string[] }>;
  close(): Promise<void>;
}

interface Recorded {
  menu: Electron.MenuItemConstructorOptions[];
  asked: string[];
  told: string[];
  opened: string[];
  /** Which button dialogs are answered with. */
  answer: number;
}

/** Starts the app, has it record instead of asking a person, and waits until it drew its tray. `files` are put into the home first. */
export async function openApp(
  args: readonly string[] = [],
  before?: (home: string) => void,
): Promise<DesktopApp> {
  const home = join(mkdtempSync(join(tmpdir(), 'reverie-desktop-')), 'home');
  before?.(home);
  const electron = await _electron.launch({
    ...(electronProgram !== undefined && { executablePath: electronProgram }),
    args: [
      join(ROOT, 'dist/desktop'),
      '--no-sandbox',
      `--user-data-dir=${join(home, '..', 'electron')}`,
      ...args,
    ],
    env: {
      ...(process.env as Record<string, string>),
      REVERIE_HOME: home,
      REVERIE_PORT: '0',
      REVERIE_REPOSITORY: ROOT,
    },
  });
  await electron.evaluate(({ dialog, Menu, Notification, shell }) => {
    const recorded: Recorded = { menu: [], asked: [], told: [], opened: [], answer: -1 };
    Object.assign(globalThis, { recorded });
    const build = Menu.buildFromTemplate;
    Menu.buildFromTemplate = (template) => {
      recorded.menu = template as Electron.MenuItemConstructorOptions[];
      return build(template);
    };
    dialog.showMessageBox = (async (options: Electron.MessageBoxOptions) => {
      recorded.asked.push(options.message);
      const last = (options.buttons?.length ?? 1) - 1;
      return { response: recorded.answer < 0 ? last : recorded.answer, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
    Notification.prototype.show = function (this: Electron.Notification) {
      recorded.told.push(this.title);
    };
    shell.openExternal = async (url) => void recorded.opened.push(url);
  });
  const recorded = () => electron.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded);
  const daemon: DesktopApp['daemon'] = () => {
    const file = join(home, 'daemon.json');
    return existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as ReturnType<DesktopApp['daemon']>)
      : undefined;
  };
  const app: DesktopApp = {
    electron,
    home,
    daemon,
    call: (...sent) =>
      createClient({
        origin: daemon()?.origin ?? '',
        key: () => readFileSync(join(home, 'owner-key'), 'utf8').trim(),
      })(...sent),
    async window(place) {
      const find = () => electron.windows().find((page) => page.url().startsWith(`app://reverie${place}`));
      await expect.poll(() => find() !== undefined, { timeout: TIMEOUT }).toBe(true);
      const page = find();
      if (!page) throw new Error(`No window shows ${place}`);
      return page;
    },
    menu: () =>
      electron.evaluate(() =>
        (globalThis as unknown as { recorded: Recorded }).recorded.menu.map(
          ({ label, type }) => label ?? type ?? '',
        ),
      ),
    choose: (label) =>
      electron.evaluate((_modules, wanted) => {
        const item = (globalThis as unknown as { recorded: Recorded }).recorded.menu.find(
          (one) => one.label === wanted,
        );
        if (!item?.click) throw new Error(`The menu has no ${wanted}`);
        (item.click as () => void)();
      }, label),
    async record() {
      const { asked, told, opened } = await recorded();
      return { asked, told, opened };
    },
    async close() {
      const running = daemon();
      await electron.close();
      if (running) process.kill(running.pid, 'SIGTERM');
      rmSync(join(home, '..'), { recursive: true, force: true });
    },
  };
  return app;
}
