import { parse as parseToml, patch } from '@decimalturn/toml-patch';
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { STATUS_LINE } from './agents.ts';
import { CannotEdit, takenPlace } from './cannot-edit.ts';
import type { ConfigEntry, Trace } from './config-entry.ts';
import { putYaml, takeYaml } from './edit-yaml.ts';
import { isRecord, isWithin } from './is-within.ts';

const BOM = '\ufeff';

/** A file's text with an entry in it; the same text where it stands there already as it is. Throws `CannotEdit`. */
export function put(text: string, entry: ConfigEntry): Trace & { text: string } {
  return withinStack(() => putEntry(text, entry));
}

function putEntry(text: string, entry: ConfigEntry): Trace & { text: string } {
  if (entry.kind === 'whole') {
    if (text !== '' && text !== entry.text)
      throw new CannotEdit('it is there already, and this did not write it. Move it away first');
    return { text: entry.text, made: [] };
  }
  if (entry.kind === 'table') return { text: putTable(text, entry), made: [] };
  if (entry.kind === 'yaml') return putYaml(text, entry);
  const [bom, body] = splitBom(text);
  const tree = treeFor(body, entry, 'put');
  const there = tree && findNodeAtLocation(tree, [...entry.path]);
  refuseWrongParents(tree, entry.path);
  if (entry.kind === 'needed' && there) return { text, made: [] };
  if (entry.kind === 'value' && there) {
    if (isWithin(entry.value, valueIn(there))) return { text, made: [] };
    throw takenPlace(
      entry.path.join('.'),
      entry.path[0] === STATUS_LINE ? 'leave --statusline out' : undefined,
    );
  }
  if (entry.kind === 'item' && there) {
    if (there.type !== 'array') throw new CannotEdit(`${entry.path.join('.')} is no list in it`);
    if (oursIn(there, entry)) return { text, made: [] };
  }
  const made = entry.path
    .map((_, at): readonly string[] => entry.path.slice(0, at))
    .concat(entry.kind === 'item' ? [entry.path] : [])
    .filter((container) => container.length > 0 && !(tree && findNodeAtLocation(tree, [...container])));
  const at = holderOf(entry, made);
  const names = entry.path.slice(at.length);
  const whole = entry.kind === 'item' && !there ? [entry.value] : entry.value;
  const value = names.slice(1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), whole);
  const { text: next, blank } = insert(body, at, { name: names[0], value });
  return { text: bom + next, made, ...(blank !== undefined && { blank }) };
}

/** The container, there before us, that an entry goes into with all that was made for it. */
function holderOf(
  entry: Exclude<ConfigEntry, { kind: 'whole' | 'table' | 'yaml' }>,
  made: Trace['made'],
): readonly string[] {
  const [outermost] = made.toSorted((a, b) => a.length - b.length);
  if (outermost) return outermost.slice(0, -1);
  return entry.kind === 'item' ? entry.path : entry.path.slice(0, -1);
}

