import type { Command } from 'commander';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { has, run } from './fake-terminal.ts';
import { buildProgram, loadCommands } from './program.ts';
import type { Terminal } from './terminal.ts';

/** Every command, those below others too, with what is typed for it. */
function commandsOf(
  command: Command,
  typed = command.name(),
): (readonly [typed: string, command: Command])[] {
  return command.commands.flatMap((below) => {
    const name = `${typed} ${below.name()}`;
    return [[name, below] as const, ...commandsOf(below, name)];
  });
}

async function programOf(args: readonly string[]): Promise<Command> {
  const stream = () => new PassThrough();
  const terminal: Terminal = { stdin: stream(), stdout: stream(), stderr: stream(), env: {}, exitCode: 0 };
  return buildProgram(terminal, await loadCommands(args));
}

const namesOf = ({ commands }: Command) => commands.map((command) => command.name());

test('a command is run without the others, wherever the home is named', async () => {
  const every = namesOf(await programOf([])).filter((name) => name !== 'complete');
  expect(every.length).toBeGreaterThan(50);
  for (const name of every)
    expect([name, namesOf(await programOf(['--home', '/a', name]))]).toEqual([
      name,
      name === 'completion' ? [name, 'complete'] : [name],
    ]);
  expect(namesOf(await programOf(['--home=/a', 'get', 'set']))).toEqual(['get']);
});

test.each([[], ['--help'], ['help', 'set'], ['sett'], ['complete', '--', ''], ['--home'], ['constructor']])(
  'all of them are there for %j',
  async (...args) => expect(namesOf(await programOf(args)).length).toBeGreaterThan(50),
);

test('every command, argument and option says what it is', async () => {
  const program = await programOf([]);
  const all = commandsOf(program);
  expect(all.length).toBeGreaterThan(80);
  const silent = all.flatMap(([typed, command]) => [
    ...(command.description() === '' ? [typed] : []),
    ...[...command.registeredArguments, ...command.options]
      .filter(({ description }) => !description)
      .map((one) => `${typed} ${one.name()}`),
  ]);
  expect(silent).toEqual([]);
});

test('the help of search says how to ask for what begins with a hyphen', async () => {
  expect(await run({ home: '/nowhere' }, 'search', '--help')).toMatchObject({
    code: 0,
    out: has("reverie search -- '-draft tag:adr'"),
  });
});
