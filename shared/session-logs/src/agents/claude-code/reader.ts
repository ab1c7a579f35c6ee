import type { LineReader, LogRecord, ReadRecord, SessionFile, SessionFacts } from '../../format.ts';
import { isLogObject, type LogObject, nameOf, objectIn, shortHash, textIn, timeOf } from '../../json.ts';
import { newFacts, unknownRecord } from '../../reads.ts';
import { createRecent } from '../../recent.ts';
import { assistantReads } from './assistant.ts';
import { createBlockNumbers } from './block-numbers.ts';
import { createPrompts } from './prompts.ts';
import { isBookkeeping, isSystemBookkeeping } from './record-types.ts';
import type { RecordPlace } from './place.ts';
import { userReads } from './user.ts';

/** Titles: one given by a person stands above the model's, and that above what was asked first. */
const RANKS = { 'custom-title': 50, 'agent-name': 40, 'ai-title': 30, summary: 20 } as const;
const TITLE_NAMES = {
  'custom-title': 'customTitle',
  'agent-name': 'agentName',
  'ai-title': 'aiTitle',
} as const;

/** The subagents of an old version that may write into one file at one time, and the records of their chains. */
const CHAINS = 10_000;

/** Calls whose results may be outstanding. */
const CALLS = 1_000;

