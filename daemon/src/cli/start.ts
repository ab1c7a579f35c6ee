import type { Command } from 'commander';
import { backgroundFlags } from '../platform/home/background-file.ts';
import { logFile, startInBackground } from './background.ts';
import { pairs } from './options.ts';
import { note, say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';
import { refuseIfHeld } from './stop.ts';

interface Options {
  background?: true;
  port?: string;
  host?: string;
  set?: Record<string, string>;
}

/** `reverie start [--background]` */
export function addStart(program: Command, terminal: Terminal): void {
  program
    .command('start')
    .description('run Reverie here, or in the background')
    .option('-b, --background', 'in a process of its own, with its log in the home; returns when it is ready')
    .option('-p, --port <number>', 'the port to listen on; 0 picks a free one')
    .option('--host <address>', 'the address to listen on')
    .option('--set <name=value>', 'a setting, such as log.level=debug; may be given again', pairs)
    .action(async ({ background, port, host, set }: Options) => {
      const flags = {
        ...set,
        ...(port !== undefined && { port }),
        ...(host !== undefined && { host }),
      };
      if (!background) {
        const { runDaemon } = await import('../run.ts');
        return runDaemon({ env: terminal.env, flags });
      }
      const home = homeOf(terminal);
      refuseIfHeld(home);
      const daemon = await startInBackground({ home, env: terminal.env, flags });
      say(terminal, `Reverie is ready at ${daemon.origin}`);
      if (backgroundFlags(home))
        note(terminal, `It runs in the background (process ${daemon.pid}); its log is ${logFile(home)}.`);
      note(
        terminal,
        '`reverie open` opens the page, `reverie import ~/notes` brings your notes, `reverie stop` ends it.',
      );
    });
}
