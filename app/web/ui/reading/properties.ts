import { bodyAt } from './front-matter.ts';

/** A property of front matter: its name, and what it says, a text for each entry of a list. */
interface NoteProperty {
  name: string;
  values: string[];
}

/** What stands above a note already. */
const SHOWN_ABOVE = new Set(['title', 'tags', 'tag']);
const MOST = 100;

/** The properties of a note's front matter, in their order; what is nested is told as it is written. */
export function propertiesIn(source: string): NoteProperty[] {
  const end = bodyAt(source);
  const lines = source.slice(0, end).split(/\r?\n/u).slice(1, -2);
  const properties: NoteProperty[] = [];
  for (const line of lines) {
    const [, name, value = ''] =
      /^([^\s#:"'-][^:]{0,80}|"[^"]{1,80}"|'[^']{1,80}'):(?:[ \t]+(.*))?$/u.exec(line) ?? [];
    if (name !== undefined) properties.push({ name: plain(name), values: valuesOf(value.trim()) });
    else if (line.trim() !== '' && !/^\s*#/u.test(line))
      properties.at(-1)?.values.push(plain(line.replace(/^\s*(?:-\s+)?/u, '')));
  }
  return properties
    .filter(({ name, values }) => values.length > 0 && !SHOWN_ABOVE.has(name.toLowerCase()))
    .slice(0, MOST);
}

/** An entry of a list on one line: a comma between quotation marks is its own. Each letter is looked at once or twice. */
const ENTRY = /(?:"[^"]*"|[^,])+/gu;

function valuesOf(text: string): string[] {
  if (text === '' || /^[|>][+-]?$/u.test(text)) return [];
  const [, list] = /^\[(?!\[)(.*)\]$/u.exec(text) ?? [];
  const parts = list === undefined ? [text] : list.match(ENTRY);
  return (parts ?? []).map((part) => plain(part.trim())).filter((part) => part !== '');
}

/** Without the quotation marks of YAML. */
function plain(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/u, '$2');
}
