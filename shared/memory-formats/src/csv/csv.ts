import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { parse, type Parser } from 'csv-parse';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { bytesOf } from '../files/byte-stream.ts';
import { memoriesOf } from '../draft.ts';
import { isObject } from '../json/plain-json.ts';
import { stemOf } from '../notes/note.ts';
import { originOf, rootId, sizeOfFile } from '../files/origin.ts';
import { draftOfRecord, VALUES } from '../record.ts';
import {
  ImportError,
  messageOf,
  skip,
  type ReadItem,
  type SourceReader,
  type ReadOptions,
} from '../reader.ts';
import { decodeText, wideEncodingOf } from '../files/text-file.ts';

const MAX_ROW = 64 * 1024 * 1024;

/** The field that a column holds, by names in use for it: compared in lower case, spaces as `_`. */
const ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(VALUES.map((name) => [name, 'value'])),
  key: 'key',
  id: 'id',
  uuid: 'id',
  namespace: 'namespace',
  created_at: 'created_at',
  created: 'created_at',
  date: 'created_at',
  timestamp: 'created_at',
  updated_at: 'updated_at',
  updated: 'updated_at',
  modified: 'updated_at',
  expires_at: 'expires_at',
  tags: 'tags',
  metadata: 'metadata',
};

const FIELDS = new Set(Object.values(ALIASES));

/** A table with a header row, with commas, semicolons or tabs. Columns that are no field become metadata. */
export const csvReader: SourceReader = {
  format: 'csv',
  measure: sizeOfFile,
  async places(path, options) {
    const { name, id } = await fileOf(path, options);
    return [{ kind: 'records', root: id, file: name }];
  },
  async *read(path, options) {
    const { name, id } = await fileOf(path, options);
    const file = stemOf(name);
    const rows = rowsOf(path, options);
    let columns: string[] | undefined;
    for await (const row of rows) {
      const at = `${name}:${row.line}`;
      if (row.problem !== undefined) {
        // Without a header the next row would be taken for it.
        if (!columns) throw new ImportError(`The header row of ${name} cannot be read: ${row.problem}`);
        yield skip(at, 'malformed', row.problem);
      } else if (columns) yield* memoriesOfRow(row.fields, { columns, at, file, id, options });
      else columns = columnsOf(row.fields, options);
    }
    if (!columns) yield skip(name, 'empty', 'has no header row');
  },
};

/** The one file that is read, and the beginning of the ids of its records. */
async function fileOf(path: string, options: ReadOptions): Promise<{ name: string; id: string }> {
  const origin = await originOf(path);
  if (origin.kind === 'folder') throw new ImportError(`${path} is a folder; name the CSV file`);
  return { name: origin.name, id: `csv:${await rootId(origin.root, options)}/${origin.name}` };
}

type Row =
  | { line: number; fields: Buffer[]; problem?: undefined }
  | { line: number; problem: string; fields?: undefined };

async function* rowsOf(path: string, options: ReadOptions): AsyncGenerator<Row> {
  const bytes = bytesOf(path, options);
  const first = await bytes.next();
  if (first.done) return;
  const wide = wideEncodingOf(first.value);
  if (wide) {
    await bytes.return(undefined);
    throw new ImportError(`${basename(path)} is ${wide}; save it as CSV in UTF-8`);
  }
  const skipped: Row[] = [];
  const start = withoutMark(first.value);
  const parser = parserFor(start, skipped);
  const source = Readable.from(whole(start, bytes));
  // The iteration below throws what fails; the callback only keeps it from being thrown twice.
  pipeline(source, parser, () => undefined);
  try {
    for await (const row of parser) {
      const next = rowOf(row);
      // The parser is ahead of what it gives out: what it skipped may come after this row.
      const later = skipped.findIndex(({ line }) => line >= next.line);
      yield* skipped.splice(0, later === -1 ? skipped.length : later);
      yield next;
    }
  } catch (error) {
    skipped.push({ line: parser.info.lines, problem: messageOf(error) });
  }
  yield* skipped;
}

