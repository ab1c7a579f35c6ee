import path from 'node:path';
import type {
  LineReader,
  LogRecord,
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
  shortHash,
  textIn,
  timeOf,
} from '../json.ts';
import {
  entryReads,
  labelOf,
  promptTitleRead,
  type SaidEntry,
  toolCall,
  toolResult,
  unknownRecord,
  usageRead,
} from '../reads.ts';
import { createRecent } from '../recent.ts';
import { blockMark, contentText, jsonText } from '../words.ts';

const LOG = /^(?:[^/]+\/)?[^/]+?_([^/]+)\.jsonl$/;

/**
 * pi. The vendor documents the whole format (docs/session-format.md and docs/message-types.md of the package, 1.6.0); logs of 0.73.1 and
 * 1.6.0 were read. A session is a tree: a branch that was left is part of what was done, and is read as the rest is.
 */
export const pi: SessionFormat = {
  agent: 'pi',
  root: (environment, home) =>
    environment.PI_CODING_AGENT_SESSION_DIR ||
    path.join(environment.PI_CODING_AGENT_DIR || path.join(home, '.pi', 'agent'), 'sessions'),
  fileAt(below): SessionFile | undefined {
    const session = LOG.exec(below)?.[1];
    return session === undefined ? undefined : { kind: 'lines', session };
  },
  lines: readSession,
};

/** Entries of the program: its settings, what extensions keep, and what changes a request alone. */
const SILENT: ReadonlySet<string> = new Set([
  'context_edit',
  'custom',
  'label',
  'model_change',
  'thinking_level_change',
]);

