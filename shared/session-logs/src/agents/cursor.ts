import path from 'node:path';
import type { LineReader, LogRecord, ReadRecord, ReadEntry, SessionFile, SessionFormat } from '../format.ts';
import {
  isLogObject,
  type LogObject,
  listIn,
  nameOf,
  parseObject,
  shortHash,
  textIn,
  timeOf,
} from '../json.ts';
import { labelOf, promptTitleRead } from '../reads.ts';
import { callText, filesOf } from '../tools.ts';
import { isSaid } from '../unknown.ts';
import { contentText, jsonText, lineText } from '../words.ts';

const TRANSCRIPT = /^projects\/[^/]+\/agent-transcripts\/(?:([^/]+)\/(subagents\/)?)?([^/]+)\.(jsonl|txt)$/;
const CHAT = /^chats\/[^/]+\/([^/]+)\/meta\.json$/;

/**
 * Cursor. Certain: the transcripts of its agent, which have neither times nor ids, so an entry is told by what it says and how often, and
 * `at` is 0 in a file of lines. Less certain: `chats/…/meta.json`. Not read: `store.db` beside it (objects of an unknown form) and the
 * chats of the editor in `state.vscdb`.
 */
export const cursor: SessionFormat = {
  agent: 'cursor',
  root: (_environment, home) => path.join(home, '.cursor'),
  fileAt(below): SessionFile | undefined {
    const [, folder, sub, session, form] = TRANSCRIPT.exec(below) ?? [];
    if (session !== undefined) {
      const kind = form === 'txt' ? 'text' : 'lines';
      return { kind, session, ...(sub !== undefined && folder !== undefined && { parent: folder }) };
    }
    const chat = CHAT.exec(below)?.[1];
    return chat === undefined ? undefined : { kind: 'text', session: chat };
  },
  lines: readLines,
  text: (file) => (file.path.endsWith('.json') ? chatRecords(file) : textRecords(file)),
};

function* chatRecords({
  session,
  path: below,
  text,
}: SessionFile & { path: string; text: string }): Generator<LogRecord | undefined> {
  const meta = parseObject(text);
  if (!meta) {
    yield undefined;
    return;
  }
  const title = textIn(meta, 'title')?.trim();
  const facts = title ? { title: { text: title.toWellFormed(), rank: 40 } } : {};
  yield {
    type: 'meta.json',
    known: true,
    reads: [{ session: nameOf(session ?? below), kind: 'facts', facts }],
  };
}

/** What the entries of one transcript need of each other. */
interface Place {
  session: string;
  at: number;
  byAgent: boolean;
  /** How often each text came, by its hash: 16 characters a text. */
  counts: Map<string, number>;
  begun: boolean;
}

function placeOf(file: SessionFile & { path: string }, at: number): Place {
  return {
    session: nameOf(file.session ?? file.path),
    at,
    byAgent: file.parent !== undefined,
    counts: new Map(),
    begun: false,
  };
}

function parentReads(place: Place, file: SessionFile): ReadRecord[] {
  if (place.begun || file.parent === undefined) return [];
  const parent = { session: nameOf(file.parent), kind: 'subagent' } as const;
  return [{ session: place.session, kind: 'facts', facts: { parent } }];
}

function entryRead(
  place: Place,
  entry: Omit<ReadEntry, 'item' | 'at' | 'byPerson'> & { own?: string | undefined },
): ReadRecord {
  const { own, ...rest } = entry;
  const byPerson = rest.kind === 'prompt' && !place.byAgent;
  const item = own === undefined ? occurrence(place, `${rest.kind}-${shortHash(rest.text)}`) : nameOf(own);
  return {
    session: place.session,
    kind: 'entry',
    entry: { ...rest, item, at: place.at, byPerson, text: rest.text.toWellFormed() },
  };
}

function occurrence(place: Place, key: string): string {
  const n = (place.counts.get(key) ?? 0) + 1;
  place.counts.set(key, n);
  return n === 1 ? key : `${key}-${n}`;
}

function promptReads(place: Place, given: string): ReadRecord[] {
  const start = given.indexOf('<user_query>');
  const end = given.lastIndexOf('</user_query>');
  const text = (start !== -1 && end > start ? given.slice(start + 12, end) : given).trim();
  if (text === '') return [];
  const read = entryRead(place, { kind: 'prompt', text });
  if (place.begun) return [read];
  place.begun = true;
  return [read, promptTitleRead(place.session, text)];
}

function readLines(file: SessionFile & { path: string }): LineReader {
  const place = placeOf(file, 0);
  return {
    read(record, text): LogRecord | undefined {
      place.at = timeOf(record.timestamp) ?? place.at;
      const message = isLogObject(record.message) ? record.message : record;
      const role = textIn(record, 'role') ?? textIn(message, 'role');
      const type = role ?? textIn(record, 'type')?.slice(0, 100) ?? 'unnamed';
      const parent = parentReads(place, file);
      if (role === 'user') return { type, known: true, reads: [...parent, ...userReads(place, message)] };
      if (role === 'assistant')
        return { type, known: true, reads: [...parent, ...assistantReads(place, message)] };
      // Newer lines tell that a turn ended.
      if (type === 'turn_ended' || type === 'summary') return { type, known: true, reads: parent };
      if (!isSaid(record)) return { type, known: false, reads: parent };
      const entry = entryRead(place, { kind: 'other', text: lineText(text, record) });
      return { type, known: false, reads: [...parent, entry] };
    },
    writtenAt: (record) =>
      textIn(record, 'role') !== undefined && isLogObject(record.message)
        ? (timeOf(record.timestamp) ?? 0)
        : undefined,
  };
}

