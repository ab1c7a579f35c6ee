import { listed } from '../word-lists.ts';

/** What stands behind a name: several words, a password, or a key or token. */
type NameKind = 'phrase' | 'password' | 'key';

/** A name behind which a secret stands, and its place. */
export interface Name {
  index: number;
  end: number;
  text: string;
  kind: NameKind;
}

interface Row {
  pattern: string;
  /** The characters that it begins with, in any case. */
  begins: string;
  kind: NameKind;
}

/** Letters of a script that puts blanks between words: none of these names begins within another word. */
const SPACED_SCRIPT = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Where a word begins, also within a name of several: `backupPassphrase`. */
const BEGINS_WORD = String.raw`(?:(?<!\p{L})|(?-i:(?<=\p{Ll})(?=\p{Lu})))`;

/** Rows of a list; a blank of theirs is whatever parts of a name are joined by. */
function rowsOf(list: string, kind: NameKind, where: 'anywhere' | 'words'): Row[] {
  return listed(list).map((row) => {
    const name = row.replaceAll(' ', '[-_ .]?').replaceAll("'", "['’]");
    const isBound = where === 'words' && SPACED_SCRIPT.test(row);
    return { pattern: (isBound ? BEGINS_WORD : '') + name, begins: row, kind };
  });
}

const ROWS: readonly Row[] = [
  ...rowsOf('phrase-names', 'phrase', 'words'),
  ...rowsOf('password-names', 'password', 'anywhere'),
  ...rowsOf('password-words', 'password', 'words'),
  { pattern: String.raw`${BEGINS_WORD}pass\b`, begins: 'pass', kind: 'password' },
  { pattern: String.raw`\bpsk\b`, begins: 'psk', kind: 'password' },
  { pattern: String.raw`\bpw\b`, begins: 'pw', kind: 'password' },
  { pattern: String.raw`_pw\b`, begins: '_pw', kind: 'password' },
  ...rowsOf('key-names', 'key', 'anywhere'),
  ...rowsOf('key-words', 'key', 'words'),
  { pattern: String.raw`\bauth\b`, begins: 'auth', kind: 'key' },
  { pattern: String.raw`_auth\b`, begins: '_auth', kind: 'key' },
  { pattern: String.raw`cred(?:ential)?s?\b`, begins: 'cred', kind: 'key' },
  { pattern: String.raw`\bsid(?==)`, begins: 'sid', kind: 'key' },
  { pattern: String.raw`\bsig(?:nature)?(?==)`, begins: 'sig', kind: 'key' },
];

/** A number for three characters, the same for capitals and small letters; those of other scripts have their own. */
function numberOf(a: number, b: number, c: number): number {
  return (a > 127 ? 1 << 15 : 0) | ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

/** For each beginning of three characters a pattern of the names that begin so; a name of two has all that may follow. */
const BY_BEGINNING = (() => {
  const rows = new Map<number, Set<Row>>();
  for (const row of ROWS)
    for (const begins of [row.begins.toLowerCase(), row.begins.toUpperCase()]) {
      const [a, b, c] = [begins.charCodeAt(0), begins.charCodeAt(1), begins.charCodeAt(2)];
      // What joins the parts of a name may be left out, and then the next letter follows.
      const isWhole = begins.length > 2 && !/^.{0,2}[ ']/u.test(begins);
      for (const third of isWhole ? [c] : Array.from({ length: 32 }, (_, any) => any)) {
        const number = numberOf(a, b, third);
        rows.set(number, (rows.get(number) ?? new Set()).add(row));
      }
    }
  const patterns: (RegExp | undefined)[] = Array.from({ length: 1 << 16 });
  for (const [number, of] of rows) {
    const groups = (['phrase', 'password', 'key'] as const).flatMap((kind) => {
      const own = [...of]
        .filter((row) => row.kind === kind)
        .sort((a, b) => b.begins.length - a.begins.length);
      return own.length === 0 ? [] : [`(?<${kind}>${own.map(({ pattern }) => pattern).join('|')})`];
    });
    patterns[number] = new RegExp(groups.join('|'), 'iuy');
  }
  return patterns;
})();

/** The names of secrets in a text, in order. */
export function namesIn(text: string): Name[] {
  const names: Name[] = [];
  let [a, b] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = 0; at < text.length - 1; at += 1) {
    const c = text.charCodeAt(at + 2);
    const pattern = BY_BEGINNING[numberOf(a, b, c)];
    [a, b] = [b, c];
    if (!pattern) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) continue;
    const { phrase, password } = match.groups ?? {};
    const kind = phrase === undefined ? (password === undefined ? 'key' : 'password') : 'phrase';
    names.push({ index: at, end: pattern.lastIndex, text: match[0], kind });
    at = pattern.lastIndex - 1;
    [a, b] = [text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  }
  return names;
}

/** Tells whether a text is the name of a secret and no more, as what a label is translated to. */
export function isName(text: string): boolean {
  const [name] = namesIn(text);
  return name?.index === 0 && name.end === text.length;
}

const SUFFIXES = new Set(listed('harmless-suffixes'));

/** Tells whether the end of a name says that its value only describes a secret: `TOKEN_URL`, `passwordField`, `max_tokens`. */
export function describes(rest: string): boolean {
  const last = rest
    .replaceAll(/([a-z])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .findLast((word) => word !== '');
  return last !== undefined && SUFFIXES.has(last);
}

/** Tells whether what stands before a name makes it a count: `max_tokens`. */
export function counts(before: string): boolean {
  return /(?:max|(?<!ad)min|num|count|total|input|output|prompt|completion)[-_]?$/iu.test(before);
}
