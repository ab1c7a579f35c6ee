import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Home, writePrivateFile } from '../../../daemon/src/platform/home/home.ts';

/** What a person chose for the app, in `desktop.json` of the home; a setting that is missing or wrong has its default. */
export const DesktopSettings = z.object({
  /** Opens the quick field from anywhere; null where it shall not. */
  quick_shortcut: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .default('CommandOrControl+Shift+Space')
    .catch('CommandOrControl+Shift+Space'),
  /** Whether the daemon runs on when the app is quit. */
  keep_running: z.boolean().default(true).catch(true),
  start_at_login: z.boolean().default(false).catch(false),
  notify: z
    .object({
      proposals: z.boolean().default(true).catch(true),
      deliveries: z.boolean().default(true).catch(true),
      invites: z.boolean().default(true).catch(true),
      downtime: z.boolean().default(true).catch(true),
    })
    .prefault({})
    .catch({ proposals: true, deliveries: true, invites: true, downtime: true }),
  /** No dreams on battery below this share, in percent; 0 lets them. */
  dream_battery: z.int().min(0).max(100).default(40).catch(40),
  /** Where updates of the app are looked for; null where none shall be. */
  update_feed: z.httpUrl().startsWith('https://').nullable().default(null).catch(null),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;
export type NoticeKind = keyof DesktopSettings['notify'];

export interface SettingsFile {
  get(): DesktopSettings;
  /** Keeps a change at once. */
  change(change: Partial<DesktopSettings>): void;
  onChange(run: () => void): void;
}

/** The settings of the app. A damaged file is put aside as `desktop.json.damaged`, and never keeps the app from starting. */
export function openSettings(home: Pick<Home, 'folder'>): SettingsFile {
  const file = path.join(home.folder, 'desktop.json');
  const listeners: (() => void)[] = [];
  let now = DesktopSettings.parse(read(file));
  return {
    get: () => now,
    change(change) {
      now = DesktopSettings.parse({ ...now, ...change });
      fs.mkdirSync(home.folder, { recursive: true, mode: 0o700 });
      writePrivateFile(file, `${JSON.stringify(now, null, 2)}\n`);
      for (const listener of listeners) listener();
    },
    onChange: (run) => void listeners.push(run),
  };
}

function read(file: string): object {
  if (!fs.existsSync(file)) return {};
  try {
    const parsed: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch (cause) {
    // What cannot be read at all shall be seen; what is no JSON is put aside below.
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  fs.renameSync(file, `${file}.damaged`);
  return {};
}
