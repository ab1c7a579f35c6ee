import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Pair, parseDocument } from 'yaml';
import { frontmatterOf } from './frontmatter.ts';
import { type Note, noteOf } from './note.ts';

/** A piece of a text, and what stands there instead. */
interface Edit {
  from: number;
  to: number;
  text: string;
}

/**
 * Writes tags into the front matter of a note, and changes nothing else of it. Undefined where that cannot be done so: front matter that is
 * damaged, or of a form in which a tag cannot be written alone.
 */
export function withTagLine(
  text: string,
  { add, remove }: { add: string[]; remove: string[] },
): string | undefined {
  const before = noteOf(text, '');
  if (before.problem !== undefined) return undefined;
  const found = frontmatterOf(text);
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const edits = found
    ? editsOf(found.yaml, { add, remove, eol })?.map((edit) => shifted(edit, text.indexOf('\n') + 1))
    : [newBlock(text, add, eol)];
  if (!edits) return undefined;
  const after = applied(text, edits);
  const tags = [...before.tags.filter((tag) => !remove.includes(tag)), ...add];
  return saysOnlyTags(before, noteOf(after, ''), tags) ? after : undefined;
}

/** Whether a note differs from what it was before in its tags alone, and has these now. */
function saysOnlyTags(before: Note, after: Note, tags: readonly string[]): boolean {
  const others = ({ fields: { tags: _, tag: __, ...fields } }: Note) => fields;
  return (
    isDeepStrictEqual(after.tags, tags) &&
    before.body.replace(/^\uFEFF/, '') === after.body &&
    isDeepStrictEqual(others(before), others(after))
  );
}

function newBlock(text: string, add: readonly string[], eol: string): Edit {
  const at = text.startsWith('\uFEFF') ? 1 : 0;
  return { from: at, to: at, text: ['---', `tags: ${flowOf(add)}`, '---', ''].join(eol) };
}

interface Change {
  add: readonly string[];
  remove: readonly string[];
  eol: string;
}

function editsOf(yaml: string, change: Change): Edit[] | undefined {
  const { contents } = parseDocument(yaml, { schema: 'core', logLevel: 'silent' });
  if (contents !== null && !(isMap(contents) && !contents.flow)) return undefined;
  const named = (name: string) =>
    contents?.items.find(({ key }) => isScalar(key) && key.value === name) as Pair | undefined;
  const pair = named('tags') ?? named('tag');
  if (!pair) {
    const isOpen = yaml !== '' && !yaml.endsWith('\n');
    const line = `${isOpen ? change.eol : ''}tags: ${flowOf(change.add)}${change.eol}`;
    return [{ from: yaml.length, to: yaml.length, text: line }];
  }
  const { key, value } = pair;
  if (isSeq(value) && value.range) return value.flow ? inFlow(value, change) : inBlock(yaml, value, change);
  if (!isScalar(key) || !key.range || !(value === null || isScalar(value))) return undefined;
  const tags = noteOf(`---\n${yaml}\n---\n`, '').tags.filter((tag) => !change.remove.includes(tag));
  const list = flowOf([...tags, ...change.add]);
  const isBlank = !isScalar(value) || !value.range || value.range[0] === value.range[1];
  const colon = yaml.indexOf(':', key.range[1]) + 1;
  if (isBlank) return [{ from: colon, to: colon, text: ` ${list}` }];
  return value.range ? [{ from: value.range[0], to: value.range[1], text: list }] : undefined;
}

/** The items of a list, each with its tag as it is read and where it stands. */
function itemsOf({ items }: { items: unknown[] }): { tag: string; from: number; to: number }[] | undefined {
  const found = items.flatMap((item) =>
    isScalar(item) && item.range
      ? [{ tag: String(item.value).trim().replace(/^#+/, ''), from: item.range[0], to: item.range[1] }]
      : [],
  );
  return found.length === items.length ? found : undefined;
}

type List = { items: unknown[]; range?: [number, number, number] | null | undefined };

/** `[a, b]` */
function inFlow(list: List, { add, remove }: Change): Edit[] | undefined {
  const items = itemsOf(list);
  if (!items || !list.range) return undefined;
  const kept = items.filter(({ tag }) => !remove.includes(tag));
  const [from, to] = [list.range[0] + 1, list.range[1] - 1];
  if (kept.length === 0) return [{ from, to, text: add.map(written).join(', ') }];
  const cuts = items.flatMap((item, at): Edit[] => {
    if (!remove.includes(item.tag)) return [];
    const [next, last] = [items[at + 1], items[at - 1]];
    if (next) return [{ from: item.from, to: next.from, text: '' }];
    return last ? [{ from: last.to, to: item.to, text: '' }] : [];
  });
  // Behind the last one that was there: what is cut may reach so far.
  const end = items.at(-1)?.to ?? from;
  return [...cuts, { from: end, to: end, text: add.map((tag) => `, ${written(tag)}`).join('') }];
}

/** A line with `- ` for each. */
function inBlock(yaml: string, list: List, { add, remove, eol }: Change): Edit[] | undefined {
  const items = itemsOf(list);
  const last = items?.at(-1);
  if (!items || !last) return undefined;
  const lineOf = ({ from, to }: { from: number; to: number }) => {
    const end = yaml.indexOf('\n', to);
    return { from: yaml.lastIndexOf('\n', from - 1) + 1, to: end < 0 ? yaml.length : end + 1 };
  };
  const cuts = items.filter(({ tag }) => remove.includes(tag)).map((item) => ({ ...lineOf(item), text: '' }));
  const { from, to } = lineOf(last);
  const mark = yaml.slice(from, last.from);
  return [...cuts, { from: to, to, text: add.map((tag) => `${mark}${written(tag)}${eol}`).join('') }];
}

function flowOf(tags: readonly string[]): string {
  return `[${tags.map(written).join(', ')}]`;
}

/** Words that YAML of any age reads as something else than a text. */
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A tag as YAML has it, in quotation marks only where it needs them. */
function written(tag: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{M}\p{N}_/ -]*$/u.test(tag) && !NO_TEXT.test(tag);
  return isPlain ? tag : JSON.stringify(tag);
}

function shifted({ from, to, text }: Edit, by: number): Edit {
  return { from: from + by, to: to + by, text };
}

function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.from - a.from || b.to - a.to)
    .reduce((done, edit) => done.slice(0, edit.from) + edit.text + done.slice(edit.to), text);
}
