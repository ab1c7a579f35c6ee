import type { ReadRecord, ReadEntry } from '../../format.ts';
import { countIn, isLogObject, type LogObject, nameOf, objectIn, textIn, timeOf } from '../../json.ts';
import { labelOf } from '../../reads.ts';
import { callText, filesOf } from '../../tools.ts';
import { addressMark, jsonText, promptTitle } from '../../words.ts';

/** A message with its parts, as their rows hold them. */
export interface OpencodeMessage {
  id: string;
  data: LogObject;
  createdAt: number;
  parts: readonly MessagePart[];
}

/** A part of a message. `changed`: since it was read last. */
export interface MessagePart {
  id: string;
  data: LogObject;
  createdAt: number;
  changed: boolean;
}

/** Parts that say nothing to a reader. */
const SILENT: ReadonlySet<string> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'agent',
  'retry',
  'compaction',
]);

/** Reads a message: a prompt as a whole, a reply part by part. Undefined: of a role that nobody knows. */
export function messageReads(
  session: string,
  message: OpencodeMessage,
): { reads: ReadRecord[]; unknown: string[] } | undefined {
  const role = textIn(message.data, 'role');
  if (role === 'user') return { reads: promptReads(session, message), unknown: [] };
  if (role !== 'assistant') return undefined;
  const unknown: string[] = [];
  const reads = message.parts.flatMap((part) => {
    if (!part.changed) return [];
    const said = partReads(part, message);
    if (!said) unknown.push((textIn(part.data, 'type') ?? 'unnamed').slice(0, 100));
    return (said ?? [otherEntry(part)]).map((entry): ReadRecord => ({ session, kind: 'entry', entry }));
  });
  const usage = usageOf(message);
  return { reads: usage ? [...reads, { session, kind: 'usage', usage }] : reads, unknown };
}

function promptReads(session: string, { id, createdAt, parts }: OpencodeMessage): ReadRecord[] {
  if (!parts.some((part) => part.changed)) return [];
  const text = parts
    .map(({ data }) => {
      // What opencode itself put in, such as the contents of files that the person named.
      if (data.synthetic === true || data.ignored === true) return '';
      return data.type === 'text' ? (textIn(data, 'text') ?? '') : data.type === 'file' ? fileMark(data) : '';
    })
    .filter((part) => part.trim() !== '')
    .join('\n')
    .toWellFormed();
  if (text === '') return [];
  const files = parts.flatMap(({ data }) => textIn(objectIn(data, 'source'), 'path') ?? []);
  const entry: ReadEntry = {
    item: nameOf(id),
    at: createdAt,
    kind: 'prompt',
    text,
    byPerson: true,
    ...(files.length > 0 && { files }),
  };
  return [{ session, kind: 'entry', entry }];
}

/** The title of a session whose own is a placeholder. */
export function promptTitleOf(reads: readonly ReadRecord[]): string | undefined {
  const prompt = reads.find((read) => read.kind === 'entry' && read.entry.kind === 'prompt');
  return prompt?.kind === 'entry' ? promptTitle(prompt.entry.text) : undefined;
}

function fileMark(data: LogObject): string {
  const address = textIn(data, 'url') ?? '';
  if (address.startsWith('data:')) return addressMark(address);
  return `[${textIn(data, 'mime') ?? 'file'}, ${textIn(data, 'filename') ?? address.slice(0, 2000)}]`;
}

function partReads(part: MessagePart, { data: message }: OpencodeMessage): ReadEntry[] | undefined {
  const { data } = part;
  const base = {
    item: nameOf(part.id),
    at: timeOf(objectIn(data, 'time')?.start) ?? part.createdAt,
    byPerson: false,
  };
  const text = (textIn(data, 'text') ?? '').toWellFormed();
  switch (data.type) {
    case 'text': {
      if (text.trim() === '' || data.synthetic === true) return [];
      return [{ ...base, kind: message.summary === true ? 'summary' : 'answer', text }];
    }
    case 'reasoning':
      return text.trim() === '' ? [] : [{ ...base, kind: 'thinking', text }];
    case 'file':
      return [{ ...base, kind: 'answer', text: fileMark(data).toWellFormed() }];
    case 'tool':
      return toolEntries(part, base);
    case 'subtask':
      return [{ ...base, kind: 'tool_call', text: callText(data).toWellFormed(), tool: { name: 'subtask' } }];
    default:
      return typeof data.type === 'string' && SILENT.has(data.type) ? [] : undefined;
  }
}

function toolEntries(
  { data, id }: MessagePart,
  base: { item: string; at: number; byPerson: boolean },
): ReadEntry[] {
  const state = objectIn(data, 'state');
  const status = textIn(state, 'status') ?? 'pending';
  const name = labelOf(textIn(data, 'tool') ?? 'unnamed');
  const tool = { name, call: nameOf(textIn(data, 'callID') ?? id) };
  const files = filesOf(name, state?.input);
  const at = timeOf(objectIn(state, 'time')?.start) ?? base.at;
  const call: ReadEntry = {
    ...base,
    at,
    kind: 'tool_call',
    text: callText(state?.input).toWellFormed(),
    tool,
    ...(files.length > 0 && { files }),
  };
  if (status !== 'completed' && status !== 'error') return [call];
  const metadata = objectIn(state, 'metadata');
  const exit = metadata?.exit;
  const child = textIn(metadata, 'sessionId') ?? textIn(metadata, 'sessionID');
  const said = textIn(state, status === 'error' ? 'error' : 'output') ?? '';
  const result: ReadEntry = {
    ...base,
    item: `${base.item}:result`,
    at: timeOf(objectIn(state, 'time')?.end) ?? at,
    kind: 'tool_result',
    text: said.toWellFormed(),
    tool: { ...tool, failed: status === 'error' || (typeof exit === 'number' && exit !== 0) },
    ...(child !== undefined && { child: nameOf(child) }),
  };
  return [call, result];
}

function otherEntry(part: MessagePart): ReadEntry {
  const text = jsonText(part.data).toWellFormed();
  return { item: nameOf(part.id), at: part.createdAt, kind: 'other', text, byPerson: false };
}

function usageOf({ id, data }: OpencodeMessage) {
  const tokens = objectIn(data, 'tokens');
  const input = countIn(tokens, 'input');
  const output = countIn(tokens, 'output');
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  const cache = isLogObject(tokens?.cache) ? tokens.cache : undefined;
  return {
    item: nameOf(id),
    model: labelOf(textIn(data, 'modelID') ?? 'unknown'),
    input: input + (countIn(cache, 'read') ?? 0) + (countIn(cache, 'write') ?? 0),
    output: output + (countIn(tokens, 'reasoning') ?? 0),
  };
}
