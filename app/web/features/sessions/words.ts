import { agentTitle } from '@reverie/shared/contract/sessions/coding-agents';
import type { CodingSession, EntryKind, SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { countOf, formatDecimal, formatCount } from '../../platform/format.ts';

/** `1.2 million tokens`, `640 tokens`: in words, for nobody reads nine digits. */
export function tokenWords(tokens: number): string {
  if (tokens < 10_000) return countOf(tokens, 'token', 'tokens');
  if (tokens < 1_000_000) return `${formatCount(Math.round(tokens / 1_000))} thousand tokens`;
  const [amount, unit] = tokens < 1_000_000_000 ? [tokens / 1e6, 'million'] : [tokens / 1e9, 'billion'];
  return `${formatDecimal(amount, amount < 10 ? 1 : 0)} ${unit} tokens`;
}

/** How much there is in a session, and what of it could not be read or is not known: `84 entries, 1.2 million tokens, 2 lines could not be read`. */
export function sizeWords({
  entries,
  tokens,
  unread_lines,
  unknown_records,
}: Pick<CodingSession, 'entries' | 'tokens' | 'unread_lines' | 'unknown_records'>): string {
  return [
    countOf(entries, 'entry', 'entries'),
    ...(tokens > 0 ? [tokenWords(tokens)] : []),
    ...(unread_lines > 0 ? [unreadWords(unread_lines)] : []),
    ...(unknown_records > 0
      ? [`${countOf(unknown_records, 'record', 'records')} of a kind that this version does not know`]
      : []),
  ].join(', ');
}

/** How many lines of logs could not be read: `2 lines could not be read`. */
export function unreadWords(lines: number): string {
  return `${countOf(lines, 'line', 'lines')} could not be read`;
}

/** What a session came from, where it is here: `subagent of …` stands before its link. */
export function parentWords(kind: 'subagent' | 'fork' | 'continuation'): string {
  return { subagent: 'Subagent of', fork: 'Fork of', continuation: 'Goes on from' }[kind];
}

/** Who writes as the person of this machine; people elsewhere have the ids of their devices. */
const PERSON = 'person';

/** Who wrote an entry: an agent as people call it, oneself, or somebody by name. */
export function authorWords({ id, name, agent }: SessionEntry['author']): string {
  if (agent !== null) return agentTitle(agent);
  return id === PERSON ? 'You' : name;
}

/** For whom an agent wrote, where that is said and is not the agent again. */
export function forWhom({ name, agent }: SessionEntry['author']): string | undefined {
  if (agent === null || agentTitle(name) === agentTitle(agent)) return undefined;
  return name;
}

/** A text that names files without the folder of the project in front of each. */
export function withoutFolder(text: string, folder: string | null): string {
  return folder === null || folder.length < 2
    ? text
    : text.replaceAll(`${folder.replace(/[/\\]$/, '')}/`, '');
}

/** Who takes part besides oneself: `Ada and 2 others`; empty where nobody does. */
export function peopleWords(participants: CodingSession['participants']): string {
  const [first, ...rest] = participants.filter(({ self }) => !self);
  if (!first) return '';
  return rest.length === 0 ? first.name : `${first.name} and ${countOf(rest.length, 'other', 'others')}`;
}

/** What a session is doing, in a word. */
export const STATUS_WORDS: Readonly<Record<CodingSession['status'], string>> = {
  live: 'Live',
  idle: 'Quiet',
  ended: 'Over',
};

/** What an entry is, in a word or two. */
export const KIND_WORDS: Readonly<Record<EntryKind, string>> = {
  prompt: 'Asked',
  answer: 'Answered',
  thinking: 'Thought',
  tool_call: 'Tool',
  tool_result: 'Result of a tool',
  summary: 'Summary',
  note: 'Note',
  other: 'Something else',
};
