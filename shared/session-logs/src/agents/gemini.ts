import path from 'node:path';
import type { LineReader, LogRecord, ReadEntry, ReadRecord, SessionFile, SessionFormat } from '../format.ts';
import {
  countIn,
  isLogObject,
  type LogObject,
  listIn,
  nameOf,
  objectIn,
  parseObject,
  shortHash,
  textIn,
  timeOf,
} from '../json.ts';
import { partsOf, partText, responseText, snapshotIn, wordsOf } from '../parts.ts';
import { createReadItems } from '../read-items.ts';
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

const CHAT = /^([^/]+)\/chats\/session-[^/]+\.json(l)?$/;
const SUBAGENT = /^([^/]+)\/chats\/([^/]+)\/([^/]+)\.jsonl$/;

/**
 * Gemini CLI. The vendor documents the folder alone (docs/cli/session-management.md); the records are those of `ChatRecordingService` of
 * 0.61.0, and logs that it wrote were read. A file of before is one JSON object with the same messages. Which session a chat is stands in
 * its first line, for its name has only the beginning of the id.
 */
export const gemini: SessionFormat = {
  agent: 'gemini',
  root: (environment, home) => path.join(environment.GEMINI_CLI_HOME || home, '.gemini', 'tmp'),
  fileAt(below): SessionFile | undefined {
    const [, project, isLines] = CHAT.exec(below) ?? [];
    if (project !== undefined)
      return { kind: isLines ? 'lines' : 'text', folderIn: `${project}/.project_root` };
    const [, of, parent, session] = SUBAGENT.exec(below) ?? [];
    return parent === undefined || session === undefined
      ? undefined
      : { kind: 'lines', session, parent, folderIn: `${of}/.project_root` };
  },
  lines: readChat,
  *text(file) {
    const whole = parseObject(file.text);
    const reader = readChat(file);
    yield whole && reader.read(whole, '');
    for (const message of listIn(whole, 'messages'))
      yield isLogObject(message) ? reader.read(message, JSON.stringify(message)) : undefined;
  },
};

/** Messages that can be taken back. */
const MESSAGES = 10_000;

/** Messages that only the person at the screen was shown. */
const SHOWN: ReadonlySet<string> = new Set(['info', 'error', 'warning']);

