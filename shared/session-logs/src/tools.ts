import { isLogObject, type LogObject, listIn, textIn } from './json.ts';
import { jsonText } from './words.ts';

/** Returns what a call of a tool says, readable and searchable: the command, the change as a diff, or its arguments line by line. */
export function callText(input: unknown): string {
  if (typeof input === 'string') return input;
  if (!isLogObject(input)) return input === undefined || input === null ? '' : jsonText(input);
  const command = commandOf(input);
  if (command !== undefined) return command;
  const path = pathIn(input);
  if (path !== undefined) {
    const change = changeText(input);
    if (change !== undefined) return `${path}\n${change}`;
  }
  return argumentLines(input);
}

function commandOf(input: LogObject): string | undefined {
  const command = input.command ?? input.cmd;
  const words: readonly unknown[] = Array.isArray(command) ? command : [];
  if (typeof command === 'string') return withDescription(input, command);
  if (words.length === 0 || !words.every((word) => typeof word === 'string')) return undefined;
  return withDescription(input, shellWords(words));
}

function withDescription(input: LogObject, command: string): string {
  const description = textIn(input, 'description');
  return description === undefined ? command : `# ${description}\n${command}`;
}

const SHELL = /(?:^|[/\\])(?:bash|sh|zsh)$/;

/** A command as one would type it: `bash -lc X` is X. */
function shellWords(words: readonly string[]): string {
  const [shell = '', flag = '', script] = words;
  if (script !== undefined && words.length === 3 && SHELL.test(shell) && /^-l?c$/.test(flag)) return script;
  return words.join(' ');
}

function pathIn(input: LogObject): string | undefined {
  return (
    textIn(input, 'file_path') ??
    textIn(input, 'filePath') ??
    textIn(input, 'notebook_path') ??
    textIn(input, 'path')
  );
}

function changeText(input: LogObject): string | undefined {
  const edits = listIn(input, 'edits').filter(isLogObject);
  if (edits.length > 0) return edits.map((edit) => diffOf(edit) ?? jsonText(edit)).join('\n');
  const diff = diffOf(input);
  if (diff !== undefined) return diff;
  return textIn(input, 'content') ?? textIn(input, 'new_source') ?? textIn(input, 'file_text');
}

function diffOf(edit: LogObject): string | undefined {
  const before = edit.old_string ?? edit.oldString ?? edit.old_str ?? edit.oldText ?? edit.old_text;
  const after = edit.new_string ?? edit.newString ?? edit.new_str ?? edit.newText ?? edit.new_text;
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return [...marked('-', before), ...marked('+', after)].join('\n');
}

function marked(mark: string, text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => mark + line);
}

function argumentLines(input: LogObject): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : jsonText(value)}`)
    .join('\n');
}

/** The tools of every agent whose `path` is a folder or a pattern, not a file that they touch. */
const LOOKING = /^(?:grep|glob|ls|list|find|search)/i;
const PATH_NAMES = [
  'file_path',
  'filePath',
  'notebook_path',
  'path',
  'AbsolutePath',
  'TargetFile',
  'target_file',
];

/** The files that a call of a tool names. */
export function filesOf(name: string, input: unknown): string[] {
  if (typeof input === 'string') return patchFiles(input);
  if (!isLogObject(input)) return [];
  const files: string[] = [];
  if (!LOOKING.test(name)) {
    for (const key of PATH_NAMES) {
      const path = textIn(input, key);
      if (path !== undefined) files.push(path);
    }
  }
  const command = input.command ?? input.cmd ?? input.input ?? input.patch ?? input.patchText;
  const words: readonly unknown[] = Array.isArray(command) ? command : [command];
  for (const word of words) if (typeof word === 'string') files.push(...patchFiles(word));
  return fitFiles(files);
}

/** The files of a log that can be paths: each once, none longer than a path may be. */
export function fitFiles(files: readonly string[]): string[] {
  return [...new Set(files.filter((file) => file !== '' && file.length <= 4096))];
}

const PATCH_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** The files of a patch in the form of `apply_patch`. */
function patchFiles(patch: string): string[] {
  if (!patch.includes('*** ')) return [];
  return fitFiles([...patch.matchAll(PATCH_FILE)].map((match) => (match[1] ?? '').trim()));
}
