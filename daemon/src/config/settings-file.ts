import fs from 'node:fs';
import { writePrivateFile } from '../platform/home/home.ts';
import { alone } from './alone.ts';
import {
  type Config,
  type ConfigSources,
  put,
  readConfigFile,
  resolveConfig,
  resolveTree,
  type Tree,
  variableOf,
} from './config.ts';

/** What decides a setting; `default` where nothing does. */
export type SettingSource = 'file' | 'variable' | 'flag' | 'default';

/** The settings of a running daemon: those of `config.json` can be changed, those of its variables and flags cannot. */
export interface Settings {
  /** As the file says now, with the variables and flags of the start. Throws `Refusal`. */
  read(): Config;
  sourceOf(name: string): SettingSource;
  /** How a person would name what sets it, such as `the variable REVERIE_LLM_MODEL`. */
  describe(name: string): string;
  /**
   * Writes settings by dotted name into `config.json`, whole or not at all; undefined takes one out, all others stay. Answers what holds
   * then. Throws `Refusal` where the file or a value is wrong, and what the disk throws.
   */
  change(values: Readonly<Record<string, unknown>>): Config;
}

export function createSettings(sources: ConfigSources): Settings {
  const { file, env, flags } = sources;
  const sourceOf = (name: string): SettingSource => {
    if (flags[name] !== undefined) return 'flag';
    if (env[variableOf(name)] !== undefined) return 'variable';
    return has(readConfigFile(file), name) ? 'file' : 'default';
  };
  return {
    read: () => resolveConfig(sources),
    sourceOf,
    describe(name) {
      const source = sourceOf(name);
      if (source === 'flag') return 'the command line of its start';
      return source === 'variable' ? `the variable ${variableOf(name)}` : file;
    },
    // Daemon and command line both change it: one reads what the other wrote, never what stood there before.
    change: (values) => alone(file, () => changeFile(sources, values)),
  };
}

function changeFile(sources: ConfigSources, values: Readonly<Record<string, unknown>>): Config {
  const { file } = sources;
  const content = readConfigFile(file);
  for (const [name, value] of Object.entries(values)) {
    remove(content, name);
    if (value !== undefined) put(content, name.split('.'), value);
  }
  const config = resolveTree(content, sources);
  writePrivateFile(placeOf(file), `${JSON.stringify(content, null, 2)}\n`);
  return config;
}

/** Where the file itself lies: one that is a link to another place stays one. */
function placeOf(file: string): string {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? fs.realpathSync(file) : file;
}

/** A name may stand in groups (`{"llm": {"model": …}}`) or with its dots (`{"llm.model": …}`). */
function has(tree: Tree, name: string): boolean {
  return Object.entries(tree).some(
    ([key, value]) =>
      key === name || (name.startsWith(`${key}.`) && isTree(value) && has(value, name.slice(key.length + 1))),
  );
}

function remove(tree: Tree, name: string): void {
  for (const [key, value] of Object.entries(tree)) {
    if (key === name) Reflect.deleteProperty(tree, key);
    if (!name.startsWith(`${key}.`) || !isTree(value)) continue;
    remove(value, name.slice(key.length + 1));
    if (Object.keys(value).length === 0) Reflect.deleteProperty(tree, key);
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
