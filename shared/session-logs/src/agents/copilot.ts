import path from 'node:path';
import type { LineReader, LogRecord, ReadRecord, ReadEntry, SessionFile, SessionFormat } from '../format.ts';
import {
  countIn,
  isLogObject,
  type LogObject,
  listIn,
  nameOf,
  objectIn,
  parseJson,
  shortHash,
  textIn,
  timeOf,
} from '../json.ts';
import {
  entryReads,
  labelOf,
  newFacts,
  promptTitleRead,
  toolCall,
  toolResult,
  unknownRecord,
  usageRead,
} from '../reads.ts';
import { createRecent } from '../recent.ts';
import { contentText, jsonText } from '../words.ts';

const EVENTS = /^session-state\/([^/]+)(?:\/events)?\.jsonl$/;
const WORKSPACE = /^session-state\/([^/]+)\/workspace\.yaml$/;

/**
 * Copilot CLI. Certain: the layout (documented), and that an event is `{type, data, timestamp}` with the types read here (two public
 * readers agree). Less certain: `parentToolCallId` on what subagents do, `workspace.yaml`, and the types that only are known to exist.
 * Tokens are told when a session is shut down, and not before. Older folders (`history-session-state`) are of an unknown format.
 */
export const copilot: SessionFormat = {
  agent: 'copilot',
  root: (environment, home) => environment.COPILOT_HOME || path.join(home, '.copilot'),
  fileAt(below): SessionFile | undefined {
    const session = EVENTS.exec(below)?.[1];
    if (session !== undefined) return { kind: 'lines', session };
    const described = WORKSPACE.exec(below)?.[1];
    return described === undefined ? undefined : { kind: 'text', session: described };
  },
  lines: readEvents,
  *text({ session, text, path: below }) {
    const title = /^(?:name|summary): *(["']?)(.+)\1 *$/m.exec(text.slice(0, 20_000))?.[2]?.trim();
    const facts = title ? { title: { text: title.toWellFormed(), rank: 30 } } : {};
    yield {
      type: 'workspace.yaml',
      known: true,
      reads: [{ session: nameOf(session ?? below), kind: 'facts', facts }],
    };
  },
};

/** Whether a command ended badly: its tool did well then, and says `success`. */
function hasFailedCommand(data: LogObject): boolean {
  const exit = objectIn(data, 'shellExecution')?.exitCode;
  return typeof exit === 'number' && exit !== 0;
}

/** Events that say nothing, or what another one says better. */
const SILENT =
  /^(?:abort|assistant\.(?:intent|turn_start|turn_end|usage|streaming_delta|message_delta|message_start|reasoning_delta)|commands?\..+|elicitation\..+|external_tool\..+|hook\..+|mcp\..+|pending_messages\..+|permission\..+|sampling\..+|session\..+|skill\..+|subagent\..+|system\..+|tool\.(?:execution_partial_result|execution_progress|user_requested)|user_input\..+)$/;

function readEvents(file: SessionFile & { path: string }): LineReader {
  const own = nameOf(file.session ?? file.path);
  const tools = createRecent<string>(1_000);
  const thoughts = createRecent<true>(1_000);
  const agents = createRecent<true>(1_000);
  const begun = createRecent<true>(1_000);
  let at = 0;
  let titled = false;

  /** What a subagent does stands in the file of its parent, with the call that began it. */
  function sessionOf(data: LogObject): { session: string; facts: ReadRecord[] } {
    const call = textIn(data, 'parentToolCallId');
    if (call === undefined) return { session: own, facts: [] };
    const session = nameOf(`${own}:${call}`);
    if (begun.get(session)) return { session, facts: [] };
    begun.set(session, true);
    return {
      session,
      facts: [{ session, kind: 'facts', facts: { parent: { session: own, kind: 'subagent' } } }],
    };
  }

  function callRead(session: string, call: string, given: { name: string; input: unknown }): ReadRecord[] {
    const item = nameOf(call);
    if (tools.get(item) !== undefined) return [];
    const name = labelOf(given.name);
    tools.set(item, name);
    const input = typeof given.input === 'string' ? (parseJson(given.input) ?? given.input) : given.input;
    return [{ session, kind: 'entry', entry: toolCall({ item, at, name, input }) }];
  }

  function thoughtReads(session: string, text: string | undefined): ReadRecord[] {
    if (text === undefined || text.trim() === '') return [];
    const item = `thinking-${shortHash(text)}`;
    if (thoughts.get(item)) return [];
    thoughts.set(item, true);
    return entryReads(session, at, { item, kind: 'thinking', text });
  }

  function messageReads(item: string, session: string, data: LogObject): ReadRecord[] {
    const calls = listIn(data, 'toolRequests').filter(isLogObject);
    return [
      ...thoughtReads(session, textIn(data, 'reasoningText')),
      ...entryReads(session, at, { item, kind: 'answer', text: contentText(data.content) }),
      ...calls.flatMap((call) => {
        const id = textIn(call, 'toolCallId');
        if (id === undefined) return [];
        return callRead(session, id, { name: textIn(call, 'name') ?? 'unnamed', input: call.arguments });
      }),
    ];
  }

  function resultReads(session: string, data: LogObject): ReadRecord[] {
    const call = textIn(data, 'toolCallId');
    if (call === undefined) return [];
    const item = nameOf(call);
    const result = objectIn(data, 'result');
    const failure = textIn(objectIn(data, 'error'), 'message') ?? textIn(data, 'error');
    const text =
      failure ?? textIn(result, 'content') ?? textIn(result, 'detailedContent') ?? contentText(data.result);
    const failed = data.success === false || failure !== undefined || hasFailedCommand(data);
    const entry: ReadEntry = {
      ...toolResult({ item, at, call: item, name: tools.get(item) ?? 'tool', text, failed }),
      ...(agents.get(item) && { child: nameOf(`${own}:${call}`) }),
    };
    return [{ session, kind: 'entry', entry }];
  }

  function promptReads(item: string, session: string, data: LogObject): ReadRecord[] {
    const text = contentText(data.content);
    // `source` is set where a program put the message in: a skill, a report, a continuation.
    const source = textIn(data, 'source') ?? 'user';
    const byPerson = session === own && /^(?:user|typed|human|cli)$/i.test(source);
    const reads = entryReads(session, at, { item, kind: 'prompt', text, byPerson });
    if (titled || session !== own || reads.length === 0) return reads;
    titled = true;
    return [...reads, promptTitleRead(session, text)];
  }

  function contextReads(data: LogObject): ReadRecord[] {
    const context = objectIn(data, 'context') ?? data;
    const facts = newFacts({
      folder: textIn(context, 'cwd'),
      branch: textIn(context, 'branch'),
      version: textIn(data, 'copilotVersion'),
    });
    return Object.keys(facts).length === 0 ? [] : [{ session: own, kind: 'facts', facts }];
  }

  /** What a session took so far: a resumed one counts on, so the last of these says all (1.0.102). */
  function shutdownReads(data: LogObject): ReadRecord[] {
    return Object.entries(objectIn(data, 'modelMetrics') ?? {}).flatMap(([model, metrics]): ReadRecord[] => {
      const usage = isLogObject(metrics) ? objectIn(metrics, 'usage') : undefined;
      const output = countIn(usage, 'outputTokens');
      if (output === undefined) return [];
      const input = countIn(usage, 'inputTokens') ?? 0;
      const item = nameOf(`shutdown:${labelOf(model)}`);
      return [usageRead(own, { item, model, input, output })];
    });
  }

  function eventReads(type: string, item: string, data: LogObject): ReadRecord[] | undefined {
    const { session, facts } = sessionOf(data);
    switch (type) {
      case 'user.message':
        return [...facts, ...promptReads(item, session, data)];
      case 'assistant.message':
        return [...facts, ...messageReads(item, session, data)];
      case 'assistant.reasoning':
        return [...facts, ...thoughtReads(session, textIn(data, 'content') ?? textIn(data, 'reasoningText'))];
      case 'tool.execution_start': {
        const call = textIn(data, 'toolCallId');
        const name = textIn(data, 'toolName') ?? textIn(data, 'name') ?? 'unnamed';
        return call === undefined
          ? facts
          : [...facts, ...callRead(session, call, { name, input: data.arguments })];
      }
      case 'tool.execution_complete':
        return [...facts, ...resultReads(session, data)];
      case 'subagent.started': {
        const call = textIn(data, 'toolCallId');
        if (call !== undefined) agents.set(nameOf(call), true);
        return [];
      }
      case 'session.start':
      case 'session.resume':
      case 'session.context_changed':
        return contextReads(data);
      case 'session.title_changed': {
        const text = textIn(data, 'title')?.trim();
        return text ? [{ session: own, kind: 'facts', facts: { title: { text, rank: 40 } } }] : [];
      }
      case 'session.compaction_complete': {
        const text = textIn(data, 'summaryContent') ?? textIn(data, 'summary') ?? '';
        return entryReads(own, at, { item, kind: 'summary', text });
      }
      case 'session.shutdown':
        return shutdownReads(data);
      default:
        return SILENT.test(type) ? facts : undefined;
    }
  }

  return {
    read(record, given): LogRecord | undefined {
      const type = textIn(record, 'type');
      if (type === undefined || type.length > 100) return undefined;
      at = timeOf(record.timestamp) ?? at;
      const data = objectIn(record, 'data') ?? {};
      const id = textIn(record, 'id');
      const item = nameOf(id ?? `line-${shortHash(`${type}${String(at)}${jsonText(data)}`)}`);
      const reads = eventReads(type, item, data);
      if (reads) return { type, known: true, reads };
      return unknownRecord(type, record, { session: own, item, at, line: given });
    },
    writtenAt: (record) =>
      textIn(record, 'type') !== undefined && objectIn(record, 'data') ? timeOf(record.timestamp) : undefined,
  };
}
