import { anyOf, listed } from '../../../language/word-lists.ts';
import type { SecretSpan } from './found.ts';
import { isMadeUp, mixtureOf } from './made-up.ts';

/** One alternative for the names of a list; a blank of theirs is whatever parts of a name are joined by. */
function namesOf(list: string): string {
  return anyOf(`redaction/${list}`).replaceAll(' ', '[-_ .]?');
}

/** Names behind which a secret stands. */
const NAME = new RegExp(
  String.raw`(?<strict>${namesOf('password-names')}|\bpass\b|_pass\b)|${namesOf('key-names')}|\bauth\b|_auth\b|credentials?\b|\bsig(?:nature)?(?==)`,
  'giu',
);

/** What says that a value comes, one shape a row. */
const SIGNS = [
  // `=`, `:`, `=>`, `:=`, `??=`; also behind a type: `key: string = `.
  String.raw`\s{0,4}(?:[:=]=?>?|\?=|:=|\|\|=|\?\?=)\s{0,4}(?:[&\w.<>|[\] ]{1,40}=\s{0,4})?`,
  // `setKey('name', '…`, `password("…`, `password "…`.
  '["\'`]?,\\s{0,4}(?=["\'`])',
  '\\((?=["\'`])',
  '[ \\t]{1,4}(?=["\'`])',
  // `<add key="ApiKey" value="…`, `- name: API_KEY` and `value: …` below it, `<password>…`.
  String.raw`"?[ \t]{1,4}value[ \t]?=[ \t]?`,
  String.raw`\n[ \t]{0,40}value:[ \t]{1,4}`,
  String.raw`>(?=[^<>\s])`,
  // Prose, and commands: `--token …`.
  String.raw`[ \t]{1,2}(?:is|was|ist|lautet)(?: now)?:?[ \t]{1,2}`,
  String.raw`[ \t]{1,2}(?=\S)`,
];
/** What may stand between a name and its value: the rest of the name, what closes it, a sign. */
const BETWEEN = new RegExp(
  `(?<rest>[\\w.-]{0,48})(?<close>["'\`\\]})]{0,3})(?<sign>${SIGNS.join('|')})`,
  'uy',
);

