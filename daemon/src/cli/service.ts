import fs from 'node:fs';
import os from 'node:os';
import type { Command } from 'commander';
import { prepareHome } from '../platform/home/home.ts';
import { PROGRAM } from './background.ts';
import { note, say } from './print.ts';
import { type Manager, managerOf, runTool } from './service/manager.ts';
import { refuseIfHeld } from './stop.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie service install|remove|status` */
export function addService(program: Command, terminal: Terminal): void {
  const service = program.command('service').description('keep Reverie running from login on');
  service
    .command('install')
    .description('start it now and at every login')
    .option('--print', 'show the file that would be written, and do nothing')
    .action(({ print }: { print?: true }) => {
      const manager = managerHere(terminal);
      if (print) {
        note(terminal, manager.file);
        terminal.stdout.write(manager.content);
        return;
      }
      const home = homeOf(terminal);
      if (!fs.existsSync(manager.file)) refuseIfHeld(home);
      prepareHome(home);
      manager.install();
      say(terminal, `Installed ${manager.file}. Reverie runs now, and from every login on.`);
      note(terminal, '`reverie status` shows it, `reverie service remove` takes it away again.');
    });
  service
    .command('remove')
    .description('stop it and take it out; memories stay')
    .action(() => {
      const manager = managerHere(terminal);
      if (!fs.existsSync(manager.file)) return say(terminal, 'No service is installed.');
      manager.remove();
      say(terminal, `Removed ${manager.file}. Memories are still in ${homeOf(terminal).folder}.`);
    });
  service
    .command('status')
    .description('show whether it is installed and runs')
    .action(() => {
      const manager = managerHere(terminal);
      if (!fs.existsSync(manager.file)) return say(terminal, 'No service is installed.');
      say(terminal, `${manager.file}: ${manager.status()}`);
    });
}

function managerHere(terminal: Terminal): Manager {
  const { env } = terminal;
  const { username } = os.userInfo();
  return managerOf({
    of: {
      node: process.execPath,
      program: fs.realpathSync(PROGRAM),
      home: homeOf(terminal).folder,
      user: env['USERDOMAIN'] ? `${env['USERDOMAIN']}\\${username}` : username,
    },
    platform: process.platform,
    env,
    run: runTool,
  });
}
