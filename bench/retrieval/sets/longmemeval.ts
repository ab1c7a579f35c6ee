import { z } from 'zod';

import type { Batch, Benchmark, Half, Item } from '../benchmark.ts';
import { readJson } from './jsonl.ts';

const Turn = z.object({ role: z.enum(['user', 'assistant']), content: z.string() });

const Entry = z
  .object({
    question_id: z.string(),
    question_type: z.string(),
    question: z.string(),
    question_date: z.string(),
    haystack_session_ids: z.array(z.string()),
    haystack_dates: z.array(z.string()),
    haystack_sessions: z.array(z.array(Turn)),
    answer_session_ids: z.array(z.string()),
  })
  .refine(
    (entry) =>
      entry.haystack_session_ids.length === entry.haystack_sessions.length &&
      entry.haystack_dates.length === entry.haystack_sessions.length,
    'haystack_sessions, haystack_session_ids and haystack_dates differ in length',
  );
const Entries = z.array(Entry).min(1);
type Entry = z.infer<typeof Entry>;

/** What becomes a memory: a whole session, or each turn of it. */
export const units = ['session', 'turn'] as const;
export type Unit = (typeof units)[number];

/** `2023/05/20 (Sat) 02:21` in UTC. Throws where it is something else, for a wrong time would go unnoticed. */
export function longMemEvalTime(text: string): string {
  const parts = /^\s*(\d{4})\/(\d{1,2})\/(\d{1,2})\s*(?:\(\w+\))?\s*(\d{1,2}):(\d{2})\s*$/.exec(text);
  if (!parts) throw new Error(`LongMemEval writes 2023/05/20 (Sat) 02:21, not ${text}`);
  const [year, month, day, hour, minute] = parts.slice(1).map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0)).toISOString();
}

/** The half of a question: the parity of an FNV-1a hash of its id. A question and its `_abs` twin are in one half. */
export function halfOf(questionId: string): Half {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(questionId.replace(/_abs$/, ''))) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash & 1) === 0 ? 'tune' : 'report';
}

function itemsOf(entry: Entry, unit: Unit): Item[] {
  return entry.haystack_sessions.flatMap((turns, at): Item[] => {
    const session = entry.haystack_session_ids[at] ?? '';
    const timestamp = longMemEvalTime(entry.haystack_dates[at] ?? '');
    const told = turns.filter(({ content }) => content.trim() !== '');
    // One session id can stand in a haystack twice; ids of sessions say which answer, so they stay out of the key.
    const key = `chat ${at + 1}`;
    const lines = told.map(({ role, content }) => `${role}: ${content}`);
    const common = { created_at: timestamp, session };
    if (lines.length === 0) return [];
    if (unit === 'session') return [{ ...common, key, value: lines.join('\n\n'), metadata: { timestamp } }];
    return lines.map((value, turn) => ({
      ...common,
      key: `${key}, ${turn + 1}`,
      value,
      metadata: { session: key, timestamp },
    }));
  });
}

const ABSTENTION = 'abstention';

function batchOf(entry: Entry, unit: Unit): Batch {
  const { question_id: id, question: text, question_date, answer_session_ids } = entry;
  const items = itemsOf(entry, unit);
  const answering = new Set(answer_session_ids);
  const abstains = id.endsWith('_abs');
  const question = {
    id,
    text,
    kind: abstains ? ABSTENTION : entry.question_type,
    half: halfOf(id),
    evidence: items.filter(({ session }) => answering.has(session ?? '')).map(({ key }) => key),
    sessions: [...answering],
    now: longMemEvalTime(question_date),
  };
  return {
    namespace: `longmemeval-${id}`,
    items,
    questions: [abstains ? { ...question, unanswerable: true } : question],
  };
}

/**
 * LongMemEval-S (`longmemeval_s.json`, `longmemeval_s_cleaned.json`): every question has a haystack of about 50 sessions of its own,
 * and the evidence is sessions. Both roles are stored. The `_abs` questions name sessions that are near, though nothing answers them.
 */
export function longMemEval(file: string, unit: Unit): Benchmark {
  const entries = readJson(file, Entries);
  return {
    name: `LongMemEval, a memory for each ${unit}`,
    batches: entries.values().map((entry) => batchOf(entry, unit)),
    views: unit === 'session' ? ['sessions'] : ['sessions', 'sessions, best three'],
    apart: [ABSTENTION],
    without: [],
  };
}
