import type { ReadRecord } from '../../format.ts';
import { isLogObject, type LogObject, listIn, objectIn, textIn } from '../../json.ts';
import { entryReads } from '../../reads.ts';
import { blockMark, contentText, jsonText } from '../../words.ts';
import type { RecordPlace } from './place.ts';
import { resultEntry } from './results.ts';

/** Reads a `user` record: results of tools, a summary, or what was said. Most of these records are no prompts. */
export function userReads(record: LogObject, place: RecordPlace): ReadRecord[] {
  const message = objectIn(record, 'message');
  const content = message?.content;
  const blocks = typeof content === 'string' ? [] : listIn(message, 'content').filter(isLogObject);
  const results = blocks.filter((block) => isResult(block));
  // What the record says beside its message is of one result.
  const outcome = results.length === 1 ? objectIn(record, 'toolUseResult') : undefined;
  const reads = results.map((block): ReadRecord => ({
    session: place.session,
    kind: 'entry',
    entry: resultEntry(block, place, outcome),
  }));
  const texts =
    typeof content === 'string'
      ? [content]
      : blocks.filter((block) => !isResult(block)).map((block) => saidIn(block));
  if (texts.length === 0 || record.isMeta === true) return reads;
  if (record.isCompactSummary === true) {
    const text = texts.join('\n').trim();
    return [...reads, ...entryReads(place.session, place.at, { item: place.item, kind: 'summary', text })];
  }
  return [...reads, ...place.prompts.said(texts, place, record)];
}

function isResult(block: LogObject): boolean {
  return textIn(block, 'type')?.endsWith('tool_result') ?? false;
}

function saidIn(block: LogObject): string {
  const text = block.text;
  if (typeof text === 'string') return text;
  return blockMark(block) ?? (block.type === 'document' ? contentText(block.source) : jsonText(block));
}
