import type { LineReader, LogRecord } from './format.ts';
import { type LogObject, parseObject } from './json.ts';

/** The contents of one line of a log. */
export interface LineContents {
  /** The whole records in it, in their order: one, unless it was damaged. */
  records: readonly LogRecord[];
  /** Whether that is all that stands in it. */
  isRead: boolean;
}

/** Reads the lines of one file, from the first on, by the reader of its format. */
export interface JsonLines {
  /** Reads one whole line without its end, in time linear in its length. */
  read(line: string): LineContents;
}

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, QUOTE, BACKSLASH] = [0x7b, 0x7d, 0x5b, 0x5d, 0x22, 0x5c];

/**
 * Reads JSON Lines of any format, damaged ones, too. A program that is killed leaves a record that is cut, directly followed by the first
 * one of its next run; two that write at once leave two records in a line; a machine that goes down leaves NULs. What is behind a cut
 * record is believed only at the line's end and with all that a record of the format has at its top level: it could be a part of the cut
 * one, such as what a tool answered.
 */
export function createJsonLines(reader: LineReader): JsonLines {
  /** When the last record was written. What a record quotes is older than that. */
  let last = 0;

  function take(object: LogObject, text: string): LogRecord | undefined {
    const record = reader.read(object, text);
    if (record) last = reader.writtenAt(object) || last;
    return record;
  }

  /** Records from the line's beginning on, where nothing can be in doubt, and where the first begins that is none. */
  function takeFirst(line: string): { records: LogRecord[]; from: number } {
    const records: LogRecord[] = [];
    let from = 0;
    while (from < line.length) {
      const end = objectEnd(line, from);
      const text = end === undefined ? '' : line.slice(from, end);
      const object = parseLenient(text);
      const record = object && take(object, text);
      if (end === undefined || !record) break;
      records.push(record);
      from = skipFiller(line, end);
    }
    return { records, from };
  }

  /** Records up to the line's end, from behind a cut one at `from` on, and where the first of them begins. */
  function findLast(line: string, from: number): { objects: [LogObject, string][]; begin: number } {
    const objects: [LogObject, string][] = [];
    let begin = line.length;
    for (let end = begin; end > from; end = skipFillerBack(line, begin, from)) {
      const start = objectStart(line, end, from);
      const text = start === undefined ? '' : line.slice(start, end);
      const object = parseLenient(text);
      const at = object && reader.writtenAt(object);
      if (start === undefined || !object || at === undefined) break;
      if (isWhereValuesStand(line, start) && at < last) break;
      objects.unshift([object, text]);
      begin = start;
    }
    return { objects, begin };
  }

  return {
    read(given) {
      const start = skipFiller(given, 0);
      const line = given.slice(start, skipFillerBack(given, given.length, start));
      // White space is nothing; of NULs nobody knows what they were to be.
      if (line === '') return { records: [], isRead: given.trim() === '' };
      const object = parseLenient(line);
      if (object) {
        const record = take(object, line);
        return { records: record ? [record] : [], isRead: record !== undefined && !line.includes('\0') };
      }
      const { records, from } = takeFirst(line);
      const { objects, begin } = findLast(line, from);
      const lastOnes = objects.flatMap(([found, text]) => take(found, text) ?? []);
      return {
        records: [...records, ...lastOnes],
        isRead: from >= begin && lastOnes.length === objects.length,
      };
    },
  };
}

/** A text as an object; control characters in it, which JSON has none of, count as spaces. */
function parseLenient(text: string): LogObject | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  const object = parseObject(text);
  if (object || !/[\u0000-\u001f]/.test(text)) return object;
  // By its bytes: replacing them one by one in a text takes some hundred bytes for each.
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) < 0x20) bytes[at] = 0x20;
  return parseObject(bytes.toString('utf8'));
}

/** Whether a character says nothing between records: white space, a control character, a byte order mark. */
function isFiller(code: number): boolean {
  return code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0xfeff;
}

function skipFiller(line: string, from: number): number {
  let at = from;
  while (at < line.length && isFiller(line.charCodeAt(at))) at++;
  return at;
}

function skipFillerBack(line: string, end: number, from: number): number {
  let at = end;
  while (at > from && isFiller(line.charCodeAt(at - 1))) at--;
  return at;
}

/** Whether what begins here could be a value within what stands before it. */
function isWhereValuesStand(line: string, start: number): boolean {
  return ':[,'.includes(line.charAt(skipFillerBack(line, start, 0) - 1) || ' ');
}

/** The index behind the object that begins here; undefined where it does not end, or none begins. */
function objectEnd(line: string, from: number): number | undefined {
  if (line.charCodeAt(from) !== OPEN) return undefined;
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) {
      do at = line.indexOf('"', at + 1);
      while (at >= 0 && isEscaped(line, at));
      if (at < 0) return undefined;
    } else if (code === OPEN || code === OPEN_LIST) depth += 1;
    else if (code === CLOSE || code === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/**
 * Where the object begins that ends here, read backwards: in JSON a text ends where it began for who comes from behind. Each character is
 * looked at once, while a search from the front would try each `{` before it.
 */
function objectStart(line: string, end: number, from: number): number | undefined {
  if (line.charCodeAt(end - 1) !== CLOSE) return undefined;
  let depth = 0;
  for (let at = end - 1; at >= from; at--) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) {
      do {
        if (at <= from) return undefined;
        at = line.lastIndexOf('"', at - 1);
      } while (at >= from && isEscaped(line, at));
    } else if (code === CLOSE || code === CLOSE_LIST) depth += 1;
    else if (code === OPEN || code === OPEN_LIST) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(line: string, at: number): boolean {
  let before = at;
  while (before > 0 && line.charCodeAt(before - 1) === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}
