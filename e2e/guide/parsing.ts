import { PassThrough } from 'node:stream';

import { buildProgram, loadCommands } from '../../daemon/src/cli/program.ts';
import type { Terminal } from '../../daemon/src/cli/terminal.ts';

type Command = ReturnType<typeof buildProgram>;

const commands = await loadCommands();

function program(): Command {
  const silent = () => new PassThrough().resume();
  const terminal: Terminal = {
    env: {},
    stdin: new PassThrough(),
    stdout: silent(),
    stderr: silent(),
    exitCode: 0,
  };
  return buildProgram(terminal, commands);
}

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

/** What is wrong with the words of a command: commands, options, choices and arguments. Nothing is carried out. */
export async function wrongWith(words: readonly string[]): Promise<string | undefined> {
  const parsed = program();
  for (const command of all(parsed)) if (command.commands.length === 0) command.action(() => undefined);
  try {
    await parsed.parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (cause) {
    const isHelp = cause instanceof Error && 'exitCode' in cause && cause.exitCode === 0;
    return isHelp ? undefined : String(cause);
  }
}

/** What is wrong with a command that is only mentioned, where arguments may be left out: its commands and its options. */
export function wrongMention(words: readonly string[]): string | undefined {
  let command: Command = program();
  const options = [...command.options];
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word);
    if (word === '--help') continue;
    if (word.startsWith('-')) {
      const alone = [
        command,
        ...command.commands.filter((one) => one.name() === 'list' || one.name() === 'start'),
      ];
      const known = [...options, ...alone.flatMap((one) => one.options)];
      if (!known.some(({ short, long }) => short === word || long === word.split('=')[0]))
        return `${command.name()} has no option ${word}`;
    } else if (below) {
      command = below;
      options.push(...below.options);
    } else if (command.registeredArguments.length === 0 && command.commands.length > 0)
      return `${command.name()} has no command ${word}`;
  }
  return undefined;
}

/** The names of the commands of the first level. */
export function commandNames(): string[] {
  return program()
    .commands.map((command) => command.name())
    .filter((name) => !['help', 'complete'].includes(name));
}
