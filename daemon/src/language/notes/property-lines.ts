import { isDeepStrictEqual } from 'node:util';
import { isCollection, isScalar, isSeq, type ParsedNode } from 'yaml';
import { PAGE_PROPERTY, pageProperties } from '@reverie/memory-formats/logseq/pages';
import { foldLine } from '../words/words.ts';
import { frontmatterOf, parseYaml } from '@reverie/memory-formats/notes/frontmatter';
import {
  addedBlock,
  addedLine,
  applied,
  type Edit,
  flowOf,
  listEdits,
  pairsOf,
  shifted,
  writtenText,
} from '@reverie/memory-formats/notes/yaml-edits';

/** What a property may be given: a day is a text such as `2026-12-01`. */
export type GivenValue = string | number | boolean | readonly string[];

/** A property that is given a value, or taken away where it is undefined. */
export interface PropertyChange {
  readonly name: string;
  readonly value: GivenValue | undefined;
}

/**
 * Writes a property of a note, or takes one away, where notes say them: in the front matter, or in the lines `key:: value` with which a page
 * of Logseq begins. Nothing else of the text changes. Undefined where that cannot be done so: front matter that is damaged, or of a form in
 * which the property cannot be written alone.
 */
export function withProperty(text: string, change: PropertyChange): string | undefined {
  const eol = /\r?\n/u.exec(text)?.[0] ?? '\n';
  const front = frontmatterOf(text);
  const body = front ? text.slice(front.bodyAt) : text;
  const onPage = Object.keys(pageProperties(body));
  const isOfPage = onPage.length > 0 && (!front || onPage.some((name) => isSame(name, change.name)));
  if (isOfPage) {
    const page = withPageProperty(body, change, eol);
    return page === undefined ? undefined : text.slice(0, text.length - body.length) + page;
  }
  return inFrontmatter(text, change, eol);
}

function inFrontmatter(text: string, change: PropertyChange, eol: string): string | undefined {
  const front = frontmatterOf(text);
  if (!front)
    return change.value === undefined ? text : applied(text, [addedBlock(text, lineOf(change), eol)]);
  const { yaml, bodyAt } = front;
  const before = parseYaml(yaml).fields;
  if (!before) return undefined;
  const from = text.indexOf('\n') + 1;
  const edits = editsOf(yaml, change, eol);
  if (!edits) return undefined;
  const after = applied(
    text,
    edits.map((edit) => shifted(edit, from)),
  );
  const found = frontmatterOf(after);
  if (!found || after.slice(found.bodyAt) !== text.slice(bodyAt)) return undefined;
  const said = parseYaml(found.yaml).fields;
  const name = Object.keys(before).find((one) => isSame(one, change.name)) ?? change.name;
  const { [name]: _, ...others } = before;
  const wanted = change.value === undefined ? others : { ...others, [name]: change.value };
  if (!said || !isDeepStrictEqual(said, wanted)) return undefined;
  // Front matter that says nothing any more goes with its last property.
  return found.yaml.trim() === '' && change.value === undefined
    ? (text.startsWith('\uFEFF') ? '\uFEFF' : '') + text.slice(bodyAt)
    : after;
}

function lineOf({ name, value = '' }: PropertyChange): string {
  return `${writtenText(name)}: ${written(value)}`;
}

