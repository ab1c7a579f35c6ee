import type { EntryKind } from '@reverie/shared/contract/sessions/sessions';
import type { ExportCounts } from '@reverie/shared/contract/sessions/session-export';
import { hasMoreLines } from '../../../language/lines.ts';

/** What an export says of a session, before its entries. */
export interface ExportedSession {
  title: string;
  agent: string;
  project: string | null;
  branch: string | null;
  models: readonly string[];
  tokens: number;
  /** When it began, and when it was written to last; ms since 1970. */
  from: number;
  until: number;
  /** Whether secrets stayed in it. */
  hasSecrets: boolean;
}

/** An entry as it is written into a file: without secrets, unless they were asked for. */
export interface ExportedEntry {
  id: string;
  /** Ms since 1970. */
  at: number;
  kind: EntryKind;
  text: string;
  author: string;
  tool: string | null;
  failed: boolean;
  files: readonly string[];
  /** The entry that a note is about. */
  replyTo: string | null;
}

/** Writes a session as a document, piece by piece. */
export interface SessionWriter {
  head(session: ExportedSession): string;
  entry(entry: ExportedEntry): string;
  end(counts: ExportCounts): string;
}

/** Characters, and lines, of Markdown that are read: no answer that a person reads has as many. */
const LONGEST_MARKDOWN = 32_768;
const MOST_LINES = 2_048;

/** Whether Markdown is so long that it is shown as it is: reading it would hold everybody up. */
export function isShownAsItIs(markdown: string): boolean {
  return markdown.length > LONGEST_MARKDOWN || hasMoreLines(markdown, MOST_LINES);
}

/** `2026-11-26 09:05`, by UTC: a file is read in other places, too. */
export function shownTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** The sentence at the end of an exported file: how many entries it has, and what was taken out or left out. */
export function endSentence({ entries, redactions, leftOut }: ExportCounts, hasSecrets: boolean): string {
  const of = (number: number, one: string, many: string) =>
    `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;
  const all = `${of(entries, 'entry', 'entries')}.`;
  if (hasSecrets) return `${all} Secrets were not taken out.`;
  const taken = `${of(redactions, 'secret was', 'secrets were')} taken out`;
  const stayed = of(leftOut, 'entry was', 'entries were');
  return leftOut === 0
    ? `${all} ${taken}.`
    : `${all} ${taken}; ${stayed} left out, for what is in them is not known or could not be looked through.`;
}

/** What an entry is called above its text. */
export function nameOf({ kind, tool, failed, author }: ExportedEntry): string {
  const name = {
    prompt: author,
    answer: author,
    note: `${author}, a note`,
    summary: 'Summary',
    thinking: 'Thinking',
    tool_call: tool ?? 'Tool',
    tool_result: `${tool ?? 'Tool'}: ${failed ? 'failed' : 'result'}`,
    other: 'Unknown record',
  }[kind];
  return kind === 'tool_call' && failed ? `${name}: failed` : name;
}
