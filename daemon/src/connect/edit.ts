import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch } from '@decimalturn/toml-patch';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type ConfigEntry, STATUS_LINE } from './agents.ts';

/** A file of an agent cannot be edited; the sentence says why, where, and what to do. */
export class CannotEdit extends Error {}

/** A path of a container that was made for an entry, and goes with it when nothing else is in it. */
export type Made = readonly string[];

const BOM = '\ufeff';

/** A file's text with an entry in it; the same text where it stands there already as it is. Throws `CannotEdit`. */
export function put(text: string, entry: ConfigEntry): { text: string; made: readonly Made[] } {
  return withinStack(() => putEntry(text, entry));
}

function putEntry(text: string, entry: ConfigEntry): { text: string; made: readonly Made[] } {
  if (entry.kind === 'whole') {
    if (text !== '' && text !== entry.text)
      throw new CannotEdit('it is there already, and this did not write it. Move it away first');
    return { text: entry.text, made: [] };
  }
  if (entry.kind === 'table') return { text: putTable(text, entry), made: [] };
  const [bom, body] = splitBom(text);
  const tree = treeOf(body);
  const there = tree && findNodeAtLocation(tree, [...entry.path]);
  refuseWrongParents(tree, entry.path);
  if (entry.kind === 'needed' && there) return { text, made: [] };
  if (entry.kind === 'value' && there) {
    if (isWithin(entry.value, valueIn(there))) return { text, made: [] };
    throw new CannotEdit(
      `it has ${entry.path.join('.')} already, and this did not write it. Take that out first, or keep it and ${entry.path[0] === STATUS_LINE ? 'leave --statusline out' : 'connect nothing'}`,
    );
  }
  if (entry.kind === 'item' && there) {
    if (there.type !== 'array') throw new CannotEdit(`${entry.path.join('.')} is no list in it`);
    if (oursIn(there, entry)) return { text, made: [] };
  }
  const made = entry.path
    .map((_, at): Made => entry.path.slice(0, at))
    .concat(entry.kind === 'item' ? [entry.path] : [])
    .filter((container) => container.length > 0 && !(tree && findNodeAtLocation(tree, [...container])));
  const edits =
    entry.kind === 'item' && there
      ? change(body, [...entry.path, there.children?.length ?? 0], { value: entry.value, isNew: true })
      : change(body, [...entry.path], { value: entry.kind === 'item' ? [entry.value] : entry.value });
  return { text: bom + edits, made };
}

/** A file's text without an entry, and without what was made for it and is empty now. What is not there is gone already. */
export function take(text: string, entry: ConfigEntry, made: readonly Made[]): string {
  return withinStack(() => takeEntry(text, entry, made));
}

/** The parsers call themselves for each level of nesting. */
function withinStack<T>(edit: () => T): T {
  try {
    return edit();
  } catch (cause) {
    if (cause instanceof RangeError) throw new CannotEdit('it is nested too deeply. Mend it first');
    throw cause;
  }
}

function takeEntry(text: string, entry: ConfigEntry, made: readonly Made[]): string {
  if (entry.kind === 'whole') return text === entry.text ? '' : text;
  if (entry.kind === 'table') return takeTable(text, entry);
  const [bom, body] = splitBom(text);
  const tree = treeOf(body);
  const there = tree && findNodeAtLocation(tree, [...entry.path]);
  if (!there) return text;
  let next = body;
  if (entry.kind === 'item') {
    const ours = oursIn(there, entry);
    if (!ours) return text;
    next = change(body, [...entry.path, ...ours], { value: undefined });
    // A group in which there was nothing but ours goes as a whole.
    const [at = 0, ...within] = ours;
    if (within.length > 0 && isEmpty(next, [...entry.path, at, ...within.slice(0, -1)]))
      next = change(next, [...entry.path, at], { value: undefined });
  } else if (entry.kind === 'value') next = change(body, [...entry.path], { value: undefined });
  // The innermost first: a container is empty when all that was made in it is gone. What only had to be there stays.
  for (const container of made.toSorted((a, b) => b.length - a.length))
    if (isEmpty(next, container)) next = change(next, [...container], { value: undefined });
  return bom + next;
}

/** Whether an entry stands in a text as it is. */
export function has(text: string, entry: ConfigEntry): boolean {
  try {
    return put(text, entry).text === text;
  } catch (cause) {
    if (cause instanceof CannotEdit) return false;
    throw cause;
  }
}

function splitBom(text: string): [string, string] {
  return text.startsWith(BOM) ? [BOM, text.slice(1)] : ['', text];
}

/** The tree of a JSON text with comments; undefined for an empty one. */
function treeOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first)
    throw new CannotEdit(
      `it is broken ${placeIn(text, first.offset)}: ${printParseErrorCode(first.error)}. Mend it first`,
    );
  if (tree && tree.type !== 'object') throw new CannotEdit('it is no JSON object');
  return tree;
}