const QUOTED = /(?:[bfru]{0,2})(["'`])((?:\\.|(?!\1)[^\\\n]){1,1024})\1/uy;
/** A value that goes over the end of its line is quoted only at its beginning. */
const OPEN = /["'`]?([^\s"'`,;()[\]{}<>\\]{4,128})/uy;
/** So much of a bare value is judged; the rest of it follows. */
const REST = /[^\s"'`,;()[\]{}<>\\]{0,8192}/uy;

const SUFFIXES = new Set(listed('redaction/harmless-suffixes'));
const NO_PASSWORDS = new Set(listed('redaction/no-passwords'));

/** Whether the end of a name says that its value only describes a secret: `TOKEN_URL`, `passwordField`, `max_tokens`. */
function describes(rest: string): boolean {
  const last = rest
    .replaceAll(/([a-z])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .findLast((word) => word !== '');
  return last !== undefined && SUFFIXES.has(last);
}

/** What code and templates put in the place of a value: `${X}`, `process.env.X`, `$TOKEN`, `<key>`, `%s`, `a.b.c`, `call(`. */
const REFERENCE = new RegExp(
  [
    String.raw`\$|%[A-Za-z({]|\{\{|<|@|#\{|\*+$|\.\.\.|\/|~\/|&[a-z]|::`,
    String.raw`https?:\/\/[^\s@]*$`,
    String.raw`${anyOf('redaction/reference-roots')}[.:]`,
    String.raw`[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$`,
    String.raw`[A-Za-z_$][\w$.]*[([]`,
  ]
    .map((shape) => `^(?:${shape})`)
    .join('|'),
  'u',
);
const PLACEHOLDER = /\[REDACTED:[a-z0-9-]+\]/gu;
const OWN_NAME = /pass|secret|token|key|auth|credential/iu;
const SYMBOL = /[!@#$%^*?~+]/u;

interface Candidate {
  value: string;
  quoted: boolean;
  strict: boolean;
  /** `NAME=value`, as in shells and `.env` files: whatever stands there is the value itself. */
  shell: boolean;
  /** Behind `is`, or behind nothing but a space. */
  prose: boolean;
  /** Behind a comma: the next item of a list as often as the value. */
  listed: boolean;
}

function isValue({ value: given, quoted, strict, shell, prose, listed: next }: Candidate): boolean {
  const value = given.replaceAll(PLACEHOLDER, '').trim();
  if (value.length < (strict ? 5 : 8)) return false;
  if (REFERENCE.test(value) || isMadeUp(value)) return false;
  const small = value.toLowerCase();
  if (NO_PASSWORDS.has(small.replaceAll(/[^a-z0-9_]/gu, ''))) return false;
  const mixture = mixtureOf(value);
  const letters = mixture.upper + mixture.lower;
  if (next && (mixture.digit === 0 || value.length < 8 || /[[\]{}()\\|]/u.test(value))) return false;
  if (/\s/u.test(value)) {
    // A sentence begins with a capital or speaks of passwords; a pass phrase does neither.
    return (
      strict &&
      quoted &&
      value.length <= 80 &&
      !/^\p{Lu}/u.test(value) &&
      !OWN_NAME.test(value) &&
      !/[()=?:;{}]/u.test(value) &&
      value.split(/\s+/u).length >= 4
    );
  }
  if (letters === 0) return strict && mixture.digit >= 6 && mixture.digit === value.length;
  if (mixture.digit === 0 && !SYMBOL.test(value)) {
    if (shell) return true;
    if (OWN_NAME.test(value)) return false;
    if (prose) return false;
    if (strict && quoted) return value.length >= 8 && !/[-_./: ]/u.test(value);
    if (strict) return value.length >= 12 && mixture.upper === 0 && /^[a-z]+$/u.test(value);
    return value.length >= 20 && mixture.changes >= 0.35;
  }
  if (OWN_NAME.test(value) && letters > value.length - 4 && mixture.changes < 0.3) return false;
  if (prose && mixture.digit === 0) return false;
  if (strict) return value.length >= 6;
  return value.length >= (mixture.changes >= 0.2 ? 12 : 20) && mixture.digit > 0;
}

/** Values of what is named as a secret, in code, settings, JSON, commands and prose. */
export function assignmentsIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  let done = 0;
  for (const match of text.matchAll(NAME)) {
    if (match.index < done) continue;
    const nameEnd = match.index + match[0].length;
    BETWEEN.lastIndex = nameEnd;
    const between = BETWEEN.exec(text);
    if (!between) continue;
    const { rest = '', sign = '' } = between.groups ?? {};
    const start = BETWEEN.lastIndex;
    QUOTED.lastIndex = start;
    const quoted = QUOTED.exec(text);
    OPEN.lastIndex = start;
    const open = quoted ? null : OPEN.exec(text);
    const value = quoted?.[2] ?? open?.[1];
    if (value === undefined) continue;
    const valueStart = quoted
      ? start + quoted[0].length - 1 - value.length
      : start + (open?.[0].length ?? 0) - value.length;
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    const name = (/[\w.-]*$/u.exec(before)?.[0] ?? '') + match[0] + rest;
    const flag = name.startsWith('--');
    const spaced = /^[ \t]+$/u.test(sign);
    const prose = (spaced && !flag) || /[a-z]/u.test(sign.replace(/value/u, ''));
    if (spaced && !flag && !quoted && match[0].toLowerCase() !== 'identified by') continue;
    if (describes(rest) || /(?:max|min|num|count|total|input|output|prompt|completion)[-_]?$/iu.test(before))
      continue;
    if (!quoted && text.charAt(valueStart + value.length) === '(') continue;
    const candidate = {
      value: cutAtAmpersand(value),
      quoted: quoted !== null,
      strict: match.groups?.['strict'] !== undefined || /identified/iu.test(match[0]),
      shell: flag || (sign === '=' && (/^[A-Z][A-Z0-9_.]*$/u.test(name) || name.startsWith('-'))),
      prose,
      listed: sign.includes(','),
    };
    if (!isValue(candidate)) continue;
    REST.lastIndex = valueStart + candidate.value.length;
    const long = !quoted && value.length === 128;
    const end = REST.lastIndex + (long ? (REST.exec(text)?.[0].length ?? 0) : 0);
    found.push({
      rule: match.groups?.['strict'] === undefined ? 'api-key' : 'password',
      start: valueStart,
      end,
      least: 1,
    });
    done = end;
  }
  return found;
}

/** A parameter of an address ends where the next one begins. */
function cutAtAmpersand(value: string): string {
  const next = /&[\w.-]{1,64}=/u.exec(value);
  return next ? value.slice(0, next.index) : value;
}
