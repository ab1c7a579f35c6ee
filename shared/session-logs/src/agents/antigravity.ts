import path from 'node:path';
import type { LineReader, LogRecord, ReadRecord, SessionFile, SessionFormat } from '../format.ts';
import { countIn, isLogObject, listIn, nameOf, shortHash, textIn, timeOf } from '../json.ts';
import { entryReads, labelOf, promptTitleRead, type SaidEntry, toolCall } from '../reads.ts';
import { isSaid } from '../unknown.ts';
import { lineText } from '../words.ts';

const HOMES = '(?:antigravity|antigravity-cli|antigravity-ide)';
const TRANSCRIPT = new RegExp(`^${HOMES}/brain/([^/]+)/\\.system_generated/logs/transcript\\.jsonl$`);
const DOCUMENT = new RegExp(`^${HOMES}/brain/([^/]+)/([^/]+\\.md)$`);
const HISTORY = new RegExp(`^${HOMES}/history\\.jsonl$`);

/**
 * Antigravity, its editor and its CLI. Certain: the plain transcript in `brain`, a step a line (one public reader, tested on real files),
 * the documents beside it, and `history.jsonl` with the working folder. Not read: `conversations/*.db` (steps in a protobuf without a
 * published form) and `*.pb` (encrypted), so a conversation without a transcript has its documents alone.
 */
export const antigravity: SessionFormat = {
  agent: 'antigravity',
  root: (_environment, home) => path.join(home, '.gemini'),
  fileAt(below): SessionFile | undefined {
    const session = TRANSCRIPT.exec(below)?.[1];
    if (session !== undefined) return { kind: 'lines', session };
    const described = DOCUMENT.exec(below)?.[1];
    if (described !== undefined) return { kind: 'text', session: described };
    return HISTORY.test(below) ? { kind: 'lines' } : undefined;
  },
  lines: (file) => (file.session === undefined ? readHistory() : readTranscript(file)),
  /** Plans and reports that the agent keeps up to date: the newest state of each is an entry. */
  *text({ session, path: below, text, changedAt }) {
    const name = DOCUMENT.exec(below)?.[2] ?? below;
    const item = nameOf(`document-${name}`);
    const reads = entryReads(nameOf(session ?? below), changedAt, { item, kind: 'answer', text });
    yield { type: 'document', known: true, reads };
  },
};

function readHistory(): LineReader {
  return {
    read(record): LogRecord | undefined {
      const session = textIn(record, 'conversationId');
      const folder = textIn(record, 'workspace');
      const known = { type: 'history', known: true };
      if (session === undefined || folder === undefined) return { ...known, reads: [] };
      return { ...known, reads: [{ session: nameOf(session), kind: 'facts', facts: { folder } }] };
    },
    writtenAt: (record) =>
      textIn(record, 'conversationId') !== undefined && textIn(record, 'workspace') !== undefined
        ? (timeOf(record.timestamp) ?? 0)
        : undefined,
  };
}

const SOURCES: ReadonlySet<string> = new Set(['USER_EXPLICIT', 'USER_IMPLICIT', 'MODEL', 'SYSTEM']);

function readTranscript(file: SessionFile & { path: string }): LineReader {
  const session = nameOf(file.session ?? file.path);
  let at = 0;
  let titled = false;
  return {
    read(step, line): LogRecord | undefined {
      const source = textIn(step, 'source');
      if (source === undefined || source.length > 100) return undefined;
      at = timeOf(step.created_at) ?? at;
      const index = countIn(step, 'step_index');
      const item = index === undefined ? `step-${shortHash(line)}` : `step-${index}`;
      const kind = (textIn(step, 'type') ?? 'unnamed').slice(0, 100);
      const type = `${source}/${kind}`;
      const reads: ReadRecord[] = [];
      const add = (said: SaidEntry) => void reads.push(...entryReads(session, at, said));
      if (!SOURCES.has(source)) {
        if (isSaid({ ...step, role: source })) add({ item, kind: 'other', text: lineText(line, step) });
        return { type, known: false, reads };
      }
      const text = (textIn(step, 'content') ?? '').trim();
      add({ item: `${item}:thinking`, kind: 'thinking', text: (textIn(step, 'thinking') ?? '').trim() });
      const prompt = requestIn(text);
      if (source === 'USER_EXPLICIT' && prompt !== '') {
        add({ item, kind: 'prompt', text: prompt, byPerson: true });
        if (!titled) reads.push(promptTitleRead(session, prompt));
        titled = true;
      } else if (source === 'MODEL' && kind === 'PLANNER_RESPONSE' && text !== '') {
        add({ item, kind: 'answer', text });
      } else if (source === 'MODEL' && text !== '') {
        // Any other step of the model is what one of its tools did.
        const failed = textIn(step, 'status') === 'ERROR';
        add({ item, kind: 'tool_result', text, tool: { name: kind.toLowerCase(), failed } });
      }
      listIn(step, 'tool_calls')
        .filter(isLogObject)
        .forEach((call, n) => {
          const name = labelOf(textIn(call, 'name') ?? 'unnamed');
          const entry = toolCall({ item: `${item}:call-${n}`, at, name, input: call.args });
          reads.push({ session, kind: 'entry', entry });
        });
      return { type, known: true, reads };
    },
    writtenAt: (step) =>
      SOURCES.has(textIn(step, 'source') ?? '') && countIn(step, 'step_index') !== undefined
        ? (timeOf(step.created_at) ?? 0)
        : undefined,
  };
}

/** What the person typed, without what the editor put around it. */
function requestIn(text: string): string {
  const start = text.indexOf('<USER_REQUEST>');
  const end = text.lastIndexOf('</USER_REQUEST>');
  return start !== -1 && end > start ? text.slice(start + 14, end).trim() : text;
}