function editsOf(yaml: string, change: PropertyChange, eol: string): Edit[] | undefined {
  const pairs = pairsOf(yaml);
  if (!pairs) return undefined;
  const keyed = pairs.filter(({ key }) => isScalar(key));
  const pair =
    keyed.find(({ key }) => isScalar(key) && key.value === change.name) ??
    keyed.find(({ key }) => isScalar(key) && isSame(String(key.value), change.name));
  if (!pair) return change.value === undefined ? [] : [addedLine(yaml, lineOf(change), eol)];
  const { key, value } = pair;
  if (!isScalar(key) || !key.range) return undefined;
  const colon = yaml.indexOf(':', key.range[1]) + 1;
  if (colon === 0) return undefined;
  const end = Math.max(colon, endOf(yaml, value));
  if (change.value === undefined) {
    const next = yaml.indexOf('\n', end);
    const from = yaml.lastIndexOf('\n', key.range[0] - 1) + 1;
    return [{ from, to: next < 0 ? yaml.length : next + 1, text: '' }];
  }
  if (isSeq(value) && Array.isArray(change.value)) {
    const kept = entryEdits(yaml, value, { value: change.value as readonly string[], eol });
    if (kept) return kept;
  }
  const isBlank = value?.range == null || value.range[0] >= end;
  if (isBlank) return [{ from: colon, to: colon, text: ` ${written(change.value)}` }];
  const isBelow = isCollection(value) && value.flow !== true;
  const from = isBelow ? colon : (value.range?.[0] ?? colon);
  return [{ from, to: end, text: `${isBelow ? ' ' : ''}${written(change.value, quoteOf(value))}` }];
}

/** Where a value ends, without the line break behind it. */
function endOf(yaml: string, value: ParsedNode | null): number {
  const end = value?.range?.[1] ?? 0;
  return yaml.slice(0, end).trimEnd().length;
}

/** Takes entries out of a list and adds others at its end, so that those that stay are left as they are written; else undefined. */
function entryEdits(
  yaml: string,
  list: Parameters<typeof listEdits>[1],
  { value, eol }: { value: readonly string[]; eol: string },
): Edit[] | undefined {
  const had = list.items.map((item) => (isScalar(item) ? String(item.value) : ''));
  const remove = had.filter((entry) => !value.includes(entry));
  const kept = had.filter((entry) => value.includes(entry));
  const isKept = kept.every((entry, at) => value[at] === entry);
  // An emptied list of lines would say that there is nothing at all.
  if (!isKept || (kept.length === 0 && list.flow !== true)) return undefined;
  return listEdits(yaml, list, { add: value.slice(kept.length), remove, eol, read: String });
}

type Quote = '"' | "'" | undefined;

function quoteOf(value: ParsedNode | null): Quote {
  if (!isScalar(value)) return undefined;
  return value.type === 'QUOTE_DOUBLE' ? '"' : value.type === 'QUOTE_SINGLE' ? "'" : undefined;
}

/** A value as YAML has it; a text in the quotation marks that the one before had. */
function written(value: GivenValue, quote?: Quote): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return flowOf(value);
  if (quote === '"' || value === '') return JSON.stringify(value);
  if (quote === "'" && !/[\n\r]/u.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return writtenText(value);
}

/** The same for a page of Logseq, where each value is a text on its line. */
function withPageProperty(body: string, { name, value }: PropertyChange, eol: string): string | undefined {
  const text = value === undefined ? undefined : [value].flat().join(', ');
  if (/[\n\r]/u.test(text ?? '') || /[\s:]/u.test(name)) return undefined;
  const start = body.length - body.trimStart().length;
  let at = start;
  for (const line of body.slice(start).split(/(?<=\n)/u)) {
    const said = PAGE_PROPERTY.exec(line.trimEnd());
    if (said === null) break;
    if (isSame(said[1] ?? '', name)) {
      if (text !== undefined)
        return `${body.slice(0, at)}${line.slice(0, line.indexOf('::') + 2)} ${text}${/\s*$/u.exec(line)?.[0] ?? ''}${body.slice(at + line.length)}`;
      // The dash of the block stays with the properties that are left.
      const rest = body.slice(at + line.length);
      return body.slice(0, at) + (line.startsWith('- ') ? rest.replace(/^ {2}/u, '- ') : rest);
    }
    at += line.length;
  }
  if (text === undefined) return body;
  const isBlock = body.startsWith('- ', start);
  const isOpen = !body.slice(0, at).endsWith('\n');
  return `${body.slice(0, at)}${isOpen ? eol : ''}${isBlock ? '  ' : ''}${name}:: ${text}${isOpen ? '' : eol}${body.slice(at)}`;
}

function isSame(one: string, other: string): boolean {
  return foldLine(one) === foldLine(other);
}
