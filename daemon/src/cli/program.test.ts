import type { Command } from 'commander';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { has, run } from './fake-terminal.ts';
import { buildProgram } from './program.ts';

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

test('every command, argument and option says what it is', () => {
  const stream = () => new PassThrough();
  const program = buildProgram({
    stdin: stream(),
    stdout: stream(),
    stderr: stream(),
    env: {},
    exitCode: 0,
  });
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
