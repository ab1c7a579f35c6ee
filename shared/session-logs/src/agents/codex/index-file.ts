import type { LineReader, LogRecord } from '../../format.ts';
import { nameOf, textIn, timeOf } from '../../json.ts';

/** Above the words of the first prompt, below a name in the rollout itself. */
const INDEX_RANK = 35;

/** Reads `session_index.jsonl`: the names of sessions, of which the newest stands. Newer versions leave many empty. */
export function readIndex(): LineReader {
  return {
    read(record): LogRecord | undefined {
      const id = textIn(record, 'id');
      if (id === undefined) return undefined;
      const text = textIn(record, 'thread_name')?.trim();
      if (!text) return { type: 'session_index', known: true, reads: [] };
      const facts = { title: { text: text.toWellFormed(), rank: INDEX_RANK } };
      return { type: 'session_index', known: true, reads: [{ session: nameOf(id), kind: 'facts', facts }] };
    },
    writtenAt: (record) =>
      textIn(record, 'id') !== undefined && typeof record.thread_name === 'string'
        ? timeOf(record.updated_at)
        : undefined,
  };
}
