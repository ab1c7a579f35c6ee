import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Refusal } from '../../platform/home/home.ts';
import { LABEL, launchdAgent } from './launchd.ts';
import type { ServiceOf } from './service-of.ts';
import { systemdUnit, UNIT } from './systemd.ts';
import { TASK, windowsTask, windowsTaskFile } from './windows.ts';

/** What a tool of the system answered. */
export interface Ran {
  code: number;
  said: string;
}

/** Runs a tool with its arguments as they are; no shell reads them. */
export type ToolRunner = (tool: string, args: readonly string[]) => Ran;

export const runTool: ToolRunner = (tool, args) => {
  const { status, stdout, stderr, error } = spawnSync(tool, [...args], {
    encoding: 'utf8',
    timeout: 30_000,
    windowsHide: true,
  });
  if (error) return { code: 127, said: error.message };
  return { code: status ?? 1, said: `${stdout}${stderr}`.trim() };
};

/** What keeps programs running on one kind of system. */
export interface Manager {
  /** Where the file lies, and what is in it. */
  file: string;
  content: string;
  install(): void;
  remove(): void;
  /** One line on whether it is installed and runs. */
  status(): string;
}

export interface ManagerDeps {
  of: ServiceOf;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  run: ToolRunner;
}

/** The manager of this system. Throws `Refusal` where there is none that we know. */
export function managerOf(deps: ManagerDeps): Manager {
  switch (deps.platform) {
    case 'linux':
      return systemd(deps);
    case 'darwin':
      return launchd(deps);
    case 'win32':
      return taskScheduler(deps);
    default:
      throw new Refusal(
        `On ${deps.platform} Reverie cannot install itself. Use \`reverie start --background\` in what runs at your login.`,
      );
  }
}

/** Runs a tool that has to go well. */
function need(run: ToolRunner, tool: string, args: readonly string[]): string {
  const { code, said } = run(tool, args);
  if (code !== 0) throw new Refusal(`\`${[tool, ...args].join(' ')}\` failed: ${said || `code ${code}`}`);
  return said;
}

function write(file: string, content: string | Buffer): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode: 0o600 });
}

function systemd({ of, env, run }: ManagerDeps): Manager {
  const folder = env['XDG_CONFIG_HOME'] || path.join(os.homedir(), '.config');
  const file = path.join(folder, 'systemd', 'user', UNIT);
  const content = systemdUnit(of);
  const refuseWithout = () => {
    const { code, said } = run('systemctl', ['--user', 'show-environment']);
    if (code === 0) return;
    throw new Refusal(
      `No systemd answers for this user (${said.split('\n')[0] || `code ${code}`}), so nothing keeps services running here. Use \`reverie start --background\`; \`reverie service install --print\` shows the unit.`,
    );
  };
  return {
    file,
    content,
    install() {
      refuseWithout();
      write(file, content);
      need(run, 'systemctl', ['--user', 'daemon-reload']);
      need(run, 'systemctl', ['--user', 'enable', '--now', UNIT]);
    },
    remove() {
      refuseWithout();
      need(run, 'systemctl', ['--user', 'disable', '--now', UNIT]);
      fs.rmSync(file, { force: true });
      need(run, 'systemctl', ['--user', 'daemon-reload']);
    },
    status() {
      refuseWithout();
      const enabled = run('systemctl', ['--user', 'is-enabled', UNIT]).said;
      return `${enabled}, ${run('systemctl', ['--user', 'is-active', UNIT]).said}`;
    },
  };
}

function launchd({ of, run }: ManagerDeps): Manager {
  const file = path.join(os.homedir(), 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const domain = `gui/${os.userInfo().uid}`;
  const content = launchdAgent(of);
  return {
    file,
    content,
    install() {
      fs.mkdirSync(path.join(of.home, 'logs'), { recursive: true, mode: 0o700 });
      // It may be loaded from an earlier install; that one has to go first.
      run('launchctl', ['bootout', `${domain}/${LABEL}`]);
      write(file, content);
      need(run, 'launchctl', ['bootstrap', domain, file]);
    },
    remove() {
      need(run, 'launchctl', ['bootout', `${domain}/${LABEL}`]);
      fs.rmSync(file, { force: true });
    },
    status() {
      const { code, said } = run('launchctl', ['print', `${domain}/${LABEL}`]);
      return code === 0 ? `loaded, ${/state = (.+)/.exec(said)?.[1] ?? 'state unknown'}` : 'not loaded';
    },
  };
}

function taskScheduler({ of, run }: ManagerDeps): Manager {
  const file = path.join(of.home, 'reverie-task.xml');
  const content = windowsTask(of);
  return {
    file,
    content,
    install() {
      write(file, windowsTaskFile(content));
      need(run, 'schtasks', ['/Create', '/TN', TASK, '/XML', file, '/F']);
      need(run, 'schtasks', ['/Run', '/TN', TASK]);
    },
    remove() {
      run('schtasks', ['/End', '/TN', TASK]);
      need(run, 'schtasks', ['/Delete', '/TN', TASK, '/F']);
      fs.rmSync(file, { force: true });
    },
    status() {
      const { code, said } = run('schtasks', ['/Query', '/TN', TASK, '/FO', 'LIST']);
      return code === 0 ? (/Status:\s*(.+)/.exec(said)?.[1]?.trim() ?? 'installed') : 'not installed';
    },
  };
}
