import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { hookAgents, hookEvents } from '@reverie/shared/contract/agents/hooks';
import { Argument, type Command, Option } from 'commander';
import type { Terminal } from './terminal.ts';

const PROGRAM = path.join(import.meta.dirname, '../../bin/reverie.cjs');

/** `reverie hook`, for the help and for who writes options before it; `bin/hook.cjs` is what agents wait for. */
export function addHook(program: Command, terminal: Terminal): void {
  program
    .command('hook')
    .description('what a coding agent calls when a session begins, at a prompt and at the end')
    .addArgument(new Argument('<event>', 'when it is called').choices(hookEvents))
    .addOption(
      new Option('--agent <name>', 'which agent calls').choices(hookAgents).makeOptionMandatory(true),
    )
    .option('--namespace <name>', 'instead of that of the project in the working folder')
    .addHelpText(
      'after',
      `
It reads what the agent says from standard input, and prints what the agent is to know, in the agent's
own form. It never fails: what went wrong stands in logs/hooks.log of the home.`,
    )
    .action((event: string, { agent, namespace }: { agent: string; namespace?: string }) => {
      const args = [PROGRAM, 'hook', event, '--agent', agent];
      if (namespace !== undefined) args.push('--namespace', namespace);
      spawnSync(process.execPath, args, { env: terminal.env, stdio: 'inherit' });
    });
}
