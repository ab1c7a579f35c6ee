import { KNOWN_TOKENS } from './kinds/known-tokens.ts';
import { escaped } from './word-lists.ts';

const KNOWN = new RegExp(
  KNOWN_TOKENS.filter(({ weak }) => !weak)
    .map(({ prefix, body, least }) => `${escaped(prefix)}${body}{${least}}`)
    .join('|'),
  'u',
);

/** Shapes of keys and tokens, also of such as were cut, and words behind which one stands. */
const SECRET = [
  KNOWN,
  /-----BEGIN [A-Z ]*PRIVATE KEY/u,
  /\b(?:sk|pk|rk|rv|ghp|gho|ghs|ghu|github_pat|glpat|xox[abpsr]|npm|whsec|hf|pypi)[-_][\w-]{10,}/u,
  /\b(?:AKIA|ASIA|AIza)[\w-]{12,}/u,
  /\beyJ[\w-]{8,}\.[\w-]{8,}/u,
  /\b(?:password|passwd|passphrase|passwort|secret|token|api[ _-]?key|pin)\b\s*(?:is|=|:|ist)\s*\S/iu,
  /:\/\/[^\s/:@]+:[^\s/@]+@/u,
];
/** A word so long and so mixed is a key more often than a name. */
const MIXED = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])[\w+/=-]{24,}|\b[0-9a-f]{32,}\b/u;

/**
 * Tells whether a text seems to hold a password, key or token. It says so more readily than the redaction of sessions: what seems secret is not
 * kept at all, while redaction still shares what is around a secret.
 */
export function seemsSecret(text: string): boolean {
  return MIXED.test(text) || SECRET.some((shape) => shape.test(text));
}

/** Letters and digits in one piece, as long as the shortest random tokens. */
const RUN = /[A-Za-z0-9]{16,}/gu;
/** Where small letters, capitals and digits follow each other; a capital before small letters begins a word. */
const CHANGE = /(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=\d)|(?<=\d)(?=[A-Za-z])/gu;
/** Of 1,128,692 names of packages 322 have so many changes and two digits, nearly all of them random; of random runs 80 to 99 % have (28 November 2026). */
const LEAST_CHANGES = 0.2;

/** Tells whether a name holds a token: one of a known maker, or letters and digits mixed as in no name. It lets more pass than `seemsSecret`, for names are kept. */
export function holdsToken(name: string): boolean {
  const isRandom = (run: string) =>
    (run.match(/\d/gu) ?? []).length > 1 && (run.match(CHANGE) ?? []).length >= run.length * LEAST_CHANGES;
  return KNOWN.test(name) || (name.match(RUN) ?? []).some(isRandom);
}
