import type { ReadRecord } from '../../format.ts';
import { countIn, isLogObject, type LogObject, nameOf, objectIn, parseJson, textIn } from '../../json.ts';
import { labelOf } from '../../reads.ts';
import { callText, filesOf, fitFiles } from '../../tools.ts';
import { contentText, jsonText } from '../../words.ts';
import { entryRead, type RecordPlace } from './place.ts';

interface Call {
  call: string;
  name: string;
  input: unknown;
  files?: readonly string[];
  text?: string;
}

/** A call as the model made it. */
export function callReads(place: RecordPlace, { call, name, input, files, text }: Call): ReadRecord[] {
  const item = nameOf(call);
  const tool = labelOf(name);
  place.tools.set(item, tool);
  const touched = fitFiles([...(files ?? []), ...filesOf(tool, input)]);
  return [
    entryRead(place, {
      item,
      kind: 'tool_call',
      text: text ?? callText(input),
      tool: { name: tool, call: item },
      ...(touched.length > 0 && { files: touched }),
    }),
  ];
}

interface Result {
  call: string;
  text: string;
  failed?: boolean | undefined;
  child?: string | undefined;
  files?: readonly string[];
}

/** Reads what a call came to. */
export function resultReads(place: RecordPlace, { call, text, failed, child, files }: Result): ReadRecord[] {
  const item = nameOf(call);
  return [
    entryRead(place, {
      item: `${item}:result`,
      kind: 'tool_result',
      text,
      tool: { name: place.tools.get(item) ?? 'tool', call: item, ...(failed !== undefined && { failed }) },
      ...(files !== undefined && files.length > 0 && { files: fitFiles(files) }),
      ...(child !== undefined && { child: nameOf(child) }),
    }),
  ];
}

/** A call with its result as Codex displayed it; where the file has the call in the model's own words, those stay. */
export function displayedReads(
  place: RecordPlace,
  { call, result }: { call: Call; result?: Omit<Result, 'call'> },
): ReadRecord[] {
  const item = nameOf(call.call);
  const calls = place.tools.get(item) === undefined ? callReads(place, call) : [];
  if (!result) return calls;
  place.displayed.set(item, true);
  return [...calls, ...resultReads(place, { ...result, call: call.call })];
}

/** The result of a call as the model saw it; nothing where a better one was displayed. */
export function outputReads(place: RecordPlace, call: string, output: unknown): ReadRecord[] {
  if (place.displayed.get(nameOf(call))) return [];
  return resultReads(place, { call, ...outcomeOf(output) });
}

const EXIT = /^(?:Process exited with code|Exit code:) (-?\d+)/m;
const OUTPUT = /^Output:\n?/m;
/** How Codex says that a script of code mode ended. */
const SCRIPT = /^Script (completed|failed)/;

function outcomeOf(output: unknown): Omit<Result, 'call'> {
  const given = typeof output === 'string' && output.startsWith('{') ? (parseJson(output) ?? output) : output;
  if (isLogObject(given)) {
    const child = textIn(given, 'agent_id') ?? textIn(given, 'new_thread_id');
    const exit = objectIn(given, 'metadata')?.exit_code ?? given.exit_code;
    const success = typeof given.success === 'boolean' ? !given.success : undefined;
    const failed = typeof exit === 'number' ? exit !== 0 : success;
    const text =
      textIn(given, 'output') ?? (given.content === undefined ? jsonText(given) : contentText(given.content));
    return {
      ...(typeof output === 'string' && given.output === undefined ? { text: output } : { text }),
      failed,
      child,
    };
  }
  const text = contentText(given);
  // Codex says how a command ended in lines before its output.
  const head = text.slice(0, 1_000);
  const exit = EXIT.exec(head);
  const start = OUTPUT.exec(head);
  if (!exit || !start || start.index < exit.index) {
    const [, ended] = SCRIPT.exec(head) ?? [];
    return { text, failed: ended === undefined ? undefined : ended === 'failed' };
  }
  return { text: text.slice(start.index + start[0].length), failed: exit[1] !== '0' };
}

/** The files of a change, and the change as a diff. */
export function changesOf(changes: unknown): { files: string[]; text: string } {
  const listed: unknown[] = Array.isArray(changes) ? changes : [];
  const named: [string, unknown][] = isLogObject(changes)
    ? Object.entries(changes)
    : listed.filter(isLogObject).map((change) => [textIn(change, 'path') ?? '', change]);
  const texts = named.map(([path, change]) =>
    `*** ${path}\n${isLogObject(change) ? changeText(change) : ''}`.trimEnd(),
  );
  const moved = named.flatMap(([, change]) => (isLogObject(change) ? (movedTo(change) ?? []) : []));
  return { files: fitFiles([...named.map(([path]) => path), ...moved]), text: texts.join('\n') };
}

/** A change is `{type:'update', unified_diff}`, or `{update:{unified_diff}}` in older files, or `{kind, diff}` in the database. */
function changeText(change: LogObject): string {
  const inner = objectIn(change, 'update') ?? objectIn(change, 'add') ?? objectIn(change, 'delete') ?? change;
  const diff = textIn(inner, 'unified_diff') ?? textIn(inner, 'diff');
  if (diff !== undefined) return diff;
  const content = textIn(inner, 'content');
  if (content === undefined) return '';
  const mark = change.type === 'delete' || change.delete !== undefined ? '-' : '+';
  return content
    .split('\n')
    .map((line) => mark + line)
    .join('\n');
}

function movedTo(change: LogObject): string | undefined {
  return textIn(objectIn(change, 'update') ?? change, 'move_path');
}

/** Tells by a number of exit, or a status, whether it failed; undefined where neither is there. */
export function failedBy(item: LogObject): boolean | undefined {
  const exit = item.exit_code ?? item.exitCode;
  if (typeof exit === 'number') return exit !== 0;
  if (typeof item.success === 'boolean') return !item.success;
  const status = textIn(item, 'status');
  if (status === undefined) return undefined;
  return /^(?:failed|declined|error)/i.test(status)
    ? true
    : /^(?:completed|success)/i.test(status)
      ? false
      : undefined;
}

/** Tokens of the last reply, or nothing where the record says none. */
export function tokensOf(
  info: LogObject | undefined,
): { input: number; output: number; total: number | undefined } | undefined {
  const last = objectIn(info, 'last_token_usage');
  const input = countIn(last, 'input_tokens');
  const output = countIn(last, 'output_tokens');
  if (input === undefined || output === undefined) return undefined;
  return { input, output, total: countIn(objectIn(info, 'total_token_usage'), 'total_tokens') };
}
