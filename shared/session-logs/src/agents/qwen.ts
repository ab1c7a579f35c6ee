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
import { partsOf, partText, responseText, snapshotIn, wordsOf } from '../parts.ts';
import { createReadItems } from '../read-items.ts';
import {
  entryReads,
  labelOf,
  newFacts,
  promptTitleRead,
  type SaidEntry,
  toolCall,
  toolResult,
  unknownRecord,
  usageRead,
} from '../reads.ts';
import { createRecent } from '../recent.ts';

const CHAT = /^projects\/[^/]+\/chats\/([^/]+)\.jsonl$/;
const SUBAGENT = /^projects\/[^/]+\/subagents\/([^/]+)\/(agent-[^/]+)\.jsonl$/;

/**
 * Qwen Code. The vendor documents no log; the records are those that 0.24.4 writes (ChatRecordingService and AgentTranscript of its
 * package), and logs that it wrote were read. Not read: `logs` of older versions.
 */
export const qwen: SessionFormat = {
  agent: 'qwen',
  root: (environment, home) => environment.QWEN_HOME || path.join(home, '.qwen'),
  fileAt(below): SessionFile | undefined {
    const session = CHAT.exec(below)?.[1];
    if (session !== undefined) return { kind: 'lines', session };
    const [, parent, agent] = SUBAGENT.exec(below) ?? [];
    return parent === undefined || agent === undefined
      ? undefined
      : { kind: 'lines', session: agent, parent };
  },
  lines: readChat,
};

/** Records that can be taken back. */
const RECORDS = 10_000;

/** Subtypes of what the program says in a person's place: it wakes itself, or tells what happened meanwhile. */
const BY_PROGRAM: ReadonlySet<string> = new Set(['cron', 'notification', 'goal_runtime']);

/** Subtypes of `system` records that say nothing to a reader, or what another record says. */
const SILENT: ReadonlySet<string> = new Set([
  'agent_session_ready',
  'at_command',
  'attribution_snapshot',
  'background_task_completed',
  'branch_checkpoint',
  'file_history_snapshot',
  'goal_state',
  'goal_turn_end',
  'omni_recall',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_model',
  'session_source',
  'session_sources_snapshot',
  'slash_command',
  'turn_result',
  'ui_telemetry',
  'user_text_elements',
]);

