import type { SecretSpan } from '../secret-span.ts';
import { IN_A_SENTENCE, isStrict } from './assignments.ts';
import { counts, describes, type Name, namesIn } from '../values/secret-names.ts';
import { isSecretValue, phraseEnd } from '../values/secret-value.ts';
import type { TextView } from '../text/views.ts';

/** Rows of one table that are looked at. */
const MOST_ROWS = 10_000;
/** Characters of a line that may be a row. */
const LONGEST_ROW = 4_096;
const RULE_LINE = /^[\s|+:─━═┼├┤╞╪╡┌┬┐└┴┘│┃=-]*$/u;

interface Cell {
  text: string;
  /** Where it begins in its line. */
  at: number;
}

/** Cells between signs of one kind, without the blanks around them. */
function cellsOf(line: string, separator: RegExp): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  const take = (end: number) => {
    const raw = line.slice(from, end);
    const text = raw.trim();
    cells.push({ text, at: from + (text === '' ? 0 : raw.indexOf(text)) });
  };
  for (const match of line.matchAll(separator)) {
    take(match.index);
    from = match.index + match[0].length;
  }
  take(line.length);
  return cells;
}

/** How the cells of a row are told apart: by a sign, or by where those of the header begin. */
const SEPARATORS: readonly { sign: RegExp; isAligned: boolean; heading: RegExp }[] = [
  { sign: /[|│┃]/gu, isAligned: false, heading: /^[^<>{}=;]{0,40}$/u },
  { sign: /\t/gu, isAligned: false, heading: /^[^<>{}=;]{1,40}$/u },
  { sign: /[ \t]{2,80}/gu, isAligned: true, heading: /^[\p{L}\p{N}_ .*`"'-]{0,40}$/u },
  { sign: /,/gu, isAligned: false, heading: /^["']?[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,40}["']?$/u },
  { sign: /;/gu, isAligned: false, heading: /^["']?[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,40}["']?$/u },
];

/** Cells of what `kubectl get` and `sqlite3 -column` print: between wide blanks, or where a cell is empty by where those of the header begin. */
function inColumns(line: string, header: readonly Cell[]): Cell[] {
  const apart = cellsOf(line, /[ \t]{2,80}/gu);
  if (
    apart.length === header.length ||
    header.some(({ at }) => at > 0 && /\S\S/u.test(line.slice(at - 1, at + 1)))
  )
    return apart;
  return header.map(({ at }, column) => {
    const raw = line.slice(at, header[column + 1]?.at);
    return { text: raw.trim(), at: at + (raw.length - raw.trimStart().length) };
  });
}

/** Columns of a header that are named as secrets, and whether as passwords. */
function namedColumns(header: readonly Cell[]): { column: number; strict: boolean; isPhrase: boolean }[] {
  return header.flatMap(({ text }, column) => {
    const bare = text.replaceAll(/^["'`*_\s]+|["'`*_\s]+$/gu, '');
    if (bare.length > 40) return [];
    const [name] = namesIn(bare);
    if (!name || describes(bare.slice(name.end)) || counts(bare.slice(0, name.index))) return [];
    // A heading is the name and a word or two; a sentence is none.
    if (bare.split(/\s+/u).length > 4) return [];
    return [{ column, strict: isStrict(name), isPhrase: name.kind === 'phrase' }];
  });
}

/** Values below the heading of a column that names a secret, in tables of Markdown, of databases, of commands and in CSV. */
export function tablesIn({ text, breaks }: TextView, names: readonly Name[]): SecretSpan[] {
  if (breaks.length > 0) return [];
  const found: SecretSpan[] = [];
  let done = 0;
  for (const name of names) {
    if (name.index < done) continue;
    const start = text.lastIndexOf('\n', name.index) + 1;
    const lineEnd = text.indexOf('\n', name.index);
    // Each line is looked at once: for its other names nothing else would come out.
    done = lineEnd < 0 ? text.length : lineEnd;
    if (lineEnd < 0 || lineEnd - start > LONGEST_ROW) continue;
    const line = text.slice(start, lineEnd);
    for (const { sign, isAligned, heading } of SEPARATORS) {
      const header = cellsOf(line, sign);
      if (header.length < 2 || !header.every((cell) => heading.test(cell.text))) continue;
      const columns = namedColumns(header);
      if (columns.length === 0) continue;
      const of = (row: string) => (isAligned ? inColumns(row, header) : cellsOf(row, sign));
      const table = rowsBelow(text, lineEnd + 1, { header, columns, of });
      found.push(...table.found);
      if (table.end === lineEnd + 1) continue;
      done = table.end;
      break;
    }
  }
  return found;
}

function rowsBelow(
  text: string,
  from: number,
  {
    header,
    columns,
    of,
  }: {
    header: readonly Cell[];
    columns: ReturnType<typeof namedColumns>;
    of: (line: string) => Cell[];
  },
): { found: SecretSpan[]; end: number } {
  const found: SecretSpan[] = [];
  let at = from;
  for (let row = 0; row < MOST_ROWS && at < text.length; row += 1) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const line = text.slice(at, Math.min(end, at + LONGEST_ROW));
    if (line.trim() === '') break;
    if (!RULE_LINE.test(line)) {
      const cells = of(line);
      if (cells.length !== header.length) break;
      for (const { column, strict, isPhrase } of columns) {
        const cell = cells[column];
        if (!cell) continue;
        const value = cell.text.replaceAll(/^["'`*]+|["'`*]+$/gu, '');
        if (value === '') continue;
        const start = at + cell.at + cell.text.indexOf(value);
        const candidate = { ...IN_A_SENTENCE, value, strict };
        const isWords = isPhrase && phraseEnd(value, 0, strict ? 4 : 12) !== undefined;
        if (isWords || isSecretValue(candidate))
          found.push({
            rule: strict ? 'password' : 'api-key',
            start,
            end: start + value.length,
            least: value.length,
          });
      }
    }
    at = end + 1;
  }
  return { found, end: Math.min(at, text.length) };
}
