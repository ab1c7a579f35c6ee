import { stripVTControlCharacters, styleText } from 'node:util';
import { wholeDayOf } from '@reverie/shared/contract/whole-day';
import Table from 'cli-table3';
import type { Output, Terminal } from './terminal.ts';

type Out = Pick<Terminal, 'stdout'>;
type Painted = Pick<Terminal, 'stdout' | 'env'>;

/** Whether stdout shows colours: a terminal does, unless the person said no (https://no-color.org). */
export function hasColours({ stdout, env }: Painted): boolean {
  return stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** A text in a style of `util.styleText`, where stdout shows colours. */
export function paint(terminal: Painted, style: Parameters<typeof styleText>[0], text: string): string {
  return hasColours(terminal) ? styleText(style, text, { validateStream: false }) : text;
}

/** One line for people. */
export function say({ stdout }: Out, line: string): void {
  stdout.write(`${line}\n`);
}

/** What went on, for people only: on stderr, so that stdout stays what was asked for. */
export function note({ stderr }: Pick<Terminal, 'stderr'>, line: string): void {
  stderr.write(`${line}\n`);
}

/** Machine output: one JSON document. */
export function printJson({ stdout }: Out, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Prints a table, at most as wide as the terminal; on a pipe a line for each row, cells divided by tabs, without a head. Prints nothing
 * where there are no rows: whoever calls says why.
 */
export function printTable(terminal: Painted, head: readonly string[], rows: readonly string[][]): void {
  const { stdout } = terminal;
  if (rows.length === 0) return;
  if (!stdout.isTTY) {
    for (const row of rows) stdout.write(`${row.map(inOneLine).join('\t')}\n`);
    return;
  }
  const lines = rows.map((row) => row.map(inOneLine));
  const table = new Table({
    head: head.map((name) => paint(terminal, 'bold', name)),
    ...colWidthsOf([[...head], ...lines], stdout),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars,
  });
  table.push(...lines);
  stdout.write(`${table.toString()}\n`);
}

/** Prints texts that must not be cut, on a terminal: each beside a short label, wrapped to the width. */
export function printTexts({ stdout }: Out, rows: readonly (readonly [short: string, text: string])[]): void {
  const short = Math.max(...rows.map(([one]) => one.length));
  const table = new Table({
    colWidths: [short, Math.max(LEAST_PROSE, (stdout.columns ?? 100) - short - GAP)],
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars,
    wordWrap: true,
  });
  table.push(...rows.map((row) => [...row]));
  // The table fills lines up with blanks.
  stdout.write(`${table.toString().replaceAll(/ +$/gm, '')}\n`);
}

const GAP = 2;
/** Prose is not cut shorter than this; keys and ids, which are of no use when cut, are first cut at that. */
const LEAST_PROSE = 20;
const LEAST_NAME = 40;

/** How wide each column is where not all of them fit: the widest gives first. */
function colWidthsOf(rows: readonly string[][], { columns = 100 }: Output): { colWidths?: number[] } {
  const cells = (at: number) => rows.map((row) => row[at] ?? '');
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...cells(at).map((cell) => [...cell].length)));
  const least = widths.map((_, at) =>
    cells(at)
      .slice(1)
      .some((cell) => cell.includes(' '))
      ? LEAST_PROSE
      : LEAST_NAME,
  );
  const room = columns - GAP * (widths.length - 1);
  const isTooWide = () => widths.reduce((sum, width) => sum + width, 0) > room;
  if (!isTooWide()) return {};
  for (const limit of [LEAST_PROSE, LEAST_NAME])
    while (isTooWide()) {
      const mayGive = widths.map((width, at) => (least[at] === limit && width > limit ? width : 0));
      const widest = Math.max(...mayGive);
      if (widest === 0) break;
      widths[mayGive.indexOf(widest)] = widest - 1;
    }
  return { colWidths: widths };
}

const RULES = 'top,top-mid,top-left,top-right,bottom,bottom-mid,bottom-left,bottom-right,left,left-mid,mid';

/** Two spaces between columns, and no lines. */
const chars = {
  ...Object.fromEntries(`${RULES},mid-mid,right,right-mid`.split(',').map((name) => [name, ''])),
  middle: '  ',
};

/** A text on one line: runs of white space are one space, other control characters are shown. */
export function inOneLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' ').trim());
}

/**
 * A text that cannot command the terminal: a memory may hold escape sequences of a stranger. Lines and
 * tabs stay; other control characters become their pictures.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
  });
}

/** A text of a tool, without the colours and other commands to a terminal that it was printed with. */
export function withoutCommands(text: string): string {
  return visible(stripVTControlCharacters(text.replaceAll('\r\n', '\n')));
}

/** The start of a text that fits into what is left of the terminal's width, at least 20 characters. */
export function cutTo(text: string, { columns = 100 }: Pick<Output, 'columns'>, used: number): string {
  const line = inOneLine(text);
  const width = Math.max(20, columns - used);
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`;
}

/** `1 memory`, `2 memories`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;
}

/** A word as a shell takes it: in quotes where it has to be. */
export function quoted(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size for people: `12.3 MiB`. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? count(bytes, 'byte') : `${value.toFixed(1)} ${UNITS[unit]}`;
}

const people = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/** A time for people, to the minute, by this machine's own time zone: `2026-11-22 16:57`. */
export function shortTime(iso: string): string {
  return people.format(new Date(iso));
}

/** As `shortTime`, of when a memory was written or changed: what says no more than a day is that day in every zone, `2026-11-22`. */
export function writtenTime(iso: string): string {
  return wholeDayOf(iso) ?? shortTime(iso);
}