/** A file's text without an entry, and without what was made for it and is empty now. What is not there is gone already. */
export function take(text: string, entry: ConfigEntry, trace: Trace): string {
  return withinStack(() => takeEntry(text, entry, trace));
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

function takeEntry(text: string, entry: ConfigEntry, { made, blank }: Trace): string {
  if (entry.kind === 'whole') return text === entry.text ? '' : text;
  if (entry.kind === 'table') return takeTable(text, entry);
  if (entry.kind === 'yaml') return takeYaml(text, entry, { made, blank });
  const [bom, body] = splitBom(text);
  const tree = treeFor(body, entry, 'take');
  const there = tree && findNodeAtLocation(tree, [...entry.path]);
  if (!there) return text;
  let next = body;
  if (entry.kind === 'item') {
    const ours = oursIn(there, entry);
    if (!ours) return text;
    next = cut(body, [...entry.path, ...ours]);
    // A group in which there was nothing but ours goes as a whole.
    const [at = 0, ...within] = ours;
    if (within.length > 0 && isBlank(next, [...entry.path, at, ...within.slice(0, -1)]))
      next = cut(next, [...entry.path, at]);
  } else if (entry.kind === 'value') {
    // What somebody put in its place since is theirs.
    if (!isWithin(entry.value, valueIn(there))) return text;
    next = cut(body, entry.path);
  }
  // The innermost first: a container is empty when all that was made in it is gone. What only had to be there stays.
  for (const container of made.toSorted((a, b) => b.length - a.length))
    if (isBlank(next, container)) next = cut(next, container);
  if (blank !== undefined) next = refill(next, holderOf(entry, made), blank);
  return bom + next;
}

/** Tells whether an entry stands in a text as it is. */
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

/** The tree of a text that may be JSON5: where it is more than JSON with comments, the refusal says what to do by hand. */
function treeFor(text: string, entry: ConfigEntry, what: 'put' | 'take'): Node | undefined {
  try {
    return treeOf(text);
  } catch (cause) {
    if (!(cause instanceof CannotEdit) || entry.kind !== 'value' || !entry.json5) throw cause;
    const whole = entry.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry.value);
    const todo =
      what === 'put'
        ? `Put this into it by hand: ${JSON.stringify(whole).slice(1, -1)}`
        : `Take ${entry.path.join('.')} out by hand`;
    throw new CannotEdit(
      `it is JSON5 that is more than JSON with comments (${cause.message.replace(/^it is broken |\. Mend it first$/gu, '')}). ${todo}`,
    );
  }
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

/** Whether a container is there, and nothing in it: no comment either. */
function isBlank(text: string, at: readonly (string | number)[]): boolean {
  const tree = treeOf(text);
  const left = tree && findNodeAtLocation(tree, [...at]);
  return left !== undefined && insideOf(text, left).trim() === '' && isContainer(left);
}

const isContainer = ({ type }: Node) => type === 'object' || type === 'array';
const endOf = ({ offset, length }: Node) => offset + length;
/** What stands between the brackets of a container. */
const insideOf = (text: string, node: Node) => text.slice(node.offset + 1, endOf(node) - 1);
const isBreak = (char: string | undefined) => char === '\n' || char === '\r';
const isBlankChar = (char: string | undefined) => char === ' ' || char === '\t';

/** Where the blanks before a place begin, and where those behind it end, both on its line. */
function blanksBefore(text: string, at: number): number {
  let start = at;
  while (isBlankChar(text[start - 1])) start -= 1;
  return start;
}
function blanksBehind(text: string, at: number): number {
  let end = at;
  while (isBlankChar(text[end])) end += 1;
  return end;
}

/** What stands before a place on its line. */
function lineBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && !isBreak(text[start - 1])) start -= 1;
  return text.slice(start, at);
}

/** The comma that follows a place, with nothing but comments between. */
function commaBehind(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

/** The end of the line of a place, behind its comments; undefined where more of the JSON stands on it. */
function lineEndBehind(text: string, at: number): number | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(at);
  for (;;) {
    scanner.scan();
    const next = scanner.getTokenOffset();
    const first = text[next];
    if (isBreak(first)) return next;
    if (!isBlankChar(first) && first !== '/') return undefined;
  }
}

const indentAt = (text: string, at: number) => /^[ \t]*/.exec(lineBefore(text, at))?.[0] ?? '';

