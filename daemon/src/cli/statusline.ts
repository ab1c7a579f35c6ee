import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { PROGRAM } from './background.ts';
import type { Terminal } from './terminal.ts';

/** `reverie statusline`, for the help and for who writes options before it; `bin/hook.cjs` is what Claude Code waits for. */
export function addStatusline(program: Command, terminal: Terminal): void {
  program
    .command('statusline')
    .description('a line for the status line of Claude Code: namespace, recalled, saved, waiting')
    .option('--namespace <name>', 'instead of that of the project in the working folder')
    .addHelpText(
      'after',
      `
It reads what Claude Code says from standard input, prints one line, and never fails; where Reverie
does not run the line is empty. \`reverie connect claude-code --statusline\` sets it up.`,
    )
    .action(({ namespace }: { namespace?: string }) => {
      const args = [PROGRAM, 'statusline'];
      if (namespace !== undefined) args.push('--namespace', namespace);
      spawnSync(process.execPath, args, { env: terminal.env, stdio: 'inherit' });
    });
}