async function* whole(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Bytes without the byte order mark before them. */
function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

/** Fields stay bytes, since decoding would hide what is not UTF-8; rows that break the rules are listed. */
function parserFor(first: Buffer, skipped: Row[]): Parser {
  const named = namedDelimiter(first);
  return parse({
    encoding: null,
    delimiter: named ?? delimiterOf(first),
    from_line: named === undefined ? 1 : 2,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW,
    on_skip: (error) => {
      const line = typeof error?.['lines'] === 'number' ? error['lines'] : 0;
      skipped.push({ line, problem: problemOf(error) });
      return undefined;
    },
  });
}

/** The message of the parser, without the bytes that it was given. */
function problemOf(error: Error | undefined): string {
  return error?.message.replace(/, value is \{.*$/s, '') ?? 'breaks the rules of CSV';
}

/**
 * The separator that the first line names in place of a header, as Excel has it (`sep=;`, or `sep=\t` in letters); whoever saved the
 * table again may have filled that line up with separators.
 */
function namedDelimiter(first: Buffer): string | undefined {
  const line = /^"?sep=(\\t|[^"\r\n])"?\1*\s*(?:[\r\n]|$)/i.exec(first.toString('utf8', 0, 256));
  return line?.[1] === '\\t' ? '\t' : line?.[1];
}

/** The one of comma, semicolon and tab that the header row has most of, outside of quotes. */
function delimiterOf(first: Buffer): string {
  const header =
    first
      .toString('utf8')
      .replaceAll(/"[^"]*"/g, '')
      .split(/\r?\n/)[0] ?? '';
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length }));
  return counted.sort((a, b) => b.count - a.count)[0]?.mark ?? ',';
}

/** With `info` a record comes with where it ended. */
function rowOf(given: unknown): Row {
  const { record, info } = given as { record: Buffer[]; info: { lines: number } };
  return { line: info.lines, fields: record };
}

function columnsOf(header: readonly Buffer[], { columns = {} }: ReadOptions): string[] {
  const names = header.map((field) => field.toString('utf8').trim());
  const fieldOf = new Map(Object.entries(columns).map(([field, column]) => [column, field]));
  for (const [field, column] of Object.entries(columns)) {
    if (!FIELDS.has(field))
      throw new ImportError(`There is no field ${field}; fields are ${[...FIELDS].join(', ')}`);
    if (!names.includes(column))
      throw new ImportError(`There is no column ${column} for ${field}; columns are ${names.join(', ')}`);
  }
  const given = new Set<string>(Object.keys(columns));
  const fields = names.map((name) => {
    const field = fieldOf.get(name) ?? ALIASES[name.toLowerCase().replaceAll(/[\s-]+/g, '_')];
    if (field === undefined || (given.has(field) && !fieldOf.has(name))) return name;
    // Of two columns for one field the first has it, the other is metadata under its own name.
    given.add(field);
    fieldOf.set(name, field);
    return field;
  });
  if (!fields.includes('value'))
    throw new ImportError(
      `No column holds the text: columns are ${names.join(', ')}; say which with --column value=NAME`,
    );
  return fields;
}

interface RowAt {
  columns: readonly string[];
  at: string;
  /** The file without its ending, which begins the keys of rows that have an id only. */
  file: string;
  id: string;
  options: ReadOptions;
}

function* memoriesOfRow(
  row: readonly Buffer[],
  { columns, at, file, id, options }: RowAt,
): Generator<ReadItem> {
  const record: JsonObject = {};
  for (const [index, bytes] of row.entries()) {
    if (bytes.length === 0) continue;
    const decoded = decodeText(bytes, true);
    if (decoded.problem?.reason === 'not_utf8') {
      yield skip(at, 'not_utf8', `column ${columns[index] ?? index + 1} ${decoded.problem.detail}`);
      return;
    }
    record[columns[index] ?? `column_${index + 1}`] = decoded.text ?? '';
  }
  record['value'] ??= '';
  if (typeof record['metadata'] === 'string') record['metadata'] = jsonOr(record['metadata']);
  const draft = draftOfRecord(record, {
    path: at,
    file,
    id,
    namespace: options.namespace,
  });
  if ('problem' in draft) yield skip(at, 'malformed', draft.problem);
  else yield* memoriesOf(draft);
}

function jsonOr(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : text;
  } catch {
    // A column that is only called so is a text like any other.
    return text;
  }
}