function readChat(file: SessionFile & { path: string }): LineReader {
  const session = nameOf(file.session ?? file.path);
  const tools = createRecent<string>(1_000);
  const items = createReadItems(RECORDS);
  let told: SessionFacts = {};
  let at = 0;
  let titled = false;

  const entryRead = (said: SaidEntry) => entryReads(session, at, said);
  const factsRead = (facts: SessionFacts): ReadRecord[] =>
    Object.keys(facts).length === 0 ? [] : [{ session, kind: 'facts', facts }];

  /** What the envelope says of its session, where that is news. */
  function envelopeReads(record: LogObject): ReadRecord[] {
    const [folder, branch, version] = ['cwd', 'gitBranch', 'version'].map((name) => textIn(record, name));
    const facts = newFacts({ folder, branch, version }, told);
    if (file.parent !== undefined && !told.parent)
      facts.parent = { session: nameOf(file.parent), kind: 'subagent' };
    told = { ...told, ...facts };
    return factsRead(facts);
  }

  function userReads(item: string, record: LogObject): ReadRecord[] {
    const shown = textIn(objectIn(record, 'systemPayload'), 'displayText');
    const text = (shown ?? wordsOf(objectIn(record, 'message')?.parts)).trim();
    const byPerson = file.parent === undefined && !BY_PROGRAM.has(textIn(record, 'subtype') ?? '');
    const prompt = entryRead({ item, kind: 'prompt', text, byPerson });
    if (titled || !byPerson || prompt.length === 0) return prompt;
    titled = true;
    return [...prompt, promptTitleRead(session, text)];
  }

  function callReads(part: string, call: LogObject): ReadRecord[] {
    const item = nameOf(textIn(call, 'id') ?? part);
    const args = objectIn(call, 'args');
    const given = textIn(call, 'name') ?? 'unnamed';
    // Tools of servers stand behind a tool that calls them by their names.
    const inner = given === 'tool_call' ? textIn(args, 'name') : undefined;
    const input = inner === undefined ? call.args : args?.arguments;
    const name = labelOf(inner ?? given);
    tools.set(item, name);
    return [{ session, kind: 'entry', entry: toolCall({ item, at, name, input }) }];
  }

  function answerReads(item: string, record: LogObject): ReadRecord[] {
    const parts = partsOf(objectIn(record, 'message')?.parts);
    const said = parts.flatMap((part, n): ReadRecord[] => {
      const own = n === 0 ? item : `${item}:${n}`;
      const call = objectIn(part, 'functionCall');
      if (call) return callReads(own, call);
      const kind = part.thought === true ? 'thinking' : 'answer';
      return entryRead({ item: own, kind, text: partText(part) ?? '' });
    });
    return [...said, ...usageReads(item, record)];
  }

  function usageReads(item: string, record: LogObject): ReadRecord[] {
    const usage = objectIn(record, 'usageMetadata');
    const model = textIn(record, 'model');
    const answered = countIn(usage, 'candidatesTokenCount');
    if (answered === undefined || model === undefined) return [];
    const output = answered + (countIn(usage, 'thoughtsTokenCount') ?? 0);
    const input = countIn(usage, 'promptTokenCount') ?? 0;
    return [usageRead(session, { item, model, input, output })];
  }

  function resultReads(item: string, record: LogObject): ReadRecord[] {
    const outcome = objectIn(record, 'toolCallResult');
    const status = textIn(outcome, 'status');
    return partsOf(objectIn(record, 'message')?.parts).flatMap((part, n): ReadRecord[] => {
      const response = objectIn(part, 'functionResponse');
      if (!response) return [];
      const own = textIn(response, 'id');
      const call = own === undefined ? undefined : nameOf(own);
      const { text, failed } = responseText(response.response);
      const name = (call === undefined ? undefined : tools.get(call)) ?? textIn(response, 'name') ?? 'tool';
      const entry = toolResult({
        item: `${item}:${n}`,
        at,
        call,
        name,
        text,
        failed: failed || status === 'error' || status === 'cancelled',
      });
      return [{ session, kind: 'entry', entry }];
    });
  }

  function compressedReads(item: string, payload: LogObject | undefined): ReadRecord[] {
    const texts = listIn(payload, 'compressedHistory')
      .filter(isLogObject)
      .filter((content) => content.role === 'user')
      .map((content) => wordsOf(content.parts));
    const text = texts.flatMap((one) => snapshotIn(one) ?? [])[0] ?? texts[0] ?? '';
    return entryRead({ item, kind: 'summary', text });
  }

  function systemReads(item: string, record: LogObject): ReadRecord[] | undefined {
    const subtype = textIn(record, 'subtype') ?? '';
    const payload = objectIn(record, 'systemPayload');
    switch (subtype) {
      case 'chat_compression':
        return compressedReads(item, payload);
      case 'custom_title': {
        const text = textIn(payload, 'customTitle')?.trim().toWellFormed();
        const rank = textIn(payload, 'titleSource') === 'auto' ? 30 : 50;
        return text ? factsRead({ title: { text, rank } }) : [];
      }
      case 'parent_session': {
        const parent = textIn(payload, 'parentSessionId');
        return parent === undefined
          ? []
          : factsRead({ parent: { session: nameOf(parent), kind: 'subagent' } });
      }
      case 'rewind': {
        const kept = record.parentUuid;
        const gone = kept === null || typeof kept === 'string' ? items.dropBehind(kept) : [];
        return gone.length === 0 ? [] : [{ session, kind: 'gone', items: gone }];
      }
      default:
        return SILENT.has(subtype) ? [] : undefined;
    }
  }

  function knownReads(type: string, item: string, record: LogObject): ReadRecord[] | undefined {
    switch (type) {
      case 'user':
        return userReads(item, record);
      case 'assistant':
        return answerReads(item, record);
      case 'tool_result':
        return resultReads(item, record);
      case 'system':
        return systemReads(item, record);
      default:
        return undefined;
    }
  }

  return {
    read(record, text): LogRecord | undefined {
      const kind = textIn(record, 'type');
      if (kind === undefined || kind.length > 100) return undefined;
      at = timeOf(record.timestamp) ?? at;
      const uuid = textIn(record, 'uuid');
      const item = nameOf(uuid ?? `line-${shortHash(text)}`);
      const reads = knownReads(kind, item, record);
      if (uuid !== undefined)
        items.add(
          uuid,
          (reads ?? []).flatMap((read) => (read.kind === 'entry' ? [read.entry.item] : [])),
        );
      if (reads) return { type: kind, known: true, reads: [...envelopeReads(record), ...reads] };
      const subtype = textIn(record, 'subtype');
      const type = subtype === undefined ? kind : `${kind}/${subtype.slice(0, 100)}`;
      return unknownRecord(type, record, { session, item, at, line: text });
    },
    writtenAt: (record) =>
      textIn(record, 'type') !== undefined &&
      textIn(record, 'uuid') !== undefined &&
      textIn(record, 'sessionId') !== undefined
        ? timeOf(record.timestamp)
        : undefined,
  };
}
