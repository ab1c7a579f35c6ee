import path from 'node:path';
import type {
  LogRecord,
  ReadEntry,
  ReadRecord,
  SessionFacts,
  SessionFile,
  SessionFormat,
} from '../format.ts';
import {
  countIn,
  isLogObject,
  type LogObject,
  listIn,
  nameOf,
  objectIn,
  parseJson,
  parseObject,
  shortHash,
  textIn,
  timeOf,
} from '../json.ts';
import {
  entryReads,
  labelOf,
  promptTitleRead,
  type SaidEntry,
  toolResult,
  unknownRecord,
  usageRead,
} from '../reads.ts';
import { callText, filesOf } from '../tools.ts';
import { blockMark, contentText, jsonText } from '../words.ts';

const FILE = /^([^/]+)\/([^/]+?)(\.messages)?\.json$/;

/**
 * Cline, its CLI. The vendor documents no log; the form is that of logs which 3.0.65 wrote: of each session a file that describes it, and
 * one with its messages, in Anthropic's form, which is written anew at each turn. Not read: tasks of the editor's extension.
 */
export const cline: SessionFormat = {
  agent: 'cline',
  root: ({ CLINE_SESSION_DATA_DIR, CLINE_DATA_DIR, CLINE_DIR }, home) =>
    CLINE_SESSION_DATA_DIR ||
    path.join(CLINE_DATA_DIR || path.join(CLINE_DIR || path.join(home, '.cline'), 'data'), 'sessions'),
  fileAt(below): SessionFile | undefined {
    const [, folder, session] = FILE.exec(below) ?? [];
    return folder === undefined || folder !== session ? undefined : { kind: 'text', session };
  },
  *text({ session: given, path: below, text }) {
    const whole = parseObject(text);
    const session = nameOf(given ?? below);
    const hasMessages = FILE.exec(below)?.[3] !== undefined;
    if (!whole || !hasMessages)
      yield whole && { type: 'session', known: true, reads: factsReads(session, whole) };
    if (!hasMessages) return;
    const read = messageReader(session);
    for (const message of listIn(whole, 'messages')) yield isLogObject(message) ? read(message) : undefined;
  },
};

function factsReads(session: string, described: LogObject): ReadRecord[] {
  const metadata = objectIn(described, 'metadata');
  const folder = textIn(described, 'cwd');
  const branch = textIn(objectIn(metadata, 'git'), 'branch');
  const version = textIn(objectIn(metadata, 'sessionHistoryOrigin'), 'version');
  const facts: SessionFacts = {
    ...(folder !== undefined && { folder }),
    ...(branch !== undefined && { branch }),
    ...(version !== undefined && { version }),
  };
  return [{ session, kind: 'facts', facts }];
}

/** What a person typed, without what the program puts around it. */
const INPUT = /^<user_input\b[^<>]*>([\s\S]*)<\/user_input>$/;

function messageReader(session: string): (message: LogObject) => LogRecord | undefined {
  const tools = new Map<string, string>();
  let at = 0;
  let titled = false;

  const entryRead = (said: SaidEntry) => entryReads(session, at, said);

  function promptReads(item: string, text: string): ReadRecord[] {
    const said = (INPUT.exec(text.trim())?.[1] ?? text).trim();
    const prompt = entryRead({ item, kind: 'prompt', text: said, byPerson: true });
    if (titled || prompt.length === 0) return prompt;
    titled = true;
    return [...prompt, promptTitleRead(session, said)];
  }

  function callReads(item: string, block: LogObject): ReadRecord[] {
    const call = nameOf(textIn(block, 'id') ?? item);
    const name = labelOf(textIn(block, 'name') ?? 'unnamed');
    tools.set(call, name);
    const input = objectIn(block, 'input');
    const commands = listIn(input, 'commands').filter((one) => typeof one === 'string');
    const files = [input, ...listIn(input, 'files')].flatMap((one) => filesOf(name, one));
    const entry: ReadEntry = {
      item: call,
      at,
      kind: 'tool_call',
      text: (commands.length > 0 ? commands.join('\n') : callText(block.input)).toWellFormed(),
      byPerson: false,
      tool: { name, call },
      ...(files.length > 0 && { files }),
    };
    return [{ session, kind: 'entry', entry }];
  }

  function resultReads(item: string, block: LogObject): ReadRecord[] {
    const own = textIn(block, 'tool_use_id');
    const call = own === undefined ? undefined : nameOf(own);
    const name = textIn(block, 'name') ?? (call === undefined ? undefined : tools.get(call)) ?? 'tool';
    const { text, failed } = outcomeOf(block.content);
    const entry = toolResult({ item, at, call, name, text, failed: failed || block.is_error === true });
    return [{ session, kind: 'entry', entry }];
  }

  function blockReads(item: string, block: LogObject, isPerson: boolean): ReadRecord[] {
    switch (textIn(block, 'type')) {
      case 'text':
        return isPerson
          ? promptReads(item, textIn(block, 'text') ?? '')
          : entryRead({ item, kind: 'answer', text: textIn(block, 'text') ?? '' });
      case 'thinking':
        return entryRead({ item, kind: 'thinking', text: textIn(block, 'thinking') ?? '' });
      case 'redacted_thinking':
        return [];
      case 'tool_use':
        return callReads(item, block);
      case 'tool_result':
        return resultReads(item, block);
      default:
        return entryRead({ item, kind: 'other', text: blockMark(block) ?? jsonText(block) });
    }
  }

  function usageReads(item: string, message: LogObject): ReadRecord[] {
    const metrics = objectIn(message, 'metrics');
    const output = countIn(metrics, 'outputTokens');
    const model = textIn(objectIn(message, 'modelInfo'), 'id');
    if (output === undefined || model === undefined) return [];
    const input = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens'].reduce(
      (sum, name) => sum + (countIn(metrics, name) ?? 0),
      0,
    );
    return [usageRead(session, { item, model, input, output })];
  }

  return (message) => {
    const role = textIn(message, 'role');
    if (role === undefined || role.length > 100) return undefined;
    at = timeOf(message.ts) ?? at;
    const text = JSON.stringify(message);
    const item = nameOf(textIn(message, 'id') ?? `line-${shortHash(text)}`);
    if (role !== 'user' && role !== 'assistant')
      return unknownRecord(role, message, { session, item, at, line: text });
    const isPerson = role === 'user' && objectIn(message, 'metadata')?.displayRole !== 'system';
    const content =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    const blocks = (Array.isArray(content) ? (content as readonly unknown[]) : []).filter(isLogObject);
    const reads = blocks.flatMap((block, n) => blockReads(n === 0 ? item : `${item}:${n}`, block, isPerson));
    return { type: role, known: true, reads: [...reads, ...usageReads(item, message)] };
  };
}

/** What a tool answered: its own words out of `{query, result, success}`, of several one after the other, or content of MCP. */
function outcomeOf(content: unknown): { text: string; failed: boolean } {
  const value = typeof content === 'string' ? (parseJson(content) ?? content) : content;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const outcomes = parts.map((part): { text: string; failed: boolean } => {
    if (!isLogObject(part)) return { text: contentText(part), failed: false };
    if (Array.isArray(part.content))
      return { text: contentText(part.content), failed: part.isError === true };
    const result = textIn(part, 'result') ?? textIn(part, 'error');
    return { text: result ?? contentText([part]), failed: part.success === false };
  });
  return { text: outcomes.map(({ text }) => text).join('\n'), failed: outcomes.some(({ failed }) => failed) };
}
