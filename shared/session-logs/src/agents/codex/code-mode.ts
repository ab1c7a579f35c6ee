import type { ReadRecord } from '../../format.ts';
import { isLogObject, type LogObject, listIn, nameOf, textIn } from '../../json.ts';
import { contentText } from '../../words.ts';
import { callReads, outputReads } from './calls.ts';
import type { RecordPlace, Script } from './place.ts';

/** The one tool of newer models, which run JavaScript ("code mode"). What that does stands in the log by itself, with ids of this kind. */
const TOOL = 'exec';
const INNER = 'exec-';

/** Scripts that are remembered until they end, and characters that such a one has at most: a longer one stays beside what it does. */
const SCRIPTS = 20;
const LETTERS = 100_000;
/** Files of a change that are looked for in a script. */
const FILES = 10;

/** A call of a tool by its name alone, noted where it is a script. */
export function customCallReads(
  place: RecordPlace,
  { call, name, input }: { call: string; name: string; input: unknown },
): ReadRecord[] {
  if (name === TOOL && typeof input === 'string' && input.length <= LETTERS) {
    const script = { call: nameOf(call), at: place.at, text: input, isPaused: false, isFolded: false };
    place.scripts = [...place.scripts, { ...script, hasFailed: false }].slice(-SCRIPTS);
  }
  return callReads(place, { call, name, input });
}

/** Folds the script away that an action was done by: one action is one entry, and the action says it better. */
export function foldScript(
  place: RecordPlace,
  action: LogObject,
  reads: readonly ReadRecord[],
): ReadRecord[] {
  const id = textIn(action, 'call_id') ?? textIn(action, 'id');
  const entries = reads.flatMap((read) => (read.kind === 'entry' ? [read.entry] : []));
  if (!id?.startsWith(INNER) || !entries.some(({ kind }) => kind === 'tool_call')) return [];
  const script = scriptOf(place.scripts, wordsOf(action));
  if (!script) return [];
  script.hasFailed ||= entries.some(({ tool }) => tool?.failed === true);
  if (script.isFolded) return [];
  script.isFolded = true;
  const { session } = place;
  return [{ session, kind: 'gone', items: [script.call, `${script.call}:result`] }];
}

/** Reads what a script came to: nothing where it was folded, unless it failed and nothing that it did says so. */
export function customOutputReads(place: RecordPlace, call: string, output: unknown): ReadRecord[] {
  const script = place.scripts.find((one) => one.call === nameOf(call));
  if (!script) return outputReads(place, call, output);
  const [, state] = /^Script (running|failed)/.exec(contentText(output).slice(0, 100)) ?? [];
  if (state === 'running') script.isPaused = true;
  else place.scripts = place.scripts.filter((one) => one !== script);
  if (!script.isFolded) return outputReads(place, call, output);
  if (state !== 'failed' || script.hasFailed) return [];
  const again = { call: script.call, name: TOOL, input: script.text };
  return [...callReads({ ...place, at: script.at }, again), ...outputReads(place, call, output)];
}

/** Pauses every script: of a turn that was broken off none goes on. */
export function pauseScripts(place: RecordPlace): void {
  for (const script of place.scripts) script.isPaused = true;
}

/** The script that names what was done; else the first that has not ended, since they run in their order. */
function scriptOf(scripts: readonly Script[], words: readonly string[]): Script | undefined {
  const naming = scripts.filter(({ text }) => words.some((word) => text.includes(word)));
  const among = naming.length > 0 ? naming : scripts;
  return (
    among.find(({ isPaused, isFolded }) => !isPaused && !isFolded) ??
    among.find(({ isPaused }) => !isPaused) ??
    among.at(-1)
  );
}

/** What a script would name of an action: its command, as a string of JavaScript; its tool, or files. */
function wordsOf(action: LogObject): string[] {
  const invocation = isLogObject(action.invocation) ? action.invocation : action;
  const words = typeof action.command === 'string' ? action.command : listIn(action, 'command').at(-1);
  const command = typeof words === 'string' ? words : '';
  const tool = textIn(invocation, 'tool');
  const files = isLogObject(action.changes) ? Object.keys(action.changes).slice(0, FILES) : [];
  return [
    ...(command === '' ? [] : [JSON.stringify(command), `'${command}'`, `\`${command}\``]),
    ...(tool === undefined ? [] : [tool]),
    ...files,
  ].filter((word) => word !== '' && word.length <= LETTERS);
}
