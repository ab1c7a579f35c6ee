import { anyOf, listed } from '../word-lists.ts';
import type { SecretSpan } from '../secret-span.ts';
import { counts, describes, type Name } from '../values/secret-names.ts';
import {
  type Candidate,
  isGrouped,
  isSecretValue,
  isUnlikeWords,
  phraseEnd,
} from '../values/secret-value.ts';

/** What says that a value comes, one shape a row. */
const SIGNS = [
  // The value on the next line: `password: |`, a here-document, a here-string.
  String.raw`:[ \t]{0,4}[|>][-+]?[ \t]{0,4}\n[ \t]{0,40}`,
  String.raw`[ \t]{0,4}<<<[ \t]{0,4}`,
  String.raw`[ \t]{0,4}<<-?[ \t]{0,2}["']?\w{1,24}["']?\n`,
  // The first item of a list: `"token": ["…`, `tokens:` and `- …` below it.
  String.raw`\s{0,4}[:=]>?\s{0,4}[[(]\s{0,40}(?=["'\x60])`,
  String.raw`:[ \t]{0,4}\n[ \t]{0,40}-[ \t]{1,4}(?=["'\x60]|[^\s:]{1,512}(?:\n|$))`,
  // `=`, `:`, `=>`, `:=`, `??=`; also behind a type: `key: string = `, `key: str="`. What only ends in `=` is base64, and the value itself.
  String.raw`\s{0,4}(?:[:=]=?>?|\?=|:=|\|\|=|\?\?=|：)\s{0,4}(?:(?:[&\w.<>|[\] ]{1,40}[ \t]=[ \t]{0,4}|[&\w.<>|[\]]{1,40}=(?=["'\x60][^\s"'\x60;,)\]}]))(?=[^\s=]))?`,
  // What a shell of Node prints: `Buffer.from(password)` and the value below it.
  String.raw`[ \t]{0,2}[)}\]]{0,2}[ \t]{0,2}\n[ \t]{0,8}(?=["'\x60])`,
  // An entry that has its name in one place and its value in the next: `<add key="ApiKey" value="…`, `- name: API_KEY` and `value: …`
  // below it, `{"name": "API_KEY", "value": "…`, `variable "api_key" { default = "…`.
  String.raw`["']?[ \t]{0,4}[,;{]?\s{0,40}(?:(?:type|sensitive|description|nullable)[ \t]{0,8}=[^\n]{0,120}\n\s{0,40}){0,3}["']?(?:value|val|content|default|string)["']?[ \t]{0,2}[:=][ \t]{0,4}`,
  // `setKey('name', '…`, `password("…`, `password "…`.
  '["\'`]?,\\s{0,4}(?=["\'`])',
  '\\((?=["\'`])',
  '[ \\t]{1,4}(?=["\'`“„«])',
  // The next cell of a row: `| password | …`.
  String.raw`[*_\x60]{0,3}[ \t]{0,80}[|│┃][ \t]{0,80}`,
  String.raw`[ \t]{1,2}(?=\S)`,
];
/** What may stand between a name and its value: the rest of the name, what closes it, a sign. */
const BETWEEN = new RegExp(
  `(?<rest>[\\w.\\-\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]{0,48})(?<close>["'\x60\\]})*]{0,3})(?<sign>${SIGNS.join('|')})`,
  'iuy',
);
const COPULAS = new Set(listed('copulas'));
const COPULA_JOINED = new RegExp(anyOf('copulas-joined'), 'uy');
/** So many words of a sentence are read behind a name: `The password for the new staging database is …`. */
const WORDS_BEHIND_NAME = 9;
const END_OF_NAME = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}'’]{0,8}["'\x60*_”»」』)]{0,3},?/uy;
const WORD = /[ \t]{1,2}(->|[^\s.!?;:=<>|{}]{1,32})/uy;
const COLON = /[ \t]{0,2}[:：]|[ \t]{1,2}=(?=[ \t])/uy;
/** What may stand between a sign and a value: what makes it bold, the fence of a block of code, the end of a line. */
const OPENING = /[:：]?[*_]{0,3}(?:\s{0,4}\x60{3}[a-z]{0,12}\n)?\s{0,6}/uy;
/** Behind the name of an element or of its attribute, up to its content: `<password>`, `<entry name="password"><value>`, `<key>Password</key><string>`. */
const ELEMENT =
  /(?<rest>[\w. -]{0,48})(?:["']?(?:\s[^<>\n]{0,120})?>|(?=<\/))\s{0,40}(?:<\/?[\w:.-]{1,40}(?:\s[^<>\n]{0,120})?>\s{0,40}){0,3}(?:<!\[CDATA\[)?/uy;
const CONTENT = /[^<>\n]{1,512}(?=<|\]\]>)/uy;
/** What stands before a name that is that of an element, of an attribute that names one, or the content of one. */
const OF_ELEMENT =
  /<[\w:.-]{0,40}$|\b(?:name|key|id|property|field|param)\s?=\s?["']?[\w.-]{0,40}$|<[\w:.-]{1,40}>[ \t]{0,8}[\w. -]{0,40}$/iu;
/** So many words may stand between a value and the name behind it: `… is the new password`. */
const WORDS_BEFORE_NAME = 4;

const QUOTED = /(?:[bfru]{0,2}|\$)(["'`])((?:\\.|(?!\1)[^\\\n]){1,1024})\1/uy;
const QUOTED_IN_PRINT = /[“„«‘「『]()([^“”„«»‘’「」『』\n]{1,256})[”“»’」』]/uy;
/** What a sentence puts around a value: a bracket, up to the one that closes it. */
const IN_BRACKETS = /<([^<>\n]{4,256})>|\[([^\n]{4,256}?)\](?![\w(])|\(([^\n]{4,256}?)\)(?!\w)/uy;
const MARKS_AROUND = /^["'`“„«「『*_<([]*|["'`”»」』*_>)\]]*$/gu;
/** A key as authenticators show it. */
const GROUPED = /[A-Za-z\d]{4}(?: [A-Za-z\d]{4}){2,15}(?![A-Za-z\d])/uy;
const BEGINS_LINE = /(?:^|\n)[ \t>+-]{0,8}(?:\d{1,7}[→:|\t][ \t]?)?(?:export[ \t])?[\w.-]{0,32}$/u;
/** What stands before a setting that is an argument, and before one of several in a connection string. */
const OF_ARGUMENT = /(["'])[\w.-]{0,32}$/u;
const OF_CONNECTION = /[\w)"'];[ \t]?[\w ]{0,24}$/u;
/** A word that is no code: neither a call nor a type. */
const WHOLE_WORD = /(?![\w.$?]*[<([{])[^\s"'`]{8,256}/uy;
/** The same up to the end of its line, and nothing that goes on in the next. */
const TO_LINE_END =
  /(?![\w.$?]*(?:<.*>|\(.*\)|\[.*\]|\{.*\}))[^\s"'`]{8,256}(?<![{(,;[])(?=[ \t]{0,8}(?:\r?\n|$))/uy;
/** Up to the quote that was opened before the name, or up to the next of several settings. */
const TO_QUOTE = { '"': /[^\s"]{8,256}(?=")/uy, "'": /[^\s']{8,256}(?=')/uy };
const TO_SEMICOLON = /[^;\n"'`=]{5,256}(?=;)/uy;
const OPENING_QUOTE = /["'`“„«「『*_<([]{0,3}/uy;
/** Between the items of a list. */
const NEXT_ITEM =
  /["'`]?(?:\s{0,4},\s{0,40}(?=["'`])|\n[ \t]{0,40}-[ \t]{1,4}(?=["'`]|[^\s:]{1,512}(?:\n|$)))/uy;
const FIRST_ITEM = /(?:[:=]>?\s{0,4}[[(]\s{0,40}["'`]|\n[ \t]{0,40}-[ \t]{1,4}["'`]?)$/u;
/** A command that writes its argument into a file, up to the name of that. */
const WRITTEN =
  /\b(?:echo|printf)[ \t]+(?:-[a-zA-Z]{1,3}[ \t]+|["']%s(?:\\n)?["'][ \t]+)*(?:"([^"\n]{4,256})"|'([^'\n]{4,256})'|([^\s"'`|;&<>]{4,256}))[ \t]*>{1,2}[ \t]*["']?[\w./~-]{0,80}$/u;
const OF_VALUES = String.raw`[^\s"'\x60,;()[\]{}<>\\|│┃“”„«»「」『』\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uff0f]`;
/** A value that goes over the end of its line is quoted only at its beginning. */
const OPEN = new RegExp(String.raw`["'\x60“„«「『*_]{0,3}(${OF_VALUES}{4,128})`, 'uy');
/** So much of a bare value is judged; the rest of it follows. */
const REST = new RegExp(`${OF_VALUES}{0,8192}`, 'uy');
/** In a file of settings a value goes to the end of its line, whatever signs are in it. */
const REST_OF_LINE = /[^\s"'`]{0,256}/uy;

/** What a value in a sentence has: nothing says where it begins and ends. */
export const IN_A_SENTENCE = { quoted: false, shell: false, prose: true, listed: false } as const;

interface Value {
  start: number;
  value: string;
  quoted: boolean;
}

/** A value that a sentence puts in brackets. */
function wrappedAt(text: string, start: number): Value | undefined {
  IN_BRACKETS.lastIndex = start;
  const value = IN_BRACKETS.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (value !== undefined) return { start: start + 1, value, quoted: true };
  return undefined;
}

function valueAt(text: string, start: number): Value | undefined {
  for (const pattern of [QUOTED, QUOTED_IN_PRINT]) {
    pattern.lastIndex = start;
    const quoted = pattern.exec(text);
    const value = quoted?.[2];
    if (quoted && value !== undefined)
      return { start: start + quoted[0].length - 1 - value.length, value, quoted: true };
  }
  GROUPED.lastIndex = start;
  const groups = GROUPED.exec(text)?.[0] ?? '';
  if (isGrouped(groups)) return { start, value: groups, quoted: true };
  OPEN.lastIndex = start;
  const open = OPEN.exec(text);
  const value = open?.[1];
  return open && value !== undefined
    ? { start: start + open[0].length - value.length, value, quoted: false }
    : undefined;
}

/** The end of what a pattern finds at a place; undefined where it finds nothing there. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ? pattern.lastIndex : undefined;
}

/** Places in a sentence behind a name at which its value may begin: behind each `is` and `to`, and behind a colon. */
function* placesBehind(text: string, { end }: Name): Generator<number> {
  let at = endOf(END_OF_NAME, text, end) ?? end;
  if (describes(text.slice(end, at))) return;
  const joined = endOf(COPULA_JOINED, text, at);
  if (joined !== undefined) yield endOf(OPENING, text, joined) ?? joined;
  for (let words = 0; words < WORDS_BEHIND_NAME; words += 1) {
    const colon = endOf(COLON, text, at);
    if (colon !== undefined) {
      yield endOf(OPENING, text, colon) ?? colon;
      return;
    }
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[1];
    // A name that goes on describes a secret: `password length is`.
    if (word === undefined || (words === 0 && describes(word))) return;
    at = WORD.lastIndex;
    if (COPULAS.has(word.toLowerCase())) yield endOf(OPENING, text, at) ?? at;
  }
}

/** Values of what is named as a secret, in code, settings, JSON, XML, tables of two columns, commands and sentences. */
export function assignmentsIn(text: string, names: readonly Name[]): SecretSpan[] {
  const found: SecretSpan[] = [];
  let done = 0;
  for (const name of names) {
    if (name.index < done) continue;
    const span =
      phraseOf(text, name) ??
      elementOf(text, name) ??
      assignedOf(text, name) ??
      saidOf(text, name) ??
      saidBefore(text, name) ??
      writtenTo(text, name);
    if (!span) continue;
    found.push(span);
    done = span.end;
    for (const item of itemsBehind(text, name, span)) {
      found.push(item);
      done = item.end;
    }
  }
  return found;
}

/** Tells whether a value behind a name may be an ordinary password: a label `seed` alone is of many things. */
export function isStrict({ kind, text }: Name): boolean {
  return kind !== 'key' && !/^seed$/iu.test(text);
}

function spanOf({ kind }: Name, start: number, end: number): SecretSpan {
  return { rule: kind === 'key' ? 'api-key' : 'password', start, end, least: 1 };
}

/** Several words behind `passphrase` or `seed`. */
function phraseOf(text: string, name: Name): SecretSpan | undefined {
  if (name.kind !== 'phrase') return undefined;
  BETWEEN.lastIndex = name.end;
  const sign = BETWEEN.exec(text)?.groups?.['sign'] ?? ' ';
  const behind = BETWEEN.lastIndex;
  const isSaid = /^[ \t]+$/u.test(sign) && !/["'`]/u.test(text.charAt(behind));
  const places = [behind, ...placesBehind(text, name)];
  for (const place of places) {
    const start = endOf(OPENING_QUOTE, text, place) ?? place;
    // A label `seed` alone is of many things: only the words of a wallet are a secret there.
    const end = phraseEnd(text, start, isStrict(name) ? 4 : 12);
    // Behind the bare name only words that are joined are no sentence.
    if (isSaid && place === behind && /\s/u.test(text.slice(start, end))) continue;
    if (end !== undefined) return { rule: 'password', start, end, least: 1 };
  }
  return undefined;
}

/** The content of an element, or of the one behind it. */
function elementOf(text: string, name: Name): SecretSpan | undefined {
  const before = text.slice(Math.max(0, name.index - 90), name.index);
  if (!before.includes('<') || !OF_ELEMENT.test(before)) return undefined;
  ELEMENT.lastIndex = name.end;
  const between = ELEMENT.exec(text);
  if (!between || describes(between.groups?.['rest'] ?? '')) return undefined;
  CONTENT.lastIndex = ELEMENT.lastIndex;
  const value = CONTENT.exec(text)?.[0] ?? '';
  const start = CONTENT.lastIndex - value.length;
  const isPhrase = name.kind === 'phrase' && phraseEnd(text, start) !== undefined;
  const candidate = { ...IN_A_SENTENCE, value, quoted: true, strict: isStrict(name), prose: false };
  return isPhrase || isSecretValue(candidate) ? spanOf(name, start, start + value.length) : undefined;
}

/** A value behind a sign. */
function assignedOf(text: string, name: Name): SecretSpan | undefined {
  BETWEEN.lastIndex = name.end;
  const { rest = '', sign = '' } = BETWEEN.exec(text)?.groups ?? {};
  const at = BETWEEN.lastIndex;
  const isSetting = /^\s*[:=]\s*$/u.test(sign);
  const read = sign === '' ? undefined : (isSetting && lineValueOf(text, name, at)) || valueAt(text, at);
  // What has nothing behind it on its line has no value: the next line is one of its own. What ends in `=` is base64.
  if (!read || (sign.includes('\n') && !read.quoted && /^[+-]?[\w.-]{1,64}=(?!=?$)/u.test(read.value)))
    return undefined;
  const { start, value, quoted } = read;
  const before = text.slice(Math.max(0, name.index - 40), name.index);
  const whole = (/[\w.-]*$/u.exec(before)?.[0] ?? '') + name.text + rest;
  const flag = /^--?\w/u.test(whole);
  const spaced = /^[ \t]+$/u.test(sign);
  if (
    spaced &&
    !flag &&
    !quoted &&
    name.text.toLowerCase() !== 'identified by' &&
    !isUnlikeWords(withoutMarks(value))
  )
    return undefined;
  if ((describes(rest) && !sign.includes('<<')) || counts(before)) return undefined;
  if (!quoted && text.charAt(start + value.length) === '(') return undefined;
  const candidate: Candidate = {
    value: quoted ? value : spaced && !flag ? withoutMarks(value) : cutAtAmpersand(value),
    quoted,
    strict: isStrict(name) || /identified/iu.test(name.text),
    shell: flag || (sign === '=' && (/^[A-Z][A-Z0-9_.]*$/u.test(whole) || whole.startsWith('-'))),
    prose: (spaced && !flag) || /[|│┃]/u.test(sign),
    listed: sign.includes(',') && !/val|content|default|string/iu.test(sign),
  };
  if (!isSecretValue(candidate)) return undefined;
  const end = start + candidate.value.length;
  if (quoted) return spanOf(name, start, end);
  const more =
    value.length === 128 ? REST : candidate.shell && sign === '=' && !flag ? REST_OF_LINE : undefined;
  if (!more || candidate.value !== value) return spanOf(name, start, end);
  more.lastIndex = end;
  return spanOf(name, start, end + (more.exec(text)?.[0].length ?? 0));
}

/** The other items of a list of which the first was found. */
function* itemsBehind(text: string, name: Name, first: SecretSpan): Generator<SecretSpan> {
  if (!FIRST_ITEM.test(text.slice(Math.max(0, first.start - 96), first.start))) return;
  let at = endOf(NEXT_ITEM, text, first.end);
  while (at !== undefined) {
    const read = valueAt(text, at);
    if (!read) return;
    const { start, value, quoted } = read;
    const candidate = { ...IN_A_SENTENCE, value, quoted, strict: isStrict(name), prose: false };
    if (isSecretValue(candidate)) yield spanOf(name, start, start + value.length);
    at = endOf(NEXT_ITEM, text, start + value.length);
  }
}

/** What a command writes into a file that is named as a secret: `printf '…' > db-password.txt`. */
function writtenTo(text: string, name: Name): SecretSpan | undefined {
  const from = Math.max(0, name.index - 400);
  const before = text.slice(from, name.index);
  const rest = /^[\w-]{0,40}/u.exec(text.slice(name.end, name.end + 40))?.[0] ?? '';
  if (!before.slice(-90).includes('>') || describes(rest)) return undefined;
  const match = WRITTEN.exec(before);
  const value = match?.slice(1).find((group) => group !== undefined);
  if (!match || value === undefined) return undefined;
  const candidate = { ...IN_A_SENTENCE, value, quoted: true, strict: isStrict(name), prose: false };
  const start = from + match.index + match[0].indexOf(value);
  const isPhrase = name.kind === 'phrase' && phraseEnd(value, 0) === value.length;
  return isPhrase || isSecretValue(candidate) ? spanOf(name, start, start + value.length) : undefined;
}

/** The rest of a line of settings, where signs that end a value in code are within it: `password = T&zG]hR_/Rl`. */
function lineValueOf(text: string, name: Name, start: number): Value | undefined {
  const before = text.slice(Math.max(0, name.index - 48), name.index);
  if (!isStrict(name)) return undefined;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = start;
    return pattern.exec(text)?.[0];
  };
  if (OF_CONNECTION.test(before)) {
    const value = read(TO_SEMICOLON);
    return value === undefined ? undefined : { start, value, quoted: true };
  }
  const quote = OF_ARGUMENT.exec(before)?.[1];
  if (quote === '"' || quote === "'") return unlikeCode(read(TO_QUOTE[quote]), start);
  return BEGINS_LINE.test(before) ? unlikeCode(read(TO_LINE_END), start) : undefined;
}

/** A word with signs within it that end a value in code. */
function unlikeCode(value: string | undefined, start: number): Value | undefined {
  return value !== undefined && /[()[\]{}<>,;|\\]/u.test(value) && isUnlikeWords(value)
    ? { start, value, quoted: false }
    : undefined;
}

/** A value in a sentence behind its name. */
function saidOf(text: string, name: Name): SecretSpan | undefined {
  if (counts(text.slice(Math.max(0, name.index - 40), name.index))) return undefined;
  for (const place of placesBehind(text, name)) {
    WHOLE_WORD.lastIndex = place;
    const word = isStrict(name) ? WHOLE_WORD.exec(text)?.[0] : undefined;
    const plain = valueAt(text, place);
    const whole = plain?.quoted ? undefined : unlikeCode(word && withoutMarks(word), place);
    const read = wrappedAt(text, place) ?? whole ?? plain;
    if (!read) continue;
    const { start, quoted } = read;
    if (!quoted && text.charAt(start + read.value.length) === '(') continue;
    const value = quoted ? read.value.replaceAll(MARKS_AROUND, '') : withoutMarks(read.value);
    const candidate = { ...IN_A_SENTENCE, value, quoted, strict: isStrict(name) };
    if (isSecretValue(candidate)) return spanOf(name, start, start + read.value.length);
  }
  return undefined;
}

/** A value in a sentence before its name. */
function saidBefore(text: string, name: Name): SecretSpan | undefined {
  if (/^[\w-]/u.test(text.charAt(name.end))) return undefined;
  let end = name.index;
  for (let word = 0; word <= WORDS_BEFORE_NAME; word += 1) {
    if (text.charAt(end - 1) !== ' ') return undefined;
    const start = wordStart(text, end - 1);
    const word = text.slice(start, end - 1).toLowerCase();
    end = start;
    // A dash is the sign of a list here.
    if (!COPULAS.has(word) || !/^\p{L}/u.test(word)) continue;
    if (text.charAt(end - 1) !== ' ') return undefined;
    const from = wordStart(text, end - 1);
    const token = text.slice(from, end - 1);
    const value = withoutMarks(token.replace(/^["'`“„«(*]+/u, '')).replace(/["'`”»]+$/u, '');
    if (value.length < 6 || !isSecretValue({ ...IN_A_SENTENCE, value, strict: isStrict(name) }))
      return undefined;
    const at = from + token.indexOf(value);
    return spanOf(name, at, at + value.length);
  }
  return undefined;
}

function wordStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < 160 && !/\s/u.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** A word of a sentence without the marks behind it, which are no part of it. */
export function withoutMarks(value: string): string {
  return value.replace(/[.,:;!?。…*_)]+$/u, '');
}

/** A parameter of an address ends where the next one begins. */
function cutAtAmpersand(value: string): string {
  const next = /&[\w.-]{1,64}=/u.exec(value);
  return next ? value.slice(0, next.index) : value;
}
