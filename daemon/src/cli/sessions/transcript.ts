import type { SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { count, inOneLine, paint, shortTime, size, withoutCommands } from '../print.ts';
import type { Terminal } from '../terminal.ts';

/** Lines of what a tool said that are shown where not all of it is asked for. */
const TOOL_LINES = 8;

/** An entry as a person reads it: who, when, and what; what tools did is shortened and set in. */
export function shownEntry(terminal: Terminal, entry: SessionEntry, isWhole: boolean): string {
  const { kind } = entry;
  const isTool = kind === 'tool_call' || kind === 'tool_result';
  const isAside = isTool || kind === 'thinking' || kind === 'other';
  const text = bodyOf(terminal, entry, { isAside, isWhole });
  return `${headOf(terminal, entry)}${text === '' ? '' : `\n${isAside ? indented(text) : text}`}\n`;
}

function headOf(terminal: Terminal, { kind, author, tool, at, id, reply_to, child }: SessionEntry): string {
  const tail = [
    shortTime(at),
    id.slice(0, 12),
    ...(reply_to === null ? [] : [`about ${reply_to.slice(0, 12)}`]),
    ...(child === null ? [] : [`began ${child}`]),
  ].join('  ');
  const name = {
    prompt: author.name,
    answer: author.name,
    note: `${author.name}, a note`,
    summary: 'Summary',
    thinking: 'Thinking',
    tool_call: tool?.name ?? 'Tool',
    tool_result: `${tool?.name ?? 'Tool'}, result`,
    other: 'Unknown record',
  }[kind];
  const mark = kind === 'prompt' ? '▌ ' : '';
  const failed = tool?.failed === true ? ` ${paint(terminal, 'red', 'failed')}` : '';
  const style = kind === 'prompt' ? (['bold', 'blue'] as const) : (['bold'] as const);
  return `${mark}${paint(terminal, [...style], inOneLine(name))}${failed}  ${paint(terminal, 'dim', tail)}`;
}

function bodyOf(
  terminal: Terminal,
  { text, bytes, kind }: SessionEntry,
  { isAside, isWhole }: { isAside: boolean; isWhole: boolean },
): string {
  const lines = withoutCommands(text).replace(/\s+$/u, '').split('\n');
  const kept = isAside && !isWhole ? lines.slice(0, TOOL_LINES) : lines;
  const cut = bytes > Buffer.byteLength(text);
  const more = [
    ...(kept.length < lines.length ? [count(lines.length - kept.length, 'more line')] : []),
    ...(cut ? [`${size(bytes)} in all`] : []),
  ];
  const said = kept.map((line) => (kind === 'tool_call' ? coloured(terminal, line) : line)).join('\n');
  return more.length === 0
    ? said
    : `${said}\n${paint(terminal, 'dim', `… ${more.join(', ')}; --whole shows it`)}`;
}

/** Lines that a change puts in and takes out. */
function coloured(terminal: Terminal, line: string): string {
  if (line.startsWith('+')) return paint(terminal, 'green', line);
  return line.startsWith('-') ? paint(terminal, 'red', line) : line;
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '    ');
}
