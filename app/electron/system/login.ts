import fs from 'node:fs';
import path from 'node:path';
import type { Desktop } from '../desktop.ts';

interface LoginDeps {
  desktop: Pick<Desktop, 'platform' | 'setLogin'>;
  env: NodeJS.ProcessEnv;
  /** The program that is started: the AppImage, where it is one. */
  program: string;
}

/**
 * Has the app start when the person logs in, or no longer. On Linux, which has no call for it, a file in `autostart` tells every desktop.
 */
export function startAtLogin({ desktop, env, program }: LoginDeps, isOn: boolean): void {
  if (desktop.platform !== 'linux') return desktop.setLogin(isOn);
  const file = autostartFile(env);
  if (!isOn) return fs.rmSync(file, { force: true });
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, entryOf(env['APPIMAGE'] ?? program));
}

function autostartFile(env: NodeJS.ProcessEnv): string {
  const config = env['XDG_CONFIG_HOME'] || path.join(env['HOME'] ?? '', '.config');
  return path.join(config, 'autostart', 'reverie.desktop');
}

function entryOf(program: string): string {
  // As the Desktop Entry Specification quotes: within quotes, these four have a backslash before them, and % is doubled.
  const quoted = `"${program.replaceAll(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`;
  return `[Desktop Entry]
Type=Application
Name=Reverie
Exec=${quoted.replaceAll('\\', '\\\\')} --hidden
Icon=reverie
X-GNOME-Autostart-enabled=true
`;
}