/** Puts a value at the end of a container, on lines of its own where the container has such; nothing else moves. */
function insert(
  text: string,
  at: readonly string[],
  { name, value }: { name: string | undefined; value: unknown },
): { text: string; blank?: string } {
  const unit = /^([ \t]+)\S/mu.exec(text)?.[1] ?? '  ';
  const eol = eolOf(text);
  const key = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const onOneLine = key + JSON.stringify(value);
  const onLines = (indent: string) =>
    eol + indent + key + JSON.stringify(value, undefined, unit).replaceAll('\n', eol + indent);
  const tree = treeOf(text);
  const container = tree && findNodeAtLocation(tree, [...at]);
  if (!container) {
    const gap = text === '' || isBreak(text.at(-1)) ? '' : eol;
    return { text: `${text}${gap}{${onLines(unit)}${eol}}`, blank: '' };
  }
  const open = container.offset + 1;
  const base = indentAt(text, container.offset);
  const last = container.children?.at(-1);
  if (!last) {
    const inside = insideOf(text, container);
    const end = lineEndBehind(text, open);
    const blank = inside.trim() === '' ? { blank: inside } : {};
    if (end !== undefined) return { text: edited(text, [[end, onLines(base + unit)]]), ...blank };
    // A file on one line stays on one, but for one that was empty.
    const isOnLines = inside.trim() === '' && (container === tree || /[\r\n]/.test(text.trim()));
    if (!isOnLines) return { text: edited(text, [[open, onOneLine]]), ...blank };
    const close = endOf(container) - 1;
    return { text: text.slice(0, open) + onLines(base + unit) + eol + base + text.slice(close), ...blank };
  }
  const comma = commaBehind(text, endOf(last));
  const behind = comma === undefined ? endOf(last) : comma + 1;
  const end = lineEndBehind(text, behind);
  // Where the last has a comma behind it ours gets one, too.
  const [before, after] = comma === undefined ? [',', ''] : ['', ','];
  if (end === undefined) return { text: edited(text, [[behind, `${before} ${onOneLine}${after}`]]) };
  const line = lineBefore(text, last.offset);
  const indent = line.trim() === '' ? line : base + unit;
  return {
    text: edited(text, [
      [behind, before],
      [end, onLines(indent) + after],
    ]),
  };
}

const edited = (text: string, pieces: readonly (readonly [number, string])[]) =>
  applyEdits(
    text,
    pieces.map(([offset, content]): Edit => ({ offset, length: 0, content })),
  );

/** Takes a value out of its container with one comma, and with its line where nothing else stands on it; nothing else moves. */
function cut(text: string, at: readonly (string | number)[]): string {
  const tree = treeOf(text);
  const value = tree && findNodeAtLocation(tree, [...at]);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  if (!node?.parent) return text;
  const end = endOf(node);
  const behind = commaBehind(text, end);
  const previous = node.parent.children?.[node.parent.children.indexOf(node) - 1];
  const comma = behind ?? (previous && commaBehind(text, endOf(previous)));
  let spans: [number, number][] = [[node.offset, end]];
  if (comma !== undefined) {
    const between = behind === undefined ? text.slice(comma + 1, node.offset) : text.slice(end, comma);
    if (/^[ \t]*$/.test(between)) spans = [[Math.min(comma, node.offset), Math.max(comma + 1, end)]];
    else spans.push([comma, comma + 1]);
  }
  return applyEdits(
    text,
    spans.map((span): Edit => {
      const [from, to] = withBlanks(text, span);
      return { offset: from, length: to - from, content: '' };
    }),
  );
}

/** A span with the line that would be left blank, or else with the blank that parted it from its neighbour. */
function withBlanks(text: string, [from, to]: [number, number]): [number, number] {
  const start = blanksBefore(text, from);
  const end = blanksBehind(text, to);
  const isFirst = isBreak(text[start - 1]);
  if (isFirst && (end === text.length || isBreak(text[end])))
    return [start - (text.slice(start - 2, start) === '\r\n' ? 2 : 1), end];
  // Where the comma before went what parted it went as well; and a comma alone parts nothing.
  if (text[to - 1] !== ',' || to - from === 1) return [from, to];
  if (isFirst) return [from, end];
  return start < from ? [from - 1, to] : [from, Math.min(end, to + 1)];
}

/** A text in which a blank container is as blank as it was. */
function refill(text: string, at: readonly string[], blank: string): string {
  const tree = treeOf(text);
  const container = tree && findNodeAtLocation(tree, [...at]);
  if (!container || !isBlank(text, at)) return text;
  return text.slice(0, container.offset + 1) + blank + text.slice(endOf(container) - 1);
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
    throw takenPlace(`[${table.path.join('.')}]`);
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
  // What somebody put in its place since is theirs.
  if (!isWithin(valueAt(tomlOf(table.text), table.path), valueAt(parsed, table.path))) return text;
  Reflect.deleteProperty(parent, last);
  return bom + patch(body, parsed);
}