function readChat(file: SessionFile & { path: string; folder?: string | undefined }): LineReader {
  const items = createReadItems(MESSAGES);
  let session = nameOf(file.session ?? file.path);
  let at = 0;
  let titled = false;

  const entryRead = (said: SaidEntry) => entryReads(session, at, said);

  function beginReads(record: LogObject): ReadRecord[] {
    // Of a subagent the path says it.
    if (file.session === undefined) session = nameOf(textIn(record, 'sessionId') ?? file.path);
    return [
      {
        session,
        kind: 'facts',
        facts: {
          ...(file.folder !== undefined && path.isAbsolute(file.folder) && { folder: file.folder }),
          ...(file.parent !== undefined && {
            parent: { session: nameOf(file.parent), kind: 'subagent' as const },
          }),
        },
      },
      ...summaryReads(record),
    ];
  }

  /** What the program calls a session once it is over. */
  function summaryReads(record: LogObject): ReadRecord[] {
    const text = textIn(record, 'summary')?.trim().toWellFormed();
    return text ? [{ session, kind: 'facts', facts: { title: { text, rank: 30 } } }] : [];
  }

  /**
   * What replaces the conversation as its model sees it. Messages that stand in no record of their own were put there by the program: what
   * it says of itself at the start, and what sums up the rest.
   */
  function setReads(values: LogObject): ReadRecord[] {
    const messages = listIn(values, 'messages').filter(isLogObject);
    return [
      ...summaryReads(values),
      ...messages.flatMap((message): ReadRecord[] => {
        const id = textIn(message, 'id');
        if (id === undefined || items.has(id) || message.type !== 'user') return [];
        at = timeOf(message.timestamp) ?? at;
        const text = snapshotIn(wordsOf(message.content));
        return text === undefined ? [] : entryRead({ item: nameOf(id), kind: 'summary', text });
      }),
    ];
  }

  function promptReads(item: string, message: LogObject): ReadRecord[] {
    const text = withoutContext(wordsOf(message.displayContent ?? message.content)).trim();
    if (text === '' || text.startsWith('<session_context>')) return [];
    const summary = snapshotIn(text);
    if (summary !== undefined) return entryRead({ item, kind: 'summary', text: summary });
    const byPerson = file.parent === undefined;
    const prompt = entryRead({ item, kind: 'prompt', text, byPerson });
    if (titled || !byPerson) return prompt;
    titled = true;
    return [...prompt, promptTitleRead(session, text)];
  }

  function callReads(part: string, call: LogObject): ReadRecord[] {
    const item = nameOf(textIn(call, 'id') ?? part);
    const name = labelOf(textIn(call, 'name') ?? 'unnamed');
    const entry = toolCall({ item, at, name, input: call.args });
    const answers = partsOf(call.result).flatMap((one): LogObject[] => {
      const answer = objectIn(one, 'functionResponse');
      return answer ? [answer] : [];
    });
    if (answers.length === 0) return [{ session, kind: 'entry', entry }];
    const outcomes = answers.map(({ response }) => responseText(response));
    const status = textIn(call, 'status');
    const child = textIn(call, 'agentId');
    const result: ReadEntry = {
      ...toolResult({
        item,
        at: timeOf(call.timestamp) ?? at,
        call: item,
        name,
        text: outcomes.map(({ text }) => plainOutput(text)).join('\n'),
        failed:
          status === 'error' ||
          status === 'cancelled' ||
          outcomes.some(({ text, failed }) => failed || isBadExit(text)),
      }),
      ...(child !== undefined && { child: nameOf(child) }),
    };
    return [entry, result].map((one) => ({ session, kind: 'entry', entry: one }));
  }

  function answerReads(item: string, message: LogObject): ReadRecord[] {
    const thoughts = listIn(message, 'thoughts')
      .filter(isLogObject)
      .map((thought) => ['subject', 'description'].flatMap((name) => textIn(thought, name) ?? []).join('\n'));
    const parts = partsOf(message.content);
    const own = parts.flatMap((part) => (part.thought === true ? (partText(part) ?? []) : []));
    const thinking = [...thoughts, ...own].join('\n');
    const said = parts.flatMap((part) => (part.thought === true ? [] : (partText(part) ?? []))).join('\n');
    const calls = listIn(message, 'toolCalls').filter(isLogObject);
    return [
      ...entryRead({ item: `${item}:thinking`, kind: 'thinking', text: thinking }),
      ...entryRead({ item, kind: 'answer', text: said }),
      ...calls.flatMap((call, n) => callReads(`${item}:call-${n}`, call)),
      ...usageReads(item, message),
    ];
  }

  function usageReads(item: string, message: LogObject): ReadRecord[] {
    const tokens = objectIn(message, 'tokens');
    const model = textIn(message, 'model');
    const answered = countIn(tokens, 'output');
    if (answered === undefined || model === undefined) return [];
    const output = answered + (countIn(tokens, 'thoughts') ?? 0);
    const input = countIn(tokens, 'input') ?? 0;
    return [usageRead(session, { item, model, input, output })];
  }

  function messageReads(type: string, id: string, message: LogObject): ReadRecord[] | undefined {
    const item = nameOf(id);
    const reads =
      type === 'user'
        ? promptReads(item, message)
        : type === 'gemini'
          ? answerReads(item, message)
          : undefined;
    items.add(
      id,
      (reads ?? []).flatMap((read) => (read.kind === 'entry' ? [read.entry.item] : [])),
    );
    return reads ?? (SHOWN.has(type) ? [] : undefined);
  }

  return {
    read(record, text): LogRecord | undefined {
      const values = objectIn(record, '$set');
      if (values) return { type: '$set', known: true, reads: setReads(values) };
      const rewound = textIn(record, '$rewindTo');
      if (rewound !== undefined) {
        const gone = items.dropFrom(rewound);
        const reads: ReadRecord[] = gone.length === 0 ? [] : [{ session, kind: 'gone', items: gone }];
        return { type: '$rewindTo', known: true, reads };
      }
      if (isBeginning(record)) return { type: 'session', known: true, reads: beginReads(record) };
      const type = textIn(record, 'type');
      if (type === undefined || type.length > 100) return undefined;
      at = timeOf(record.timestamp) ?? at;
      const id = textIn(record, 'id') ?? `line-${shortHash(text)}`;
      const reads = messageReads(type, id, record);
      if (reads) return { type, known: true, reads };
      return unknownRecord(type, record, { session, item: nameOf(id), at, line: text });
    },
    writtenAt(record) {
      if (objectIn(record, '$set')) return 0;
      if (isBeginning(record)) return timeOf(record.startTime);
      if (textIn(record, 'type') === undefined || textIn(record, 'id') === undefined) return undefined;
      return timeOf(record.timestamp);
    },
  };
}

/** The line that says which session follows; one that goes on has it again. */
function isBeginning(record: LogObject): boolean {
  return textIn(record, 'sessionId') !== undefined && textIn(record, 'projectHash') !== undefined;
}

/** A prompt without what hooks put around it. */
function withoutContext(text: string): string {
  return text.replaceAll(/<hook_context>[\s\S]*?<\/hook_context>/g, '');
}

const UNTRUSTED = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/;

/** What a tool answered, without what the program puts around it for the model. */
function plainOutput(text: string): string {
  return UNTRUSTED.exec(text)?.[1] ?? text;
}

/** Whether a command ended badly: its tool did well then. */
function isBadExit(output: string): boolean {
  return /^Exit Code: (?!0$)-?\d+$/m.test(output);
}
