import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { isSpecType, type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';

/** The answer to what cannot be served; `id` is null where nobody can tell of which request it is. */
export interface McpRefusal {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/** What a client sent, as it is served, or how it is refused. */
export type McpInput = { message: JSONRPCMessage } | { refusal: McpRefusal };

const CODES = { notJson: -32700, noRequest: -32600, wrongParams: -32602 } as const;

/** Refuses what could not be read, and so belongs to no request. */
export function refuseText(why: string): McpRefusal {
  return refused(null, 'notJson', why);
}

/** Reads one JSON value that a client sent: null in the place of what may be left out is left out, and whatever is no message is refused with its id. */
export function readMessage(value: unknown): McpInput {
  const id = idOf(value);
  const given = withoutNulls(value);
  try {
    // What is nested beyond the stack could not be passed on.
    JSON.stringify(given);
  } catch {
    return { refusal: refused(id, 'noRequest', 'The message is nested too deeply') };
  }
  const message = parsed(given);
  // The SDK answers that its own reading of this one failed, as if it were our fault.
  const isUnfit =
    message !== undefined &&
    'method' in message &&
    message.method === 'completion/complete' &&
    !isSpecType.CompleteRequest(message);
  if (message && !isUnfit) return { message };
  if (isUnfit || (isRecord(given) && 'params' in given && parsed({ ...given, params: {} })))
    return {
      refusal: refused(id, 'wrongParams', 'The params of this message are no object that it may have'),
    };
  return { refusal: refused(id, 'noRequest', 'This is not a message of JSON-RPC 2.0') };
}

/**
 * Reads what a client writes line by line, and answers the lines that are served. What is refused goes to `refuse` and the next line is
 * read, so that no client waits for an answer that never comes. `longest`: the UTF-16 units of a line at most.
 */
export async function* servedLines(
  input: Readable,
  { longest, refuse }: { longest: number; refuse: (refusal: McpRefusal) => void },
): AsyncGenerator<Buffer> {
  for await (const line of linesOf(input, longest)) {
    if (line === undefined) {
      refuse(refuseText(`A message has more than ${longest} characters`));
      continue;
    }
    // It takes byte order marks, too.
    const text = line.trim();
    if (text === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      refuse(refuseText('A line is not JSON'));
      continue;
    }
    const read = readMessage(value);
    if ('refusal' in read) refuse(read.refusal);
    else yield Buffer.from(`${JSON.stringify(read.message)}\n`);
  }
}

/** The decoder of a stream that begins with these bytes: UTF-16 where a mark says so, as tools of Windows write it, else UTF-8. */
function decoderOf([first, second]: Uint8Array): TextDecoder {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8');
}

/** The lines of a stream; undefined in the place of one that is too long. */
async function* linesOf(input: Readable, longest: number): AsyncGenerator<string | undefined> {
  let decoder: TextDecoder | undefined;
  let first: Buffer = Buffer.alloc(0);
  let line = '';
  let isTooLong = false;
  const add = (text: string) => {
    isTooLong ||= line.length + text.length > longest;
    line = isTooLong ? '' : line + text;
  };
  const end = () => {
    const whole = isTooLong ? undefined : line;
    [line, isTooLong] = ['', false];
    return whole;
  };
  for await (const piece of input as AsyncIterable<Buffer>) {
    first = decoder ? piece : Buffer.concat([first, piece]);
    // A mark has two bytes at least.
    if (!decoder && first.length < 2) continue;
    decoder ??= decoderOf(first);
    const parts = decoder.decode(first, { stream: true }).split('\n');
    for (const [at, part] of parts.entries()) {
      if (at > 0) yield end();
      add(part);
    }
  }
  yield end();
}

function parsed(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

/** Levels of a message's params that are looked at: those that the protocol itself names. */
const LEVELS = 6;

/** A message whose params, and what may be left out of them, are left out where they are null. The arguments of a tool are its schema's to read. */
function withoutNulls(message: unknown): unknown {
  if (!isRecord(message) || !('params' in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  const kept = rest['method'] === 'tools/call' && isRecord(params) && isRecord(params['arguments']);
  const left = leftOut(params, LEVELS);
  return { ...rest, params: kept && isRecord(left) ? { ...left, arguments: params['arguments'] } : left };
}

function leftOut(value: unknown, levels: number): unknown {
  if (!isRecord(value) || levels === 0) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, leftOut(member, levels - 1)]));
}

/** The id of what may be a request; what answers a request of ours has the id of that. */
function idOf(value: unknown): string | number | null {
  if (!isRecord(value) || 'result' in value || 'error' in value) return null;
  const { id } = value;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function refused(id: McpRefusal['id'], code: keyof typeof CODES, message: string): McpRefusal {
  return { jsonrpc: '2.0', id, error: { code: CODES[code], message } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