/** `in line 3, column 5`. */
function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function refuseWrongParents(tree: Node | undefined, at: readonly string[]): void {
  for (let length = 1; length < at.length; length += 1) {
    const parent = tree && findNodeAtLocation(tree, at.slice(0, length));
    if (parent && parent.type !== 'object')
      throw new CannotEdit(`${at.slice(0, length).join('.')} is no object in it`);
  }
}

/** A node's value. The parser's own objects have no prototype, and would equal none of ours. */
function valueIn(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

/** Whether all fields of an object stand in another one as they are: somebody may have added some. */
function isWithin(ours: unknown, there: unknown): boolean {
  if (!isRecord(ours) || !isRecord(there)) return isDeepStrictEqual(ours, there);
  return Object.entries(ours).every(([name, value]) => isDeepStrictEqual(value, there[name]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The command of a hook: of an item itself, or of the first in its group. */
function commandOf(item: unknown): unknown {
  if (!isRecord(item)) return undefined;
  const { command, hooks } = item;
  return Array.isArray(hooks) ? commandOf(hooks[0]) : command;
}

/** Where in a list our hook is, by its command: somebody may have given it another limit, or a neighbour in its group. */
function oursIn(list: Node, { value }: { value: unknown }): (string | number)[] | undefined {
  const command = commandOf(value);
  const items: unknown = valueIn(list);
  for (const [at, item] of (Array.isArray(items) ? items : []).entries()) {
    if (!isRecord(item)) continue;
    if (item['command'] === command) return [at];
    const { hooks } = item;
    const within = Array.isArray(hooks) ? hooks.findIndex((one) => commandOf(one) === command) : -1;
    if (within >= 0) return [at, 'hooks', within];
  }
  return undefined;
}

/** Whether there is nothing in a container, and a container. */
function isEmpty(text: string, at: readonly (string | number)[]): boolean {
  const tree = treeOf(text);
  const left = tree && findNodeAtLocation(tree, [...at]);
  return left !== undefined && (left.children ?? []).length === 0;
}

function change(
  text: string,
  at: (string | number)[],
  { value, isNew = false }: { value: unknown; isNew?: boolean },
): string {
  const indent = /^([ \t]+)\S/mu.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, at, value, { formattingOptions, isArrayInsertion: isNew }));
}

type Table = Extract<ConfigEntry, { kind: 'table' }>;

function tomlOf(text: string): Record<string, unknown> {
  try {
    return parseToml(text) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new CannotEdit(
      `it is broken: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)}. Mend it first`,
    );
  }
}

function valueAt(root: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
    root,
  );
}

const eolOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');
const blockOf = ({ text: block }: Table, text: string) => block.replaceAll('\n', eolOf(text));

/** Adds a table at the end: what stands before keeps each byte. */
function putTable(text: string, table: Table): string {
  const [bom, body] = splitBom(text);
  const there = valueAt(tomlOf(body), table.path);
  if (there !== undefined) {
    if (isWithin(valueAt(tomlOf(table.text), table.path), there)) return text;
    throw new CannotEdit(
      `it has [${table.path.join('.')}] already, and this did not write it. Take that out first, or keep it and connect nothing`,
    );
  }
  const eol = eolOf(body);
  const gap = body === '' ? '' : body.endsWith('\n') ? eol : eol + eol;
  const next = body + gap + blockOf(table, body) + eol;
  // A parent that is written in line cannot be added to from below.
  try {
    tomlOf(next);
  } catch {
    throw new CannotEdit(
      `[${table.path.join('.')}] cannot be added below it: ${table.path[0] ?? ''} is written in one line there`,
    );
  }
  return bom + next;
}

function takeTable(text: string, table: Table): string {
  const [bom, body] = splitBom(text);
  const eol = eolOf(body);
  const block = blockOf(table, body);
  for (const form of [eol + block + eol, block + eol, block]) {
    const at = body.indexOf(form);
    if (at < 0 || (at > 0 && !form.startsWith(eol) && body[at - 1] !== '\n')) continue;
    // The line before keeps its end where something follows.
    const before = body.slice(0, at);
    const after = body.slice(at + form.length);
    const next =
      after === '' || before === '' || before.endsWith('\n') ? before + after : before + eol + after;
    if (valueAt(tomlOf(next), table.path) === undefined) return bom + next;
  }
  const parsed = tomlOf(body);
  const parent = valueAt(parsed, table.path.slice(0, -1));
  if (typeof parent !== 'object' || parent === null) return text;
  const last = table.path.at(-1) ?? '';
  if (!(last in parent)) return text;
  Reflect.deleteProperty(parent, last);
  return bom + patch(body, parsed);
}
