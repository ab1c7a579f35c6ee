import type { JsonObject } from '@reverie/shared/contract/fields';

/** The tags in which agents and memory programs put what they recalled into a conversation. */
const RECALLED =
  /<((?:reverie|recalled|relevant|retrieved|supermemory|hindsight|claude-mem|mem0|memory)[-_](?:memories|memory|recall|context))\b[^>]*>[\s\S]*?<\/\1>/giu;
const SOURCES = new Set(['recall', 'recalled', 'dream', 'ask']);

/** A value without the parts that were recalled into it from other memories: a repetition is no evidence. */
export function withoutRecalled(value: string): string {
  return value.includes('<') ? value.replaceAll(RECALLED, '') : value;
}

/** Whether a memory says of itself that it was recalled, or comes from a dream. */
export function isRecalled(metadata: JsonObject): boolean {
  const { source, recalled } = metadata;
  return recalled === true || (typeof source === 'string' && SOURCES.has(source));
}
