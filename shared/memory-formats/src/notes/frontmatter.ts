import { parseDocument } from 'yaml';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { isObject, plainJson } from '../json/plain-json.ts';
import { messageOf } from '../reader.ts';

/** The YAML between the two `---` lines at the start of a text, and where the text goes on after it. */
interface Frontmatter {
  yaml: string;
  bodyAt: number;
}

/** Longer ones are not parsed: metadata may not be larger than this. */
const MAX_YAML = 64 * 1024;

/** Finds the frontmatter of a text, behind a byte order mark too; undefined where there is none. */
export function frontmatterOf(text: string): Frontmatter | undefined {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (!opening) return undefined;
  const start = opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = start;
  const found = closing.exec(text);
  return found ? { yaml: text.slice(start, found.index), bodyAt: closing.lastIndex } : undefined;
}

/** Says why a text that begins as notes with frontmatter do has none that is read; undefined where it begins with anything else. */
export function unendedFrontmatter(text: string): string | undefined {
  if (/^\uFEFF?---[ \t]*\r?\n[\p{L}_][\p{L}\p{N}_ -]*:(?:\s|$)/u.test(text))
    return 'the frontmatter does not end: no line after it is ---';
  if (/^\uFEFF?\+{3}[ \t]*\r?\n(?:.*\n)*?\+{3}[ \t]*(?:\r?\n|$)/.test(text.slice(0, MAX_YAML)))
    return 'the frontmatter is TOML (+++); only YAML (---) is read';
  return undefined;
}

export type Fields = { fields: JsonObject; problem?: undefined } | { fields?: undefined; problem: string };

/**
 * Parses YAML as data: no custom tags, no merge keys, dates stay texts, at most 100 expansions of aliases
 * (so that nine lines cannot grow to gigabytes).
 */
export function parseYaml(yaml: string): Fields {
  if (yaml.length > MAX_YAML) return { problem: `the frontmatter has more than ${MAX_YAML / 1024} KiB` };
  try {
    const document = parseDocument(yaml, { schema: 'core', logLevel: 'silent', uniqueKeys: true });
    const error = document.errors[0];
    if (error) return { problem: `the frontmatter is not valid YAML: ${error.message.split('\n')[0]}` };
    const parsed: unknown = document.toJS({ maxAliasCount: 100 });
    if (parsed === null || parsed === undefined) return { fields: {} };
    const fields = plainJson(parsed, 64);
    if (!isObject(fields)) return { problem: 'the frontmatter is not a list of names with values' };
    return { fields };
  } catch (error) {
    // Aliases beyond the limit, or nesting deeper than the stack.
    return { problem: `the frontmatter cannot be read: ${messageOf(error)}` };
  }
}

/** A line that begins a property of frontmatter; what is indented below it, or a list, belongs to it. */
const PROPERTY = /^(?=[^\s#-][^\n]*:(?:\s|$))/m;

/** Of damaged frontmatter with more of them none is read: each takes a while. */
const MAX_PROPERTIES = 200;

interface ReadableFields {
  readonly fields: Readonly<JsonObject>;
  readonly problem: string | undefined;
}

/** What was read last: facts, names and properties of a note that is written are read from the same front matter. */
let last: { readonly yaml: string; readonly read: ReadableFields } | undefined;

/** As `parseYaml`, but of YAML that is damaged each property is read for itself, so that one does not take the others with it. */
export function readableFields(yaml: string): ReadableFields {
  if (last?.yaml !== yaml) last = { yaml, read: readFields(yaml) };
  return last.read;
}

function readFields(yaml: string): ReadableFields {
  const { fields, problem } = parseYaml(yaml);
  const properties = fields || yaml.length > MAX_YAML ? [] : yaml.split(PROPERTY);
  if (fields || properties.length > MAX_PROPERTIES) return { fields: fields ?? {}, problem };
  const readable = properties.map((property) => parseYaml(property).fields ?? {});
  // Of a name that is given twice the first stands.
  return { fields: Object.assign({}, ...readable.toReversed()) as JsonObject, problem };
}

/** The properties of frontmatter in their order, each with its name and word for word. */
export function propertiesOf(yaml: string): { name: string; text: string }[] {
  return yaml.split(PROPERTY).flatMap((property) => {
    const name = /^(?:"([^"\n]+)"|'([^'\n]+)'|([^\n]+?))[ \t]*:(?:\s|$)/.exec(property)?.slice(1);
    const given = name?.find((one) => one !== undefined);
    return given === undefined ? [] : [{ name: given, text: property.trim() }];
  });
}
