import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { hasColours, paint } from './print.ts';
import type { Terminal } from './terminal.ts';

/** What stands beside `help` in a list of commands. */
export const HELP_COMMAND = 'show the help of a command';

/** The program without its commands: what holds for each of them. */
export function emptyProgram(terminal: Terminal): Command {
  return new Command('reverie')
    .description('Local memory for people and their coding agents.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .option('--home <folder>', 'where Reverie keeps everything (else REVERIE_HOME)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
      getOutHasColors: () => hasColours(terminal),
      outputError: (text, write) => write(inOurWords(text)),
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => paint(terminal, 'bold', title) })
    .showHelpAfterError('`reverie --help` shows every command, `reverie COMMAND --help` explains one.');
}

/** What is said of a command that was given wrongly: how it is used, and where its help is. */
export function explainErrors(command: Command, name: string): void {
  command.showHelpAfterError(`It is: ${name} ${command.usage()}\n\`${name} --help\` explains it.`);
  if (command.commands.length > 0) command.helpCommand('help [command]', HELP_COMMAND);
  for (const below of command.commands) {
    explainErrors(below, `${name} ${below.name()}`);
    below.configureOutput({
      outputError: (text, write) => {
        const [given = ''] = command.args;
        // What stands where a command would stand is a wrong command, not an argument of the one that runs by itself.
        const isCommand = given === below.name() || !text.startsWith('error: too many arguments');
        if (isCommand) return write(inOurWords(text));
        const all = command.commands.map((one) => one.name()).join(', ');
        below.showHelpAfterError(`There are: ${all}.\n\`${name} --help\` explains them.`);
        write(`reverie: unknown command '${given}' of ${name}\n`);
      },
    });
  }
}

function inOurWords(text: string): string {
  return text
    .replace(/^error: /, 'reverie: ')
    .replace(/command-argument value ('.*') is invalid for argument '(.*?)'/, '$1 is no $2');
}
