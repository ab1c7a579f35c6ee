import type { InboxMessage } from '@reverie/shared/contract/events/inbox';
import { pairLines, pairsLine, pairsOf, type Pair } from '../../ui/text/pairs.ts';
import { plainLine } from '../../ui/reading/plain-line.ts';

type Payload = InboxMessage['payload'];

/** A message as a person reads it: its text, and whatever else it carries, by name. */
export interface ReadMessage {
  text: string | undefined;
  fields: readonly Pair[];
}

/** The names under which programs put what is meant for people. */
const TEXTS = ['text', 'message', 'value'] as const;

export function readPayload(payload: Payload): ReadMessage {
  const said = TEXTS.find((name) => typeof payload[name] === 'string' && payload[name].trim() !== '');
  return {
    text: said === undefined ? undefined : String(payload[said]),
    fields: pairsOf(Object.fromEntries(Object.entries(payload).filter(([name]) => name !== said))),
  };
}

/** How a message begins, on one line. */
export function excerptOf(payload: Payload): string {
  const { text, fields } = readPayload(payload);
  if (text !== undefined) return plainLine(text) || text.trim();
  return pairsLine(fields);
}

/** What kind of message it is, for people. */
export function kindWords(kind: string): string {
  return kind === 'memory.proposal' ? 'to remember?' : kind;
}

/** What an agent proposes to keep, and the key that it suggests; undefined for any other message. */
export function proposalOf({
  kind,
  payload: { key, value },
}: Pick<InboxMessage, 'kind' | 'payload'>): { key: string; value: string } | undefined {
  const isOne = kind === 'memory.proposal' && typeof key === 'string' && typeof value === 'string';
  return isOne ? { key, value } : undefined;
}

/** What is kept of a message as a memory: its text, and below it what else it carries. */
export function memoryOf(payload: Payload): string {
  const { text, fields } = readPayload(payload);
  const rest = pairLines(fields)
    .map((line) => line.replace(/^ */, (indent) => `${indent}- `))
    .join('\n');
  return [text, rest].filter((part) => part !== undefined && part !== '').join('\n\n');
}