/** Reads one file of Claude Code: of a session or of a subagent. */
export function readClaudeCode(file: SessionFile & { path: string }): LineReader {
  const session = nameOf(file.session ?? file.path);
  const blocks = createBlockNumbers();
  const chains = createRecent<string>(CHAINS);
  const told = createRecent<SessionFacts>(100);
  const tools = createRecent<string>(CALLS);
  /** That a session was compacted: the names of those records whose summary may follow. */
  const boundaries = createRecent<string>(100);
  const prompts = new Map([[session, createPrompts()]]);
  let at = 0;
  let current = '';
  let summarised = false;
  let begun = false;

  /** The prompts of a session, which inline subagents have as well: there are few of them in a file. */
  function promptsOf(of: string) {
    const known = prompts.get(of);
    if (known) return known;
    const made = createPrompts();
    prompts.set(of, made);
    return made;
  }

  /** Where a record belongs: to the session of the file, or to a subagent that an old version wrote in the midst of it. */
  function placeOf(record: LogObject): RecordPlace {
    const uuid = textIn(record, 'uuid');
    const place = (of: string, byAgent: boolean): RecordPlace => ({
      session: of,
      at,
      item: nameOf(uuid ?? `line-${shortHash(current)}`),
      byAgent,
      prompts: promptsOf(of),
      tools,
    });
    if (file.parent !== undefined) return place(session, true);
    if (record.isSidechain !== true) return place(session, false);
    const agent = textIn(record, 'agentId');
    if (agent !== undefined) return place(nameOf(`agent-${agent}`), true);
    const parent = textIn(record, 'parentUuid');
    const root = (parent === undefined ? undefined : chains.get(parent)) ?? uuid ?? 'unnamed';
    if (uuid !== undefined) chains.set(uuid, root);
    return place(nameOf(`sidechain-${root}`), true);
  }

  /** What the envelope says of its session, where that is news. */
  function factsOf(record: LogObject, of: string): ReadRecord[] {
    const before = told.get(of);
    const [folder, branch, version] = ['cwd', 'gitBranch', 'version'].map((name) => textIn(record, name));
    const facts = newFacts({ folder, branch, version }, before);
    const parent = before?.parent ?? parentOf(record, of);
    if (parent && !before?.parent) facts.parent = parent;
    if (Object.keys(facts).length === 0) return [];
    told.set(of, { ...before, ...facts });
    return [{ session: of, kind: 'facts', facts }];
  }

  function parentOf(record: LogObject, of: string): SessionFacts['parent'] {
    if (file.parent !== undefined) return { session: nameOf(file.parent), kind: 'subagent' };
    const forked = textIn(objectIn(record, 'forkedFrom'), 'sessionId');
    // A fork repeats what subagents wrote inline; they are of the session that they were begun in.
    if (of !== session) return { session: forked === undefined ? session : nameOf(forked), kind: 'subagent' };
    if (forked !== undefined && forked !== session) return { session: nameOf(forked), kind: 'fork' };
    if (begun) return undefined;
    begun = true;
    const earlier = textIn(record, 'sessionId');
    // Versions before 2 went on in a new file that begins with lines of the session before.
    const goesOn = earlier !== undefined && nameOf(earlier) !== session && !session.startsWith('agent-');
    return goesOn ? { session: nameOf(earlier), kind: 'continuation' } : undefined;
  }

  function titleReads(type: string, record: LogObject): ReadRecord[] | undefined {
    if (type === 'summary') {
      const text = textIn(record, 'summary');
      if (text === undefined || summarised) return [];
      summarised = true;
      return [{ session, kind: 'facts', facts: { title: { text, rank: RANKS.summary } } }];
    }
    if (type !== 'custom-title' && type !== 'agent-name' && type !== 'ai-title') return undefined;
    const text = textIn(record, TITLE_NAMES[type])?.trim();
    return text ? [{ session, kind: 'facts', facts: { title: { text, rank: RANKS[type] } } }] : [];
  }

  /** What a subagent reports through its parent's file: a whole record within a record. */
  function progressReads(record: LogObject): ReadRecord[] {
    const data = objectIn(record, 'data');
    const agent = textIn(data, 'agentId');
    const inner = objectIn(data, 'message');
    if (textIn(data, 'type') !== 'agent_progress' || agent === undefined || !inner) return [];
    const type = textIn(inner, 'type');
    if (type !== 'user' && type !== 'assistant') return [];
    const { agentId: _, ...envelope } = record;
    return messageReads(type, { ...envelope, ...inner, isSidechain: true, agentId: agent }).reads;
  }

  function messageReads(
    type: 'user' | 'assistant',
    record: LogObject,
  ): { place: RecordPlace; reads: ReadRecord[] } {
    at = timeOf(record.timestamp) ?? at;
    const place = placeOf(record);
    const facts = factsOf(record, place.session);
    const said = type === 'user' ? userReads(record, place) : assistantReads(record, place, blocks);
    return { place, reads: [...facts, ...said, ...summedUp(said, place.session)] };
  }

  /** That a session was compacted is said once: by the summary, where there is one. */
  function summedUp(said: readonly ReadRecord[], of: string): ReadRecord[] {
    const boundary = boundaries.get(of);
    const isSummary = said.some((read) => read.kind === 'entry' && read.entry.kind === 'summary');
    if (boundary === undefined || !isSummary) return [];
    boundaries.delete(of);
    return [{ session: of, kind: 'gone', items: [boundary] }];
  }

  function systemReads(record: LogObject): ReadRecord[] | undefined {
    const subtype = textIn(record, 'subtype') ?? '';
    const isSummary = subtype === 'compact_boundary' || subtype === 'away_summary';
    if (!isSummary && subtype !== 'local_command' && !isSystemBookkeeping(subtype)) return undefined;
    const text = textIn(record, 'content') ?? '';
    const place = placeOf(record);
    const facts = factsOf(record, place.session);
    if (subtype === 'local_command') return [...facts, ...place.prompts.commands(text, place, record)];
    if (!isSummary || text === '') return facts;
    if (subtype === 'compact_boundary') boundaries.set(place.session, place.item);
    const entry = {
      item: place.item,
      at,
      kind: 'summary',
      text: text.toWellFormed(),
      byPerson: false,
    } as const;
    return [...facts, { session: place.session, kind: 'entry', entry }];
  }

  function worktreeReads(record: LogObject): ReadRecord[] {
    const worktree = objectIn(record, 'worktreeSession');
    const folder = textIn(worktree, 'worktreePath');
    const branch = textIn(worktree, 'worktreeBranch');
    if (folder === undefined) return [];
    const facts = { folder, ...(branch !== undefined && { branch }) };
    told.set(session, { ...told.get(session), ...facts });
    return [{ session, kind: 'facts', facts }];
  }

  function knownReads(type: string, record: LogObject): ReadRecord[] | undefined {
    switch (type) {
      case 'user':
      case 'assistant':
        return isLogObject(record.message) ? messageReads(type, record).reads : undefined;
      case 'system':
        return systemReads(record);
      case 'progress':
        return progressReads(record);
      case 'attachment':
        return promptsOf(session).attached(record, placeOf(record));
      case 'queue-operation':
        return promptsOf(session).queued(record, placeOf(record));
      case 'worktree-state':
        return worktreeReads(record);
      default:
        return titleReads(type, record) ?? (isBookkeeping(type) ? [] : undefined);
    }
  }

  return {
    read(record, text): LogRecord | undefined {
      current = text;
      const type = textIn(record, 'type');
      // A record of a name that is no name is malformed, not new.
      if (type === undefined || type.length > 100) return undefined;
      at = timeOf(record.timestamp) ?? at;
      const reads = knownReads(type, record);
      if (reads) return { type, known: true, reads };
      const subtype = textIn(record, 'subtype');
      const name = type === 'system' && subtype !== undefined ? `system/${subtype.slice(0, 100)}` : type;
      const item = nameOf(textIn(record, 'uuid') ?? `other-${shortHash(text)}`);
      return unknownRecord(name, record, { session, item, at, line: text });
    },
    writtenAt(record) {
      const type = textIn(record, 'type');
      if (type === undefined || textIn(record, 'sessionId') === undefined) return undefined;
      const isMessage = type === 'user' || type === 'assistant';
      if (isMessage && (textIn(record, 'uuid') === undefined || !isLogObject(record.message)))
        return undefined;
      return timeOf(record.timestamp) ?? 0;
    },
  };
}
