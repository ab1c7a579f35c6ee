import { tagsOf } from '../fit.ts';

/** `- [category] content #tag (context)` of a basic-memory note. */
export interface Observation {
  category: string;
  content: string;
  tags?: string[];
  context?: string;
}

/** `- type [[Target]] (context)`, or `links_to` for every other `[[Target]]`. */
export interface Relation {
  type: string;
  target: string;
  context?: string;
}

interface Semantics {
  observations: Observation[];
  relations: Relation[];
}

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(\S.*)$/;
const FENCE = /^\s*(```+|~~~+)/;
const CLOCK =
  /^\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s+-\s+\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)?$/;

/** Reads what the lines of a note say in basic-memory's notation; code blocks and quotes say nothing. */
export function semanticsOf(body: string): Semantics {
  const found: Semantics = { observations: [], relations: [] };
  let fence: string | undefined;
  for (const line of body.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    if (fence !== undefined || /^\s*>/.test(line)) continue;
    const item = ITEM.exec(line)?.[1]?.trim();
    const observation = item === undefined ? undefined : observationOf(item);
    if (observation) found.observations.push(observation);
    const relation = item === undefined ? undefined : relationOf(item);
    if (relation) found.relations.push(relation);
    else if (line.includes('[[')) found.relations.push(...linksIn(line));
  }
  return found;
}

function observationOf(item: string): Observation | undefined {
  // A task, a link to a page, and a bare link are no observations.
  if (/^\[[ xX-]\]/.test(item) || /^\[[^\]]*\]\([^)]*\)$/.test(item) || /^\[\[[^\]]*\]\]$/.test(item))
    return undefined;
  const match = /^\[([^[\]()]+)\]\s+(\S.*)$/.exec(item);
  const category = match?.[1]?.trim() ?? '';
  const isCategory =
    category !== '' && !CLOCK.test(category) && !(category.length === 1 && !/[\p{L}\p{N}]/u.test(category));
  const tagged = item.split(/\s+/).filter((word) => /^#[^#\s]/.test(word));
  if (!isCategory && tagged.length === 0) return undefined;
  const { content, context } = withoutContext(isCategory ? (match?.[2] ?? '') : item);
  if (content === '') return undefined;
  const tags = tagsOf(tagged.flatMap((word) => word.split('#')));
  return {
    category: isCategory ? category : 'Note',
    content,
    ...(tags.length > 0 && { tags }),
    ...(context !== undefined && { context }),
  };
}

function withoutContext(text: string): { content: string; context?: string } {
  const start = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  if (start === -1) return { content: text.trim() };
  const context = text.slice(start + 1, -1).trim();
  return { content: text.slice(0, start).trim(), ...(context !== '' && { context }) };
}

/** A type of several words has to be quoted; prose behind the target makes the line a sentence. */
function relationOf(item: string): Relation | undefined {
  const start = item.indexOf('[[');
  const end = item.indexOf(']]', start + 2);
  if (start === -1 || end === -1) return undefined;
  const type = typeOf(item.slice(0, start).trim());
  const target = item.slice(start + 2, end).trim();
  const after = item.slice(end + 2).trim();
  if (type === undefined || target === '') return undefined;
  if (after !== '' && !isOneGroup(after)) return undefined;
  const context = after.slice(1, -1).trim();
  return { type, target, ...(context !== '' && { context }) };
}

function typeOf(before: string): string | undefined {
  const quote = before[0];
  if ((quote === '"' || quote === "'") && before.length > 2 && before.endsWith(quote))
    return before.slice(1, -1).trim();
  return before === '' || /\s/.test(before) ? undefined : before;
}

function isOneGroup(text: string): boolean {
  if (!text.startsWith('(')) return false;
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === '(') depth++;
    if (character === ')' && --depth === 0) return at === [...text].length - 1;
  }
  return false;
}

function linksIn(line: string): Relation[] {
  const links: Relation[] = [];
  let start = line.indexOf('[[');
  while (start !== -1) {
    const end = line.indexOf(']]', start + 2);
    if (end === -1) break;
    const target = line.slice(start + 2, end).trim();
    if (target !== '') links.push({ type: 'links_to', target });
    start = line.indexOf('[[', end + 2);
  }
  return links;
}
