import Table from 'cli-table3';
import type { Output, Terminal } from './terminal.ts';

type Out = Pick<Terminal, 'stdout'>;

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
 * A table on a terminal; else one row a line, cells divided by tabs, without a head. Nothing where there are no
 * rows: whoever calls says why.
 */
export function printTable({ stdout }: Out, head: readonly string[], rows: readonly string[][]): void {
  if (rows.length === 0) return;
  if (!stdout.isTTY) {
    for (const row of rows) stdout.write(`${row.map(inOneLine).join('\t')}\n`);
    return;
  }
  const table = new Table({
    head: [...head],
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars,
  });
  for (const row of rows) table.push(row.map(inOneLine));
  stdout.write(`${table.toString()}\n`);
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
