import type { LineReader, LogRecord, ReadRecord, SessionFacts, SessionFile } from '../../format.ts';
import { countIn, type LogObject, nameOf, objectIn, shortHash, textIn, timeOf } from '../../json.ts';
import { labelOf, newFacts } from '../../reads.ts';
import { isSaid } from '../../unknown.ts';
import { jsonText, lineText } from '../../words.ts';
import { tokensOf } from './calls.ts';
import { foldScript, pauseScripts } from './code-mode.ts';
import { displayReads, rolledBack } from './display-log.ts';
import { fromAgent, modelReads } from './model-log.ts';
import { createPlace, entryRead } from './place.ts';
import { createReplay, parentOf } from './replay.ts';

/** Lines of the program alone. */
const SILENT: ReadonlySet<string> = new Set([
  'inter_agent_communication_metadata',
  'realtime_item',
  'retained_context',
  'security_risk_score',
  'token_usage_record',
  'world_state',
]);

/** A name that a person or the model gave a session. */
const NAME_RANK = 40;

/** Reads a rollout of any age: bare items, both modes of history, and files that were rewritten from one mode into the other. */
export function readRollout(file: SessionFile & { path: string }): LineReader {
  const place = createPlace(nameOf(file.session ?? file.path));
  const { session } = place;
  const replay = createReplay();
  let told: SessionFacts = {};
  let model = 'unknown';
  let begun = false;
  let lastTokens = '';

  function facts(next: { [P in keyof SessionFacts]: SessionFacts[P] | undefined }): ReadRecord[] {
    const news = newFacts(next, told);
    if (next.parent && next.parent.session !== session && !told.parent) news.parent = next.parent;
    if (Object.keys(news).length === 0) return [];
    told = { ...told, ...news };
    return [{ session, kind: 'facts', facts: news }];
  }

  function metaReads(payload: LogObject): ReadRecord[] {
    // The first is the session's own; those behind it came with the lines of its parent.
    const own = !begun;
    replay.meta(payload, own, place.at);
    if (!own) return [];
    begun = true;
    const parent = parentOf(payload);
    return facts({
      folder: textIn(payload, 'cwd'),
      branch: textIn(objectIn(payload, 'git'), 'branch'),
      version: textIn(payload, 'cli_version'),
      parent: parent && { ...parent, session: nameOf(parent.session) },
    });
  }

  function contextReads(payload: LogObject): ReadRecord[] {
    model = labelOf(textIn(payload, 'model') ?? model);
    return facts({ folder: textIn(payload, 'cwd') });
  }

  function eventReads(event: LogObject): ReadRecord[] | undefined {
    const turns = rolledBack(event);
    if (turns !== undefined) {
      const items = place.said.takeBack(turns);
      return items.length === 0 ? [] : [{ session, kind: 'gone', items }];
    }
    if (event.type === 'token_count') return tokenReads(objectIn(event, 'info'));
    if (event.type === 'thread_name_updated') {
      const text = textIn(event, 'thread_name')?.trim();
      return text ? [{ session, kind: 'facts', facts: { title: { text, rank: NAME_RANK } } }] : [];
    }
    if (event.type === 'task_started' || event.type === 'turn_started') pauseScripts(place);
    const done = displayReads(event, place);
    return done && [...foldScript(place, objectIn(event, 'item') ?? event, done), ...done];
  }

  /** The same count is told several times; the sum of all tokens so far names a reply. */
  function tokenReads(info: LogObject | undefined): ReadRecord[] {
    const tokens = tokensOf(info);
    if (!tokens) return [];
    const { input, output, total } = tokens;
    if (total === undefined) {
      const key = `${input}-${output}`;
      if (key === lastTokens) return [];
      lastTokens = key;
    }
    const item =
      total === undefined ? place.said.name('tokens', `${input}-${output}`, 'model').item : `tokens-${total}`;
    return [{ session, kind: 'usage', usage: { item, model, input, output } }];
  }

  function compactedReads(payload: LogObject): ReadRecord[] {
    const text = textIn(payload, 'message') ?? '';
    if (text.trim() === '') return [];
    // What it puts in place of all before is the same history again.
    const { item } = place.said.name('compacted', text, 'model');
    const { undisplayed } = place;
    place.undisplayed = undefined;
    return [
      // The model wrote it as an answer, which nobody was shown.
      ...(undisplayed === undefined ? [] : [{ session, kind: 'gone', items: [undisplayed] } as const]),
      entryRead(place, { item, kind: 'summary', text }),
    ];
  }

  function reads(kind: string, payload: LogObject, record: LogObject): ReadRecord[] | undefined {
    if (kind === 'session_meta') return metaReads(payload);
    const inner = kind === 'event_msg' ? (textIn(payload, 'type') ?? '') : kind;
    if (replay.repeats({ kind: inner, payload, ordinal: countIn(record, 'ordinal') })) return [];
    switch (kind) {
      case 'turn_context':
        return contextReads(payload);
      case 'response_item':
        return modelReads(payload, place, false);
      case 'event_msg':
        return eventReads(payload);
      case 'compacted':
        return compactedReads(payload);
      case 'inter_agent_communication':
        return fromAgent(payload, place);
      default:
        return SILENT.has(kind) ? [] : undefined;
    }
  }

  return {
    read(record, text): LogRecord | undefined {
      place.at = timeOf(record.timestamp) ?? place.at;
      const kind = textIn(record, 'type');
      const payload = objectIn(record, 'payload');
      if (kind === undefined || kind.length > 100) return bareHead(record);
      const type = payload ? typeOf(kind, payload) : kind;
      const known = payload ? reads(kind, payload, record) : modelReads(record, place, true);
      if (known) return { type, known: true, reads: known };
      if (!isSaid(record)) return { type, known: false, reads: [] };
      // Its time and number change when a file is rewritten, so what it says names it.
      const { item } = place.said.name(
        'other',
        payload ? kind + jsonText(payload) : shortHash(text),
        'model',
      );
      // Whole but for its number in the file, which another rewrite changes.
      const { ordinal, ...rest } = record;
      const whole = ordinal === undefined ? lineText(text, record) : jsonText(rest);
      return { type, known: false, reads: [entryRead(place, { item, kind: 'other', text: whole })] };
    },
    // Lines of before September 2025 have no envelope, and look like what stands within one.
    writtenAt: (record) =>
      textIn(record, 'type') !== undefined && objectIn(record, 'payload')
        ? timeOf(record.timestamp)
        : undefined,
  };

  /** Until September 2025 the first line had no envelope, and lines of state stood between the items. */
  function bareHead(record: LogObject): LogRecord | undefined {
    if (record.record_type !== undefined) return { type: 'state', known: true, reads: [] };
    if (textIn(record, 'id') === undefined || record.type !== undefined) return undefined;
    return { type: 'session_meta', known: true, reads: metaReads(record) };
  }
}

function typeOf(kind: string, payload: LogObject): string {
  if (kind !== 'event_msg' && kind !== 'response_item') return kind;
  const inner = textIn(payload, 'type')?.slice(0, 100) ?? 'unnamed';
  const item =
    inner === 'item_completed' ? textIn(objectIn(payload, 'item'), 'type')?.slice(0, 100) : undefined;
  return item === undefined ? `${kind}/${inner}` : `${kind}/${inner}/${item}`;
}
