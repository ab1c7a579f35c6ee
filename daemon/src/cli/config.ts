import type { Command } from 'commander';
import { type Config, fromText, settings, variableOf } from '../config/config.ts';
import { createSettings, type Settings, type SettingSource } from '../config/settings-file.ts';
import { prepareHome } from '../platform/home/home.ts';
import { isHeld } from '../platform/home/lock.ts';
import { secretNames } from '../platform/secrets/secrets.ts';
import { nearest } from './nearest.ts';
import { jsonOption } from './options.ts';
import { note, paint, printJson, printTable, say } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie config list                 every setting, its value and what set it
  reverie config list webhooks        those of one group
  reverie config set history.max_versions 200
  reverie config set llm.base_url http://127.0.0.1:11434/v1 llm.model qwen3.5:4b
  reverie config unset llm.base_url llm.model

A variable or a flag of the start wins over config.json. What is set holds from the next start on.
Keys and passwords are no settings: reverie secret --help`;

interface Setting {
  name: string;
  value: unknown;
  from: SettingSource;
  variable: string;
  about: string;
}

/** `reverie config get|set|unset|list`: works on `config.json` itself, so also before the first start. */
export function addConfig(program: Command, terminal: Terminal): void {
  const config = program
    .command('config')
    .description('show and change the settings')
    .addHelpText('after', AFTER);
  config
    .command('list')
    .description('show every setting, its value and what set it')
    .argument('[group]', 'only those of this group, such as webhooks')
    .addOption(jsonOption())
    .action((group: string | undefined, { json }: { json?: true }) => list(terminal, group, json));
  config
    .command('get')
    .description('print the value of a setting')
    .argument('<setting>', 'its name, such as history.max_versions')
    .addOption(jsonOption())
    .action((name: string, { json }: { json?: true }) => {
      known(name);
      const [found] = settingsNow(terminal).filter((one) => one.name === name);
      if (json) return printJson(terminal, found);
      if (found?.value !== undefined) return say(terminal, textOf(found.value));
      if (terminal.stdout.isTTY) note(terminal, `${name} is not set.`);
    });
  config
    .command('set')
    .description('write settings into config.json; wrong ones are refused')
    .argument('<setting...>', 'names and values in turn; a list has commas between its parts')
    .usage('[options] <setting> <value> [<setting> <value> …]')
    .addOption(jsonOption())
    .action((words: string[], { json }: { json?: true }) => change(terminal, pairsOf(words), json));
  config
    .command('unset')
    .description('take settings out of config.json, so that their defaults hold again')
    .argument('<setting...>', 'their names')
    .addOption(jsonOption())
    .action((names: string[], { json }: { json?: true }) => {
      for (const name of names) known(name);
      change(terminal, Object.fromEntries(names.map((name) => [name, undefined])), json);
    });
}

/** The settings of a home, as a start here and now would have them. */
function fileOf(terminal: Terminal, env = terminal.env): Settings {
  return createSettings({ file: homeOf(terminal).config, env, flags: {} });
}

function settingsNow(terminal: Terminal): Setting[] {
  const file = fileOf(terminal);
  const config = file.read();
  return settings().map(({ name, schema }) => ({
    name,
    value: valueIn(config, name),
    from: file.sourceOf(name),
    variable: variableOf(name),
    about: schema.description ?? '',
  }));
}

function valueIn(config: Config, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], config);
}

function list(terminal: Terminal, group: string | undefined, json: true | undefined): void {
  const wanted = settingsNow(terminal).filter(
    ({ name }) => group === undefined || name === group || name.startsWith(`${group}.`),
  );
  if (group !== undefined && wanted.length === 0) known(group);
  if (json) return printJson(terminal, { file: homeOf(terminal).config, settings: wanted });
  const { isTTY } = terminal.stdout;
  printTable(
    terminal,
    ['Setting', 'Value', 'From', ''],
    wanted.map(({ name, value, from, variable, about }) => {
      const source = from === 'variable' ? variable : from === 'file' ? 'config.json' : from;
      return [name, value === undefined ? '' : textOf(value), source, about];
    }),
  );
  if (isTTY) note(terminal, paint(terminal, 'dim', `config.json is ${homeOf(terminal).config}`));
}

/** A value as `set` takes it. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Refuses a name that is no setting, and says which one it may be. */
function known(name: string): void {
  const names = settings().map((one) => one.name);
  if (names.includes(name)) return;
  const inGroup = names.filter((one) => one.startsWith(`${name}.`));
  const near = inGroup.length > 0 ? inGroup : nearest(name, names);
  const isSecret = /(^|[._])(key|password|secret|token)$/.test(name);
  throw new UsageError(
    [
      `There is no setting ${name}.`,
      ...(isSecret
        ? [`Keys and passwords are no settings: \`reverie secret set NAME\` keeps ${secretNames.join(', ')}.`]
        : near.length > 0
          ? [`${inGroup.length > 0 ? 'There are' : 'The nearest:'} ${near.join(', ')}.`]
          : []),
      '`reverie config list` shows all.',
    ].join(' '),
  );
}

function pairsOf(words: readonly string[]): Record<string, unknown> {
  const schemas = new Map(settings().map(({ name, schema }) => [name, schema]));
  const values: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', text] = [words[at], words[at + 1]];
    known(name);
    const schema = schemas.get(name);
    if (text === undefined || !schema)
      throw new UsageError(`Say the value of ${name}: reverie config set ${name} VALUE`);
    values[name] = fromText(text, schema);
  }
  return values;
}

function change(terminal: Terminal, values: Readonly<Record<string, unknown>>, json: true | undefined): void {
  const home = homeOf(terminal);
  prepareHome(home);
  // Without the variables of this shell, which would hide a wrong value behind their own.
  fileOf(terminal, {}).change(values);
  const now = settingsNow(terminal).filter(({ name }) => name in values);
  const isRunning = isHeld(home);
  if (json) return printJson(terminal, { file: home.config, settings: now, needs_restart: isRunning });
  for (const { name, value, from, variable } of now) {
    say(terminal, value === undefined ? `${name} is not set any more.` : `${name} is ${textOf(value)}.`);
    if (from === 'variable')
      note(terminal, `The variable ${variable} wins over config.json wherever it is set.`);
  }
  if (isRunning)
    note(
      terminal,
      'Reverie runs with the former settings until it starts again: `reverie stop`, then start it.',
    );
}
