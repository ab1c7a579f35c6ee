import { KNOWN_TOKENS } from './known-tokens.ts';

const KNOWN = new RegExp(
  KNOWN_TOKENS.filter(({ weak }) => !weak)
    .map(
      ({ prefix, body, least }) =>
        `${prefix.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)}${body}{${least}}`,
    )
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
 * Whether a text seems to hold a password, key or token. It says so more readily than the redaction of sessions: what seems secret is not
 * kept at all, while redaction still shares what is around a secret.
 */
export function seemsSecret(text: string): boolean {
  return MIXED.test(text) || SECRET.some((shape) => shape.test(text));
}
