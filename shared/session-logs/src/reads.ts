import type { LogRecord, ReadEntry, ReadRecord, ReadUsage, SessionFacts } from './format.ts';
import type { LogObject } from './json.ts';
import { callText, filesOf } from './tools.ts';
import { isSaid } from './unknown.ts';
import { lineText, promptTitle } from './words.ts';

/** An entry of a record; no person wrote it unless that is given. */
export type SaidEntry = Omit<ReadEntry, 'at' | 'byPerson'> & { byPerson?: boolean };

/** Returns an entry with its time (ms since 1970): nothing where its text is blank. */
export function entryReads(session: string, at: number, said: SaidEntry): ReadRecord[] {
  if (said.text.trim() === '') return [];
  const entry = { byPerson: false, ...said, at, text: said.text.toWellFormed() };
  return [{ session, kind: 'entry', entry }];
}

/** The name of a tool or a model as it is kept: 200 characters at most. */
export function labelOf(name: string): string {
  return name.slice(0, 200).toWellFormed();
}

/** A call of a tool, with the files that its input names; `item` is the call's own id. */
export function toolCall({
  item,
  at,
  name,
  input,
}: {
  item: string;
  at: number;
  name: string;
  input: unknown;
}): ReadEntry {
  const files = filesOf(name, input);
  return {
    item,
    at,
    kind: 'tool_call',
    text: callText(input).toWellFormed(),
    byPerson: false,
    tool: { name, call: item },
    ...(files.length > 0 && { files }),
  };
}

/** The result of a tool; it is named by its call, or `item` where it does not say which call that was. */
export function toolResult({
  item,
  at,
  call,
  name,
  text,
  failed,
}: {
  item: string;
  at: number;
  call: string | undefined;
  name: string;
  text: string;
  failed: boolean;
}): ReadEntry {
  return {
    item: call === undefined ? item : `${call}:result`,
    at,
    kind: 'tool_result',
    text: text.toWellFormed(),
    byPerson: false,
    tool: { name: labelOf(name), ...(call !== undefined && { call }), failed },
  };
}

/** The tokens of one reply. */
export function usageRead(session: string, usage: ReadUsage): ReadRecord {
  return { session, kind: 'usage', usage: { ...usage, model: labelOf(usage.model) } };
}

/** The title of a session that has no name: the first words of its first prompt, below every other title. */
export function promptTitleRead(session: string, prompt: string): ReadRecord {
  return { session, kind: 'facts', facts: { title: { text: promptTitle(prompt), rank: 10 } } };
}

/** Returns which of the folder, branch and version that a record names are not known yet. */
export function newFacts(
  named: { [P in 'folder' | 'branch' | 'version']?: string | undefined },
  known: SessionFacts = {},
): SessionFacts {
  const facts: SessionFacts = {};
  for (const name of ['folder', 'branch', 'version'] as const) {
    const value = named[name];
    if (value !== undefined && value !== known[name]) facts[name] = value;
  }
  return facts;
}

/** A record that this version does not know: it is an entry, whole, where somebody speaks in it. */
export function unknownRecord(
  type: string,
  record: LogObject,
  { session, item, at, line }: { session: string; item: string; at: number; line: string },
): LogRecord {
  const reads = isSaid(record)
    ? entryReads(session, at, { item, kind: 'other', text: lineText(line, record) })
    : [];
  return { type, known: false, reads };
}
