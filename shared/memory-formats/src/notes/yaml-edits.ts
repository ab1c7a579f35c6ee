import { isMap, isScalar, type Pair, parseDocument, type ParsedNode } from 'yaml';

/** A piece of a text, and what stands there instead. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

/** A change of a list; `eol` ends its lines, and `read` says what an entry is. */
export interface ListChange {
  add: readonly string[];
  remove: readonly string[];
  eol: string;
  read: (value: unknown) => string;
}

interface List {
  items: unknown[];
  range?: [number, number, number] | null | undefined;
}

export function shifted({ from, to, text }: Edit, by: number): Edit {
  return { from: from + by, to: to + by, text };
}

export function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.from - a.from || b.to - a.to)
    .reduce((done, edit) => done.slice(0, edit.from) + edit.text + done.slice(edit.to), text);
}

/** The properties of front matter, in their order; undefined where it is no list of names, or one on a single line. */
export function pairsOf(yaml: string): Pair<unknown, ParsedNode | null>[] | undefined {
  const { contents } = parseDocument(yaml, { schema: 'core', logLevel: 'silent' });
  if (contents === null) return [];
  return isMap(contents) && !contents.flow ? contents.items : undefined;
}

/** Adds a line at the end of front matter. */
export function addedLine(yaml: string, line: string, eol: string): Edit {
  const isOpen = yaml !== '' && !yaml.endsWith('\n');
  return { from: yaml.length, to: yaml.length, text: `${isOpen ? eol : ''}${line}${eol}` };
}

/** Begins a text with front matter of one line. */
export function addedBlock(text: string, line: string, eol: string): Edit {
  const at = text.startsWith('\uFEFF') ? 1 : 0;
  return { from: at, to: at, text: ['---', line, '---', ''].join(eol) };
}

/** Adds entries to a list of YAML and takes others out, each entry alone; undefined for one that has parts of its own. */
export function listEdits(
  yaml: string,
  list: List & { flow?: boolean | undefined },
  change: ListChange,
): Edit[] | undefined {
  return list.flow ? inFlow(list, change) : inBlock(yaml, list, change);
}

/** The entries of a list, each with where it stands. */
function itemsOf({ items }: List, read: ListChange['read']) {
  const found = items.flatMap((item) =>
    isScalar(item) && item.range ? [{ entry: read(item.value), from: item.range[0], to: item.range[1] }] : [],
  );
  return found.length === items.length ? found : undefined;
}

/** `[a, b]` */
function inFlow(list: List, { add, remove, read }: ListChange): Edit[] | undefined {
  const items = itemsOf(list, read);
  if (!items || !list.range) return undefined;
  const kept = items.filter(({ entry }) => !remove.includes(entry));
  const [from, to] = [list.range[0] + 1, list.range[1] - 1];
  if (kept.length === 0) return [{ from, to, text: add.map(writtenText).join(', ') }];
  const cuts = items.flatMap((item, at): Edit[] => {
    if (!remove.includes(item.entry)) return [];
    const [next, last] = [items[at + 1], items[at - 1]];
    if (next) return [{ from: item.from, to: next.from, text: '' }];
    return last ? [{ from: last.to, to: item.to, text: '' }] : [];
  });
  // Behind the last one that was there: what is cut may reach so far.
  const end = items.at(-1)?.to ?? from;
  return [...cuts, { from: end, to: end, text: add.map((entry) => `, ${writtenText(entry)}`).join('') }];
}

/** A line with `- ` for each. */
function inBlock(yaml: string, list: List, { add, remove, eol, read }: ListChange): Edit[] | undefined {
  const items = itemsOf(list, read);
  const last = items?.at(-1);
  if (!items || !last) return undefined;
  const lineOf = ({ from, to }: { from: number; to: number }) => {
    const end = yaml.indexOf('\n', to);
    return { from: yaml.lastIndexOf('\n', from - 1) + 1, to: end < 0 ? yaml.length : end + 1 };
  };
  const cuts = items
    .filter(({ entry }) => remove.includes(entry))
    .map((item) => ({ ...lineOf(item), text: '' }));
  const { from, to } = lineOf(last);
  const mark = yaml.slice(from, last.from);
  return [...cuts, { from: to, to, text: add.map((entry) => `${mark}${writtenText(entry)}${eol}`).join('') }];
}

export function flowOf(entries: readonly string[]): string {
  return `[${entries.map(writtenText).join(', ')}]`;
}

/** What YAML of any age reads as something else than a text. */
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|~|[-+.\d][\d_:.]*)$/i;

/** A text as YAML has it, in quotation marks only where it needs them. */
export function writtenText(text: string): string {
  const isSimple = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_/ -]*[\p{L}\p{M}\p{N}_/-])?$/u.test(text);
  return !NO_TEXT.test(text) && (isSimple || isPlain(text)) ? text : JSON.stringify(text);
}

/** Tells whether a text without quotation marks is read as itself, also in a list on one line. */
function isPlain(text: string): boolean {
  if (text.length > 300 || !/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.,/:()+ -]*$/u.test(text)) return false;
  const document = parseDocument(`[${text}]`, { schema: 'core', logLevel: 'silent' });
  if (document.errors.length > 0) return false;
  const read: unknown = document.toJS();
  return Array.isArray(read) && read.length === 1 && read[0] === text;
}