function readSession(file: SessionFile & { path: string }): LineReader {
  const session = nameOf(file.session ?? file.path);
  const tools = createRecent<string>(1_000);
  let at = 0;
  let titled = false;

  const entryRead = (said: SaidEntry) => entryReads(session, at, said);
  const factsRead = (facts: SessionFacts): ReadRecord[] => [{ session, kind: 'facts', facts }];

  function headerReads(record: LogObject): ReadRecord[] {
    const folder = textIn(record, 'cwd');
    const forked = LOG.exec(
      path.posix.basename(textIn(record, 'parentSession')?.replaceAll('\\', '/') ?? ''),
    );
    return factsRead({
      ...(folder !== undefined && { folder }),
      ...(forked?.[1] !== undefined && { parent: { session: nameOf(forked[1]), kind: 'fork' } }),
    });
  }

  function promptReads(item: string, message: LogObject): ReadRecord[] {
    const text = contentText(message.content).trim();
    if (text === '') return [];
    const isFirst = !titled;
    titled = true;
    return [
      ...entryRead({ item, kind: 'prompt', text, byPerson: true }),
      ...(isFirst ? [promptTitleRead(session, text)] : []),
    ];
  }

  function blockReads(item: string, n: number, block: LogObject): ReadRecord[] {
    const part = n === 0 ? item : `${item}:${n}`;
    switch (textIn(block, 'type')) {
      case 'text':
        return entryRead({ item: part, kind: 'answer', text: textIn(block, 'text') ?? '' });
      case 'thinking':
        return entryRead({ item: part, kind: 'thinking', text: textIn(block, 'thinking') ?? '' });
      case 'toolCall': {
        const call = nameOf(textIn(block, 'id') ?? part);
        const name = labelOf(textIn(block, 'name') ?? 'unnamed');
        tools.set(call, name);
        const entry = toolCall({ item: call, at, name, input: block.arguments });
        return [{ session, kind: 'entry', entry }];
      }
      default:
        return entryRead({ item: part, kind: 'other', text: blockMark(block) ?? jsonText(block) });
    }
  }

  function usageReads(item: string, { usage, model }: LogObject): ReadRecord[] {
    const used = isLogObject(usage) ? usage : undefined;
    const output = countIn(used, 'output');
    if (output === undefined || typeof model !== 'string' || model === '') return [];
    const input = ['input', 'cacheRead', 'cacheWrite'].reduce(
      (sum, name) => sum + (countIn(used, name) ?? 0),
      0,
    );
    return [usageRead(session, { item, model, input, output })];
  }

  function answerReads(item: string, message: LogObject): ReadRecord[] {
    const blocks = listIn(message, 'content').filter(isLogObject);
    return [...blocks.flatMap((block, n) => blockReads(item, n, block)), ...usageReads(item, message)];
  }

  function resultReads(item: string, message: LogObject): ReadRecord[] {
    const own = textIn(message, 'toolCallId');
    const call = own === undefined ? undefined : nameOf(own);
    const name = textIn(message, 'toolName') ?? (call === undefined ? undefined : tools.get(call)) ?? 'tool';
    const text = contentText(message.content);
    const entry = toolResult({ item, at, call, name, text, failed: message.isError === true });
    return [{ session, kind: 'entry', entry }];
  }

  /** A command that the person ran with `!`, and what it printed. */
  function commandReads(item: string, message: LogObject): ReadRecord[] {
    const tool = { name: '!', call: item };
    const failed =
      message.cancelled === true || (typeof message.exitCode === 'number' && message.exitCode !== 0);
    return [
      ...entryRead({ item, kind: 'tool_call', text: textIn(message, 'command') ?? '', byPerson: true, tool }),
      ...entryRead({
        item: `${item}:result`,
        kind: 'tool_result',
        text: textIn(message, 'output') ?? '',
        tool: { ...tool, failed },
      }),
    ];
  }

  function messageReads(item: string, message: LogObject): ReadRecord[] | undefined {
    switch (textIn(message, 'role')) {
      case 'user':
        return promptReads(item, message);
      case 'assistant':
        return answerReads(item, message);
      case 'toolResult':
        return resultReads(item, message);
      case 'bashExecution':
        return commandReads(item, message);
      case 'compactionSummary':
      case 'branchSummary':
        return entryRead({ item, kind: 'summary', text: textIn(message, 'summary') ?? '' });
      case 'system':
        return [];
      case 'custom':
      case 'hookMessage':
        return injectedReads(item, message);
      default:
        return undefined;
    }
  }

  /** What an extension put before the model; the person sees it where it says so. */
  function injectedReads(item: string, message: LogObject): ReadRecord[] {
    if (message.display !== true) return [];
    return entryRead({ item, kind: 'prompt', text: contentText(message.content) });
  }

  function knownReads(type: string, item: string, record: LogObject): ReadRecord[] | undefined {
    switch (type) {
      case 'session':
        return headerReads(record);
      case 'message':
        return messageReads(item, objectIn(record, 'message') ?? {});
      case 'compaction':
      case 'branch_summary':
        return entryRead({ item, kind: 'summary', text: textIn(record, 'summary') ?? '' });
      case 'custom_message':
        return injectedReads(item, record);
      case 'session_info': {
        const name = textIn(record, 'name')?.trim();
        return name ? factsRead({ title: { text: name.toWellFormed(), rank: 50 } }) : [];
      }
      case 'usage':
        return usageReads(item, record);
      default:
        return SILENT.has(type) ? [] : undefined;
    }
  }

  return {
    read(record, text): LogRecord | undefined {
      const kind = textIn(record, 'type');
      if (kind === undefined || kind.length > 100) return undefined;
      at = timeOf(record.timestamp) ?? at;
      const own = textIn(record, 'id');
      const item = nameOf(own ?? `line-${shortHash(text)}`);
      const reads = knownReads(kind, item, record);
      if (reads) return { type: kind, known: true, reads };
      const role = kind === 'message' ? textIn(objectIn(record, 'message'), 'role') : undefined;
      const type = role === undefined ? kind : `${kind}/${role.slice(0, 100)}`;
      return unknownRecord(type, record, { session, item, at, line: text });
    },
    writtenAt: (record) =>
      textIn(record, 'type') !== undefined && textIn(record, 'id') !== undefined
        ? timeOf(record.timestamp)
        : undefined,
  };
}
