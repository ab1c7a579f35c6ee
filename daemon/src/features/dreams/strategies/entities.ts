import { meaningOf } from './synonyms.ts';
import type { Reading, ReadMemory, Token } from './reading.ts';

/** Something with a name of its own that a memory speaks of. */
export interface Entity {
  /** As compared. */
  readonly id: string;
  readonly text: string;
  readonly kind: 'number' | 'code' | 'acronym' | 'name';
  /** The sentence that names it. */
  readonly sentence: string;
  /** Names that stand beside it, and so say which one is meant: the first name of a surname. */
  readonly beside: readonly string[];
}

/** Capitalised, and shared by everybody. */
const COMMON =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|english|german|french|dutch|spanish|europe|euro|eur|usd|germany|france|spain|england|netherlands|berlin|paris|london|monday|ok|pdf|url|api|http|https|json|csv|sql|html|css|cpu|ram|ssd|usb|pr|ci|qa|id|ui|ux|tv|pm|am|vat|iso|todo|fixme|readme|note|summer|winter|spring|autumn|mr|mrs|ms|dr|herr|frau|utc|cet|gmt|iban|sms|faq|wip|lgtm|asap|covid|get|post|put|patch|delete|head|options|select|insert|update|true|false|null|internet|iphone|android|google|amazon|windows|linux|mac|github|docker|git|kwh|typescript|javascript|postgresql|sqlite|macbook|iphone|ipad)$/iu;
const COMPOUND = /(?<![\p{L}\p{N}_./-])[\p{Ll}\p{N}]{2,}(?:[-_/.][\p{Ll}\p{N}]{2,})+(?![\p{L}\p{N}_-])/gu;
const QUOTED = /`([^`\s]{3,60})`/gu;
const PLAIN_NUMBER =
  /^\d{1,4}$|^\d{1,2}[:.]\d{2}$|^(?:19|20)\d\d|^\d[\d.,]*$|^\d{1,3}(?:st|nd|rd|th)$|^\d+[-–/.:]\d+(?:[-–/.:]\d+)?$/iu;

/** The entities of a memory, each once. */
export function entitiesOf(memory: ReadMemory, frequency: Reading['frequency']): Entity[] {
  // `second-hand` is a word; `tidewater-parse` has a part that stands nowhere else.
  const hasOwnPart = (compound: string) =>
    compound.split('-').some((part) => part.length > 3 && frequency(meaningOf(part)) <= 3);
  const found = new Map<string, Entity>();
  const add = (entity: Entity): void => {
    if (!found.has(entity.id) && !COMMON.test(entity.id) && !COMMON.test(entity.text.replace(/s$/u, '')))
      found.set(entity.id, entity);
  };
  for (const { text, tokens } of memory.sentences) {
    for (const [index, token] of tokens.entries()) {
      const entity = entityAt(tokens, index);
      if (entity && token.text.length > 2) add({ ...entity, sentence: text });
    }
    for (const { 0: whole } of text.matchAll(COMPOUND))
      if (/\p{L}/u.test(whole) && (!/^[\p{Ll}-]+$/u.test(whole) || hasOwnPart(whole)))
        add({ id: idOf(whole), text: whole, kind: 'code', sentence: text, beside: [] });
    for (const { 1: quoted = '' } of text.matchAll(QUOTED))
      if (!PLAIN_NUMBER.test(quoted))
        add({ id: idOf(quoted), text: quoted, kind: 'code', sentence: text, beside: [] });
  }
  return [...found.values()];
}

function entityAt(tokens: readonly Token[], index: number): Omit<Entity, 'sentence'> | undefined {
  const token = tokens[index];
  if (!token) return undefined;
  const { text, shape } = token;
  if (shape === 'number')
    return /^\d{6,}$/u.test(text) ? { id: text, text, kind: 'number', beside: [] } : undefined;
  if (shape === 'id') {
    if (
      PLAIN_NUMBER.test(text) ||
      /^\d+(?:st|nd|rd|th|x|k|m|kg|mg|ml|cm|mm|km|gb|mb|ms|min|h|s|l|g|px|pm|am|kwh|mhz|ghz|mbit|mib|kib|%)$/iu.test(
        text,
      )
    )
      return undefined;
    const kind =
      /\d/u.test(text) && /\d{2}|[-_].*\d|\d.*[-_]/u.test(text)
        ? 'number'
        : /^\p{Lu}+$/u.test(text)
          ? 'acronym'
          : /^\p{Lu}\p{L}+$/u.test(text)
            ? 'name'
            : 'code';
    return { id: idOf(text), text, kind, beside: [] };
  }
  if (shape !== 'name') return undefined;
  const beside = [tokens[index - 1], tokens[index + 1]].flatMap((other) =>
    other?.shape === 'name' &&
    !COMMON.test(other.text) &&
    Math.min(Math.abs(other.start - token.end), Math.abs(token.start - other.end)) <= 2
      ? [other.term]
      : [],
  );
  return { id: token.term, text: text.replace(/['’]s$/u, ''), kind: 'name', beside };
}

function idOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]s$/u, '')
    .replaceAll(/[_\s]/gu, '-');
}

/** In which memories an entity stands, for those that few have. */
export function rareEntities(
  reading: Reading,
  most: number,
): { entity: Entity; in: { memory: ReadMemory; entity: Entity }[] }[] {
  const index = new Map<string, { memory: ReadMemory; entity: Entity }[]>();
  for (const memory of reading.memories)
    for (const entity of entitiesOf(memory, reading.frequency)) {
      const list = index.get(entity.id);
      if (list) list.push({ memory, entity });
      else index.set(entity.id, [{ memory, entity }]);
    }
  return [...index.values()].flatMap((list) => {
    const [first] = list;
    return first && list.length >= 2 && list.length <= most ? [{ entity: first.entity, in: list }] : [];
  });
}