function userReads(place: Place, message: LogObject): ReadRecord[] {
  const blocks = listIn(message, 'content').filter(isLogObject);
  const results = blocks
    .filter((block) => block.type === 'tool_result')
    .map((block) => resultRead(place, block));
  const said = blocks.filter((block) => block.type !== 'tool_result');
  const text = typeof message.content === 'string' ? message.content : contentText(said);
  return [...results, ...promptReads(place, text)];
}

function assistantReads(place: Place, message: LogObject): ReadRecord[] {
  if (typeof message.content === 'string') return answerReads(place, message.content);
  return listIn(message, 'content')
    .filter(isLogObject)
    .flatMap((block) => {
      switch (block.type) {
        case 'text':
          return answerReads(place, textIn(block, 'text') ?? '');
        case 'thinking':
          return thoughtReads(place, textIn(block, 'thinking') ?? '');
        case 'tool_use':
          return [
            callRead(place, {
              name: textIn(block, 'name') ?? 'unnamed',
              input: block.input,
              id: textIn(block, 'id'),
            }),
          ];
        case 'tool_result':
          return [resultRead(place, block)];
        default:
          return [entryRead(place, { kind: 'other', text: jsonText(block) })];
      }
    });
}

function answerReads(place: Place, text: string): ReadRecord[] {
  return text.trim() === '' ? [] : [entryRead(place, { kind: 'answer', text: text.trim() })];
}

function thoughtReads(place: Place, text: string): ReadRecord[] {
  return text.trim() === '' ? [] : [entryRead(place, { kind: 'thinking', text: text.trim() })];
}

function callRead(
  place: Place,
  { name, input, id }: { name: string; input: unknown; id?: string | undefined },
): ReadRecord {
  const tool = labelOf(name);
  const files = filesOf(tool, input);
  return entryRead(place, {
    own: id,
    kind: 'tool_call',
    text: callText(input),
    tool: { name: tool, ...(id !== undefined && { call: nameOf(id) }) },
    ...(files.length > 0 && { files }),
  });
}

function resultRead(place: Place, block: LogObject): ReadRecord {
  const call = textIn(block, 'tool_use_id');
  return entryRead(place, {
    own: call && `${nameOf(call)}:result`,
    kind: 'tool_result',
    text: contentText(block.content),
    tool: {
      name: 'tool',
      ...(call !== undefined && { call: nameOf(call) }),
      failed: block.is_error === true,
    },
  });
}

const ROLE = /^(user|assistant):\s*$/;
const MARK = /^\[(Thinking|Tool call|Tool result)\]\s*(.*)$/;

/** Older transcripts are plain text: who speaks stands on a line of its own, calls and results behind a mark, indented. */
function* textRecords(
  file: SessionFile & { path: string; text: string; changedAt: number },
): Generator<LogRecord | undefined> {
  const place = placeOf(file, file.changedAt);
  let role: string | undefined;
  let lines: string[] = [];
  for (const line of [...file.text.split('\n'), 'user:']) {
    const next = ROLE.exec(line)?.[1];
    if (next === undefined) {
      lines.push(line);
      continue;
    }
    const parent = parentReads(place, file);
    if (role === 'user')
      yield { type: role, known: true, reads: [...parent, ...promptReads(place, lines.join('\n'))] };
    else if (role !== undefined)
      yield { type: role, known: true, reads: [...parent, ...blockReads(place, lines)] };
    role = next;
    lines = [];
  }
}

function blockReads(place: Place, lines: readonly string[]): ReadRecord[] {
  const reads: ReadRecord[] = [];
  let mark: { kind: string; rest: string } | undefined;
  let body: string[] = [];
  const end = () => {
    const text = body.join('\n').trim();
    body = [];
    if (!mark) reads.push(...answerReads(place, text));
    else if (mark.kind === 'Thinking') reads.push(...thoughtReads(place, `${mark.rest}\n${text}`));
    else if (mark.kind === 'Tool call')
      reads.push(callRead(place, { name: mark.rest || 'unnamed', input: argumentsIn(text) }));
    else
      reads.push(
        entryRead(place, { kind: 'tool_result', text, tool: { name: mark.rest.slice(0, 200) || 'tool' } }),
      );
    mark = undefined;
  };
  for (const line of lines) {
    const found = MARK.exec(line);
    // What is not indented ends what a mark began.
    if (found || (mark && /^\S/.test(line))) end();
    if (found) mark = { kind: found[1] ?? '', rest: (found[2] ?? '').trim() };
    else body.push(line);
  }
  end();
  return reads;
}

function argumentsIn(text: string): unknown {
  const object = parseObject(text);
  if (object) return object;
  const pairs = text.split('\n').map((line) => /^\s*([\w.-]{1,60})=(.*)$/.exec(line));
  if (text === '' || !pairs.every((pair) => pair !== null)) return text;
  return Object.fromEntries(pairs.map((pair) => [pair[1] ?? '', (pair[2] ?? '').trim()]));
}
