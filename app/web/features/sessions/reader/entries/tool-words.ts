import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';

/** Names of what a call is about, the telling ones first. */
const TELLING = [
  'description',
  'command',
  'cmd',
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'prompt',
  'name',
] as const;
/** Characters of a line that says what a call is about. */
const LINE = 160;

/** What a call is about, in one line: what it runs, reads, changes or looks for. */
export function aboutOf({ text, files }: Pick<SessionEntry, 'text' | 'files'>): string {
  const told = TELLING.map((name) => fieldOf(text, name)).find((one) => one !== undefined);
  const patched = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(text)?.[1];
  return shortLine(told ?? patched ?? (text.trimStart().startsWith('{') ? (files[0] ?? '') : text));
}

/** The first line that says something, and no more of it than a line has room for. */
export function shortLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return line.trim().slice(0, LINE);
}

/** One change of a file in a call that edits it: the text before and the text after. */
export interface Change {
  before: string;
  after: string;
}

/** The changes of a call that edits a file; empty where it edits none, or where its text is cut. */
export function changesOf(text: string): readonly Change[] {
  const input = parsed(text);
  if (!input) return [];
  const several = input['edits'];
  const edits = Array.isArray(several) ? several.map(asRecord) : [input];
  return edits.flatMap((edit) => {
    const before = edit?.['old_string'] ?? edit?.['oldString'];
    const after = edit?.['new_string'] ?? edit?.['newString'];
    return typeof before === 'string' && typeof after === 'string' ? [{ before, after }] : [];
  });
}

/** A patch within the input of a call, or the text that is one. */
export function patchOf(text: string): string | undefined {
  const input = parsed(text);
  const values = input
    ? Object.values(input)
        .flat()
        .filter((one) => typeof one === 'string')
    : [text];
  return values.find(isPatch);
}

/** Whether a text is a patch: of `git diff` and the like, or of Codex. */
export function isPatch(text: string): boolean {
  if (/^\*\*\* Begin Patch$/m.test(text)) return true;
  return /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text) && /^[+-](?![+-]{2})/m.test(text);
}

/** The command of a call that runs one. */
export function commandOf(text: string): string | undefined {
  return fieldOf(text, 'command') ?? fieldOf(text, 'cmd');
}

/** JSON as a person reads it, and any other text as it is. */
export function readable(text: string): { text: string; language: 'json' | '' } {
  const input = parsed(text);
  return input ? { text: JSON.stringify(input, undefined, 2), language: 'json' } : { text, language: '' };
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return asRecord(JSON.parse(text));
  } catch {
    // It is cut, or only looks like JSON: it is read as text then.
    return undefined;
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

/** A field of JSON, also of JSON whose end is missing. */
function fieldOf(text: string, name: string): string | undefined {
  const value = parsed(text)?.[name];
  if (typeof value === 'string' && value !== '') return value;
  if (Array.isArray(value) && value.length > 0) return value.map(String).join(' ');
  if (!text.trimStart().startsWith('{')) return undefined;
  const [, written] = new RegExp(String.raw`"${name}"\s*:\s*("(?:[^"\\]|\\.)*)`).exec(text) ?? [];
  if (written === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(`${written}"`);
    return typeof read === 'string' && read !== '' ? read : undefined;
  } catch {
    // The text was cut within an escape.
    return undefined;
  }
}
