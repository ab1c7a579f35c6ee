import { anyOf, listed } from '../word-lists.ts';
import { isMadeUp, type Mixture, mixtureOf } from './made-up.ts';
import { isName } from './secret-names.ts';

const NO_PASSWORDS = new Set(listed('no-passwords'));
const SENTENCE_WORDS = new Set(listed('sentence-words'));

/** What code and templates put in the place of a value: `${X}`, `process.env.X`, `$TOKEN`, `<key>`, `%s`, `a.b.c`, `call(`. */
const REFERENCE = new RegExp(
  [
    String.raw`\$|%[A-Za-z({]|\{\{|<|@|#\{|\*+$|\.\.\.|~\/|&[a-z]|::`,
    String.raw`https?:\/\/[^\s@]*$`,
    String.raw`${anyOf('reference-roots')}[.:]`,
    // Brackets of a call are closed, and no letter follows them.
    String.raw`[A-Za-z_$][\w$.]*[([](?:$|.*[)\]](?![\w-]))`,
  ]
    .map((shape) => `^(?:${shape})`)
    .join('|'),
  'u',
);
/** A property of an object in code. No name of one has four digits in a row: `Lab.Shield7100`. */
const MEMBER = /^(?!.*(?:\d{4}|\d\$$))[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/u;
/** What has digits and signs and is public: versions, dates, times, sizes, addresses of mail, names of files. */
const PLAIN = new RegExp(
  [
    String.raw`[v^~]{0,2}\d{1,4}(?:\.\d{1,6}){1,3}(?:[-+.][\w.+-]{0,24})?`,
    String.raw`v\d{1,3}(?:alpha|beta|rc)?\d{0,3}`,
    String.raw`\d{1,4}(?:-[a-z]{1,12}-|[x/:])\d{1,6}`,
    String.raw`\d{4}-\d{2}-\d{2}(?:[T ][\d:.+Z-]{0,20})?`,
    String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?`,
    String.raw`[+-]?\d{1,9}(?:[.,]\d{1,9})?(?:[a-zµ]{1,3}|%|-[a-z]{3,12})`,
    String.raw`[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4}`,
    String.raw`(?:[\w@.-]{1,64}[/\\]){0,12}[\w@-][\w.@-]{0,64}\.(?:[cm]?[jt]sx?|json|ya?ml|md|txt|py|rb|go|rs|java|kt|swift|cs?s|html?|sh|sql|toml|ini|env|lock|log|xml|csv|pdf|pem|crt|key|zip|gz|png|jpe?g|svg|gif|conf|cfg|tf)(?::\d{1,6}){0,2}`,
  ]
    .map((shape) => `^(?:${shape})$`)
    .join('|'),
  'u',
);
const PLACEHOLDER = /\[REDACTED:[a-z0-9-]+\]/gu;
const OWN_NAME = /pass|secret|token|key|auth|credential/iu;
const SYMBOL = /[!@#$%^*?~+]/u;
const SYMBOL_WITHIN = /[\p{L}\d][!@#$%^*?~+&][\p{L}\d]/u;

/** How a value stands behind its name. */
export interface Candidate {
  value: string;
  quoted: boolean;
  /** Behind the name of a password, which may be a word of a dictionary. */
  strict: boolean;
  /** `NAME=value`, as in shells and `.env` files: whatever stands there is the value itself. */
  shell: boolean;
  /** In a sentence or the cell of a table: ordinary words stand there, too. */
  prose: boolean;
  /** Behind a comma: the next item of a list as often as the value. */
  listed: boolean;
}

/** Bytes in base64, of which the end says so. */
const PADDED = /^[A-Za-z0-9+/_-]{6,}={1,2}$/u;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/** Tells whether letters of both cases are mixed as in no name: parts between capitals that are no words. */
export function isMixedCase(value: string, { upper, lower, changes }: Mixture = mixtureOf(value)): boolean {
  if (upper < 3 || lower < 2 || changes < 0.3 || !/^[A-Za-z]+$/u.test(value)) return false;
  const parts = value.match(/[A-Z]?[a-z]+|[A-Z]+/gu) ?? [];
  // Names are made of parts of some three letters and more that can be spoken.
  const words = parts.filter(
    (part) =>
      part.length >= 3 &&
      !/^[A-Z]+$/u.test(part) &&
      isSpeakable(part) &&
      !/[bcdfghjklmnpqrstvwxz]{4}/iu.test(part),
  );
  return words.join('').length < value.length * 0.65;
}

/** Tells whether a word can be spoken: it has vowels, and no five consonants in a row. */
export function isSpeakable(value: string): boolean {
  return /[aeiouyäöü]/iu.test(value) && !/[bcdfghjklmnpqrstvwxz]{5}/iu.test(value);
}

/** Tells whether a word that follows a name in a sentence cannot be the next word of it: of letters, digits and signs mixed as nobody writes them. */
export function isUnlikeWords(value: string): boolean {
  const mixture = mixtureOf(value);
  const { upper, lower, digit, changes } = mixture;
  if (value.length < 8 || PLAIN.test(value)) return false;
  if (PADDED.test(value) || isMixedCase(value, mixture)) return true;
  if (digit === 0 || changes < 0.2) return false;
  return (
    UUID.test(value) ||
    (upper > 0 && lower > 0) ||
    SYMBOL_WITHIN.test(value) ||
    (digit >= 3 && /^[a-z\d]+$/iu.test(value))
  );
}

/** Tells whether a value is written in groups of the same length, as authenticators show theirs: `uvyi 4ii6 i34b 4wd4`. */
export function isGrouped(value: string): boolean {
  const groups = value.split(/[ -]/u);
  const [first = ''] = groups;
  const mixed = groups.filter((group) => /\d/u.test(group) && /[A-Za-z]/u.test(group));
  return (
    groups.length >= 3 &&
    first.length >= 4 &&
    groups.every((group) => group.length === first.length && /^[A-Za-z\d]+$/u.test(group)) &&
    (mixed.length >= 2 || (mixed.length === 1 && groups.length >= 4) || isUnlikeWords(groups.join('')))
  );
}

function isMember(value: string): boolean {
  const isRandom = (part: string) => {
    const { digit, changes } = mixtureOf(part);
    return part.length >= 8 && digit > 0 && changes >= 0.45;
  };
  return MEMBER.test(value) && !value.split('.').some(isRandom);
}

/** Tells whether a path stands there, and no base64 that begins with a slash. */
function isPath(value: string): boolean {
  if (!value.startsWith('/')) return false;
  const { digit, changes } = mixtureOf(value);
  return !PADDED.test(value) && (value.length < 20 || digit === 0 || changes < 0.4);
}

/** Tells whether a value that stands behind the name of a secret is one, and not a type, a label, a reference or the next word. */
export function isSecretValue(candidate: Candidate): boolean {
  const { quoted, strict, shell, prose } = candidate;
  const value = candidate.value.replaceAll(PLACEHOLDER, '').trim();
  if (value.length < (strict ? 5 : 8)) return false;
  if (isMember(value) && !(shell && (quoted || /\d/u.test(value)))) return false;
  if (REFERENCE.test(value) || isPath(value) || isMadeUp(value) || (!shell && PLAIN.test(value)))
    return false;
  const small = value.toLowerCase();
  if (NO_PASSWORDS.has(small.replaceAll(/[^a-z0-9_]/gu, '')) || isName(value)) return false;
  const mixture = mixtureOf(value);
  const letters = mixture.upper + mixture.lower;
  if (candidate.listed && (mixture.digit === 0 || value.length < 8 || /[[\]{}()\\|]/u.test(value)))
    return false;
  if (/\s/u.test(value)) {
    if (isGrouped(value)) return true;
    // A sentence begins with a capital or speaks of passwords; a pass phrase does neither.
    return (
      strict &&
      quoted &&
      value.length <= (shell ? 256 : 80) &&
      !/^\p{Lu}/u.test(value) &&
      !OWN_NAME.test(value) &&
      !/[()=?:;{}]/u.test(value) &&
      value.split(/\s+/u).length >= 4
    );
  }
  if (letters === 0) return strict && mixture.digit >= 6 && mixture.digit === value.length;
  const isEncoded = PADDED.test(value) && mixture.upper > 1 && mixture.lower > 1;
  if (mixture.digit === 0 && (isEncoded || isMixedCase(value, mixture)) && !OWN_NAME.test(value)) return true;
  if (mixture.digit === 0 && (prose || !SYMBOL.test(value))) {
    if (shell) return true;
    if (OWN_NAME.test(value)) return false;
    if (prose) return strict && letters >= 5 && SYMBOL_WITHIN.test(value) && !/^[\p{Ll}-]+\W?$/u.test(value);
    if (strict && quoted) return value.length >= 8 && !/[-_./: ]/u.test(value);
    if (strict) return value.length >= 12 && mixture.upper === 0 && /^[a-z]+$/u.test(value);
    return value.length >= 20 && mixture.changes >= 0.35;
  }
  if (OWN_NAME.test(value) && letters > value.length - 4 && mixture.changes < 0.3) return false;
  if (strict) return value.length >= 6;
  const least = mixture.changes < 0.2 && isSpeakable(value) ? 20 : shell || (quoted && !prose) ? 8 : 10;
  return value.length >= least && mixture.digit > 0;
}

/** Words of a pass phrase, which may be numbered, and the ends of lines between them. */
const PHRASE =
  /(?:\d{1,2}[.):]?[ \t]{0,2})?\p{L}{2,14}(?:(?:[ \t]{0,2}[,;|]?[ \t]{1,3}|[ \t]{0,3}\n[ \t]{0,8}|[-_.+])(?:\d{1,2}[.):]?[ \t]{1,2})?\p{L}{2,14}){2,23}(?![\p{L}\d@])/uy;
/** So many words has the phrase of a wallet. */
const WALLET = 12;

/** The end of a pass phrase that begins at a place: at least so many words, and none that only sentences have; undefined where there is none. */
export function phraseEnd(text: string, start: number, least = 4): number | undefined {
  PHRASE.lastIndex = start;
  const whole = PHRASE.exec(text)?.[0];
  if (whole === undefined) return undefined;
  const line = whole.split('\n', 1)[0] ?? '';
  for (const part of [whole, line]) {
    const words = part.toLowerCase().match(/\p{L}+/gu) ?? [];
    const ofSentences = words.filter((word) => SENTENCE_WORDS.has(word)).length;
    if (words.length >= WALLET ? ofSentences <= words.length / 3 : false) return start + part.length;
    if (part !== line) continue;
    const next = text.slice(start + part.length, start + part.length + 2);
    // Words that are joined by signs are no sentence, whichever they are.
    const most = /\s/u.test(part) ? 0 : words.length / 2;
    if (words.length >= least && ofSentences <= most && !/^[ \t]?[\p{L}(=:]/u.test(next))
      return start + part.length;
  }
  return undefined;
}
