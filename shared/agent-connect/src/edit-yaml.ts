import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Pair, parseDocument, stringify } from 'yaml';
import { CannotEdit, takenPlace } from './cannot-edit.ts';
import type { ConfigEntry, Trace } from './config-entry.ts';
import { isRecord, isWithin } from './is-within.ts';

type YamlEntry = Extract<ConfigEntry, { kind: 'yaml' }>;
type Plain = Readonly<Record<string, unknown>>;

/**
 * A YAML text with an entry on lines of its own below the name of its map; the same text where it stands there already. No other byte
 * changes, and what comes out is read again before it counts. Throws `CannotEdit`.
 */
export function putYaml(text: string, entry: YamlEntry): Trace & { text: string } {
  const { plain, pairs } = read(text);
  const [at, name] = entry.path;
  const there = recordAt(plain, at, entry);
  if (name in there) {
    if (isWithin(entry.value, there[name])) return { text, made: [] };
    throw takenPlace(entry.path.join('.'));
  }
  const wanted = { ...plain, [at]: { ...there, [name]: entry.value } };
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = (value: object, indent: string) =>
    stringify(value, { lineWidth: 0 })
      .replaceAll(/^(?=.)/gmu, indent)
      .replaceAll('\n', eol);
  const servers = pairOf(pairs, at);
  if (!servers) {
    const gap = text === '' || text.endsWith('\n') ? '' : eol;
    const next = text + gap + lines({ [at]: { [name]: entry.value } }, '');
    return { text: proven(next, wanted, entry), made: [[at]] };
  }
  const items = isMap(servers.value) ? servers.value.items : [];
  const first = items[0] && spanOf(text, items[0]);
  const indent = first ? text.slice(first.from, first.key) : '  ';
  const [from, to] = items.length > 0 ? [0, 0] : valueSpan(text, servers);
  const bare = text.slice(0, from) + text.slice(to);
  const line = lineEnd(bare, spanOf(text, servers).keyEnd);
  const gap = bare[line - 1] === '\n' ? '' : eol;
  const next = bare.slice(0, line) + gap + lines({ [name]: entry.value }, indent) + bare.slice(line);
  return {
    text: proven(next, wanted, entry),
    made: [],
    ...(items.length === 0 && { blank: text.slice(from, to) }),
  };
}

/** A YAML text without an entry, and without the map that was made for it and is empty now. Throws `CannotEdit`. */
export function takeYaml(text: string, entry: YamlEntry, { made, blank = '' }: Trace): string {
  const { plain, pairs } = read(text);
  const [at, name] = entry.path;
  const { [name]: there, ...others } = asRecord(plain[at]);
  // What somebody put in its place since is theirs.
  if (!isWithin(entry.value, there)) return text;
  const servers = pairOf(pairs, at);
  const ours = isMap(servers?.value) ? pairOf(servers.value.items, name) : undefined;
  if (!servers || !ours) throw byHand(entry, 'take');
  const { from, to } = spanOf(text, ours);
  const left = text.slice(0, from) + text.slice(to);
  if (Object.keys(others).length > 0) return proven(left, { ...plain, [at]: others }, entry);
  const { [at]: _, ...rest } = plain;
  const all = spanOf(text, servers);
  // A comment below its name is somebody's.
  const isBare = text.slice(all.keyEnd, from).trim() === ':' && text.slice(to, all.to).trim() === '';
  if (made.length > 0 && isBare) return proven(text.slice(0, all.from) + text.slice(all.to), rest, entry);
  const colon = text.indexOf(':', all.keyEnd) + 1;
  const back = left.slice(0, colon) + blank + left.slice(colon);
  return proven(back, { ...rest, [at]: valueOf(parseDocument(blank, { logLevel: 'silent' })) }, entry);
}

function read(text: string): { plain: Plain; pairs: readonly Pair[] } {
  const document = parseDocument(text, { logLevel: 'silent' });
  const [wrong] = document.errors;
  if (wrong) throw new CannotEdit(`it is broken: ${wrong.message.split('\n')[0] ?? ''} Mend it first`);
  const { contents } = document;
  if (contents !== null && !isMap(contents)) throw new CannotEdit('it is no map of names and values');
  return { plain: asRecord(valueOf(document)), pairs: contents?.items ?? [] };
}

/** What a text says. Throws `CannotEdit` where it names an anchor that is not there. */
function valueOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    if (!(cause instanceof ReferenceError)) throw cause;
    throw new CannotEdit(`it is broken, or would be: ${cause.message}. Mend it first`);
  }
}

const asRecord = (value: unknown): Plain => (isRecord(value) ? value : {});

function recordAt(plain: Plain, at: string, entry: YamlEntry): Plain {
  const value = plain[at];
  if (value !== undefined && value !== null && (typeof value !== 'object' || Array.isArray(value)))
    throw new CannotEdit(`${at} is no map in it. ${pasteOf(entry)}`);
  return asRecord(value);
}

const pairOf = (pairs: readonly Pair[], name: string) =>
  pairs.find(({ key }) => isScalar(key) && key.value === name);

/** Where a pair stands on lines of its own: its first line, its name, and behind its last line that says something. */
function spanOf(text: string, { key, value }: Pair) {
  const [start = 0, keyEnd = 0] = isScalar(key) ? (key.range ?? []) : [];
  const node = value as { range?: readonly number[] } | null;
  const end = text.slice(0, node?.range?.[1] ?? keyEnd).trimEnd().length;
  return {
    from: text.lastIndexOf('\n', start - 1) + 1,
    key: start,
    keyEnd,
    to: lineEnd(text, Math.max(end, keyEnd)),
  };
}

/** Where the value of a map without items stands, with the blanks before it. */
function valueSpan(text: string, pair: Pair): [number, number] {
  const colon = text.indexOf(':', spanOf(text, pair).keyEnd) + 1;
  const node = pair.value as { range?: readonly number[] } | null;
  return [colon, Math.max(colon, node?.range?.[1] ?? colon)];
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

/** A text that was made, where it says what it is to say. Throws `CannotEdit` where it does not. */
function proven(text: string, wanted: Plain, entry: YamlEntry): string {
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0 || !isDeepStrictEqual(asRecord(valueOf(document)), wanted))
    throw byHand(entry, asRecord(wanted[entry.path[0]])[entry.path[1]] === undefined ? 'take' : 'put');
  return text;
}

const pasteOf = ({ path: [at, name], value }: YamlEntry) =>
  `Put this into it by hand: ${at}: {${name}: ${JSON.stringify(value)}}`;

function byHand(entry: YamlEntry, what: 'put' | 'take'): CannotEdit {
  const why = 'it is written in a way that this cannot edit without changing the rest';
  return new CannotEdit(
    `${why}. ${what === 'put' ? pasteOf(entry) : `Take ${entry.path.join('.')} out by hand`}`,
  );
}
