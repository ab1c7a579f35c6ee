import { bodyAt } from './front-matter.ts';

/** What a property is, by how it is written; `other` has parts of its own, or several lines. */
export type PropertyKind = 'text' | 'number' | 'date' | 'checkbox' | 'list' | 'other';

/** A property of front matter: its name, and what it says, a text for each entry of a list. */
export interface NoteProperty {
  name: string;
  values: string[];
  kind: PropertyKind;
}

const MOST = 100;

/**
 * The properties of a note's front matter, in their order, without those that say nothing, or what stands above the note already: its title,
 * and `tags`, where the note has all of them. What is nested is told as it is written.
 */
export function propertiesIn(source: string, tags: readonly string[]): NoteProperty[] {
  return everyPropertyIn(source, tags).filter(({ values }) => values.length > 0);
}

/** The same with those that say nothing, too. */
export function everyPropertyIn(source: string, tags: readonly string[]): NoteProperty[] {
  const end = bodyAt(source);
  const lines = source.slice(0, end).split(/\r?\n/u).slice(1, -2);
  const properties: NoteProperty[] = [];
  for (const line of lines) {
    const [, name, value = ''] =
      /^([^\s#:"'-][^:]{0,80}|"[^"]{1,80}"|'[^']{1,80}'):(?:[ \t]+(.*))?$/u.exec(line) ?? [];
    const last = properties.at(-1);
    if (name !== undefined)
      properties.push({ name: plain(name), ...readValue(withoutComment(value.trim())) });
    else if (last && line.trim() !== '' && !/^\s*#/u.test(line)) {
      const [, entry] = /^\s*-\s+(.*)$/u.exec(line) ?? [];
      const isEntry =
        entry !== undefined && !/^[^"'\s]+:(?:\s|$)|^[[{&*!|>]/u.test(entry.replace(/^\[\[/u, ''));
      const isList = isEntry && (last.values.length === 0 ? last.kind === 'text' : last.kind === 'list');
      last.kind = isList ? 'list' : 'other';
      last.values.push(plain(withoutComment(entry ?? line.trim())));
    }
  }
  return properties.filter((property) => !standsAbove(property, tags)).slice(0, MOST);
}

function standsAbove({ name, values }: NoteProperty, tags: readonly string[]): boolean {
  if (/^title$/iu.test(name)) return true;
  const written = values.flatMap((value) => value.split(/[\s,]+/u)).filter((tag) => tag !== '');
  return /^tags?$/iu.test(name) && written.every((tag) => tags.includes(tag.replace(/^#/u, '')));
}

/** An entry of a list on one line: a comma between quotation marks is its own. Each letter is looked at once or twice. */
const ENTRY = /(?:"[^"]*"|[^,])+/gu;

function readValue(text: string): Pick<NoteProperty, 'values' | 'kind'> {
  if (text === '') return { values: [], kind: 'text' };
  if (/^[|>][+-]?\d?$/u.test(text)) return { values: [], kind: 'other' };
  const [, list] = /^\[(?!\[)(.*)\]$/u.exec(text) ?? [];
  const parts = list === undefined ? [text] : (list.match(ENTRY) ?? []);
  const values = parts.map((part) => plain(part.trim())).filter((part) => part !== '');
  if (list !== undefined)
    return { values, kind: /[[\]{}]/u.test(list.replaceAll(/"[^"]*"/gu, '')) ? 'other' : 'list' };
  return { values, kind: kindOf(text) };
}

function kindOf(text: string): PropertyKind {
  if (/^["']/u.test(text)) return 'text';
  if (/^(?:true|false)$/iu.test(text)) return 'checkbox';
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)$/u.test(text)) return 'number';
  if (/^\d{4}-\d\d-\d\d$/u.test(text)) return 'date';
  return /^[[{&*!]/u.test(text) ? 'other' : 'text';
}

/** Without a comment behind it. */
function withoutComment(text: string): string {
  if (!text.includes('#')) return text;
  const [, quoted] = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[.*\])(?:\s+#.*)?$/u.exec(text) ?? [];
  return quoted ?? text.replace(/(?<=^|\s)#.*$/u, '').trim();
}

/** Without the quotation marks of YAML. */
function plain(text: string): string {
  const [, mark, quoted = ''] = /^(["'])(.*)\1$/u.exec(text.trim()) ?? [];
  if (mark === undefined) return text.trim();
  if (mark === "'") return quoted.replaceAll("''", "'");
  try {
    return String(JSON.parse(`"${quoted}"`));
  } catch {
    // An escape that JSON does not know: as it is written.
    return quoted;
  }
}
