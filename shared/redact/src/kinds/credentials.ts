import { listed } from '../word-lists.ts';
import type { SecretSpan } from '../secret-span.ts';
import { isMadeUp, mixtureOf } from '../values/made-up.ts';
import { isMixedCase, isUnlikeWords } from '../values/secret-value.ts';

const KEY_BEGIN =
  /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|PuTTY-User-Key-File-\d:/gu;
const KEY_END =
  /-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 ENCRYPTED PRIVATE KEY ----|Private-MAC: [0-9a-f]{40,64}/gu;
/** Longer keys than this nobody has. */
const LONGEST_KEY = 16_384;
const OF_KEYS = /[A-Za-z0-9+/=]/gu;
const KEY_LINES =
  /(?:[^A-Za-z0-9+/=\n]{0,12}(?:\d{1,7}[^A-Za-z0-9+/=\n]{1,4})?[A-Za-z0-9+/=]{16,}[^A-Za-z0-9+/=\n]{0,8}\n?|[^\n]{0,12}[A-Z][A-Za-z-]{2,20}: [^\n]{0,80}\n|[^\n\w]{0,12}\n){0,400}/uy;

/** Private keys from their first to their last mark; where the last mark is missing, up to the last line that looks like one of a key. */
export function privateKeysIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  const ends = text.search(KEY_BEGIN) < 0 ? [] : [...text.matchAll(KEY_END)];
  let [done, next] = [0, 0];
  for (const match of text.matchAll(KEY_BEGIN)) {
    if (match.index < done) continue;
    const body = match.index + match[0].length;
    while ((ends[next]?.index ?? Infinity) < body) next += 1;
    const last = ends[next];
    const closed = last !== undefined && last.index < body + LONGEST_KEY;
    let end = closed ? last.index + last[0].length : body;
    if (!closed) {
      const line = text.indexOf('\n', body);
      KEY_LINES.lastIndex = line >= 0 && line < body + 80 ? line + 1 : body;
      end = KEY_LINES.lastIndex + (KEY_LINES.exec(text)?.[0].length ?? 0);
    }
    const inside = text.slice(body, closed ? last.index : end);
    // Code that only speaks of the marks has no key between them.
    if ((inside.match(OF_KEYS)?.length ?? 0) < 48 || !/[A-Za-z0-9+/=]{16}/u.test(inside)) continue;
    found.push({ rule: 'private-key', start: match.index, end, least: end - match.index });
    done = end;
  }
  for (const match of text.matchAll(/"(?:d|p|q|dp|dq|qi|k)"\s{0,2}:\s{0,2}"([A-Za-z0-9_-]{32,1400})"/gu)) {
    const start = match.index + match[0].length - 1 - (match[1]?.length ?? 0);
    found.push({ rule: 'private-key', start, end: start + (match[1]?.length ?? 0), least: 32 });
  }
  return found;
}

const USER_AND_PASSWORD = /:\/\/([^\s:@/"'`<>\\]{0,256}):([^\s@"'`<>/\\]{1,512})@(?=[^\s"'`<>]{2})/gu;
const PASSWORDS_OF_EXAMPLES = new Set(listed('example-passwords'));
const TOKEN_AS_USER = /:\/\/([A-Za-z0-9_.~-]{20,256})@(?=[\w.-]{3})/gu;
const REFERENCE = /^(?:\$(?:[({]|[\w.:-]*$)|%[^0-9A-Fa-f]|\{|<|\[|\*+$|\.+$|x+$)/iu;

/** Passwords within addresses: `postgres://me:THIS@host`. */
export function addressesIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const match of text.matchAll(USER_AND_PASSWORD)) {
    const [whole, user = '', password = ''] = match;
    if (REFERENCE.test(password) || PASSWORDS_OF_EXAMPLES.has(password.toLowerCase()) || isMadeUp(password))
      continue;
    if (password === user && password.length < 12) continue;
    const end = match.index + whole.length - 1;
    // A random user is the first half of a key.
    const secret = user.length >= 16 && isUnlikeWords(user) ? `${user}:${password}` : password;
    found.push({ rule: 'address-password', start: end - secret.length, end, least: secret.length });
  }
  for (const match of text.matchAll(TOKEN_AS_USER)) {
    const user = match[1] ?? '';
    if (mixtureOf(user).changes < 0.3 || isMadeUp(user)) continue;
    found.push({
      rule: 'address-password',
      start: match.index + 3,
      end: match.index + 3 + user.length,
      least: user.length,
    });
  }
  return found;
}

const AUTHORIZED =
  /\b(?:authorization["'`\]]{0,2}\s{0,2}[:=,]\s{0,2}["'`]?(?:bearer|basic|token|digest|apikey|negotiate|aws4-hmac-sha256|bot)?|bearer|basic(?=[ \t]+[A-Za-z0-9+/]{12}))[ \t]{1,4}["'`]?([A-Za-z0-9+/=._~:-]{8,4096})/giu;
const USER_IN_BASE64 = /^[ -9;-~]{1,64}:[ -~]{4,256}$/u;
const COOKIES =
  /\b(?:set-)?cookie["'`]?\s{0,2}[:=]\s{0,2}["'`]?((?:[\w.-]{1,64}=[^\s;"'`]{0,2048};?[ \t]?){1,40})/giu;
const BY_USER =
  /(?<=^|[\s"'`])(?:(?:-u|--user|--proxy-user|-U)[ =]{1,2}|-u(?=["'])|(?<=\bcurl\b[^\n|;]{0,120}\s)-u)(?:"[^\s"':]{1,64}:([^"\n]{4,256})"|'[^\s"':]{1,64}:([^'\n]{4,256})'|["'`]?[\w.@-]{1,64}:([^\s"'`]{4,128}))/gu;
const ARGUMENT = `(?:"([^"\\n]{4,256})"|'([^'\\n]{4,256})'|["'\x60]?([^\\s"'\x60]{4,128}))`;
const SSH_PASS = new RegExp(
  String.raw`\b(?:sshpass[ \t]+-p[ \t]?|(?:mysql|mariadb)(?:dump|admin)?\b[^\n]{0,80}?[ \t]-p|redis-cli\b[^\n]{0,80}?[ \t]-a[ \t]+|docker login\b[^\n]{0,120}?[ \t]-p[ \t]+|smbclient\b[^\n]{0,80}?%)${ARGUMENT}`,
  'gu',
);
/** What is written into a command that reads a secret from there, behind it: `docker login --password-stdin … <<< …`. */
const HERE_STRING = new RegExp(
  String.raw`(?:stdin|with-token|passphrase-fd|\b(?:secrets?|env)[ :](?:set|put|add|create|import))\b[^\n|<]{0,160}<<<[ \t]{0,4}${ARGUMENT}`,
  'gu',
);
/** Statements that give an account of a database its password. */
const OF_ACCOUNT =
  /\b(?:set\s+password\b[^;\n']{0,40}(?:'[^'\n]{0,64}'(?:@'[^'\n]{0,64}')?\s{0,4})?(?:=|to)|(?:create|alter)\s+(?:user|role|login)\b[^;]{0,160}?\b(?:password|identified(?:\s+with\s+\S{1,40})?\s+(?:by|as)))\s{0,4}=?\s{0,4}[NE]?'([^'\n]{4,256})'/giu;
/** The key of an authenticator, as its picture says it. */
const OF_AUTHENTICATOR = /\botpauth:\/\/[^\s"'`<>]{0,200}?[?&]secret=([A-Z2-7a-z]{16,128})/gu;
/** What crypt(3) and Apache make of a password: it can be tried at leisure. */
const CRYPT = /\$(?:apr1|[156]|2[abxy]|y|argon2(?:id?|d))\$[\w./$,=+-]{20,256}/gu;
const NETRC = /\blogin[ \t\n]+\S{1,128}[ \t\n]+password[ \t\n]+(\S{4,128})/gu;

/** What is written into a command that reads a secret from there: `echo … | docker login --password-stdin`. */
const PIPED =
  /\b(?:echo|printf|print|Write-Output)[ \t]+(?:-[a-zA-Z]{1,3}[ \t]+|["']%s(?:\\n)?["'][ \t]+)*(?:"([^"\n]{4,256})"|'([^'\n]{4,256})'|([^\s"'`|;&<>]{4,256}))[ \t]*\|[^\n|]{0,160}?(?:stdin|with-token|passphrase-fd|-S\b|\bchpasswd|\bpasswd|\b(?:secrets?|env)[ :](?:set|put|add|create|import))/gu;

/** Credentials in headers and commands. */
export function credentialsIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  // The value is the end of what matched.
  const take = (rule: string, match: RegExpExecArray, value: string) => {
    const start = match.index + match[0].lastIndexOf(value);
    found.push({ rule, start, end: start + value.length, least: 1 });
  };
  for (const match of text.matchAll(AUTHORIZED)) {
    const value = match[1] ?? '';
    const { digit, changes, upper } = mixtureOf(value);
    if (
      /\bbasic\b/iu.test(match[0]) &&
      USER_IN_BASE64.test(Buffer.from(value, 'base64').toString('latin1'))
    ) {
      take('authorization', match, value);
      continue;
    }
    if (isMadeUp(value) || REFERENCE.test(value) || (digit === 0 && (upper < 2 || changes < 0.3))) continue;
    // Long random letters look like words that are joined by dashes; words do not change their case so often.
    const mayBeWords = (value.length < 32 || changes < 0.35) && !isMixedCase(value.replace(/\d$/u, ''));
    if (mayBeWords && /^[a-z]+(?:[-_.][a-z]+)*\d?$/iu.test(value)) continue;
    take('authorization', match, value);
  }
  for (const match of text.matchAll(COOKIES)) {
    const value = match[1] ?? '';
    const long = /=(?=[^\s;]*\d)[^\s;]{12,}/u.exec(value);
    // What is kept from the scripts of a page is a session.
    const isKept = /^;?[^\n]{0,160}\bHttpOnly\b/iu.test(
      text.slice(match.index + match[0].length, match.index + match[0].length + 200),
    );
    const [session = ''] = long ?? (isKept ? (/=[^\s;]{16,}/u.exec(value) ?? []) : []);
    if (session === '' || isMadeUp(session) || REFERENCE.test(session.slice(1))) continue;
    take('cookie', match, value.trimEnd());
  }
  for (const match of [
    ...text.matchAll(BY_USER),
    ...text.matchAll(SSH_PASS),
    ...text.matchAll(NETRC),
    ...text.matchAll(PIPED),
    ...text.matchAll(HERE_STRING),
    ...text.matchAll(OF_ACCOUNT),
  ]) {
    const value = match.findLast((group) => group !== undefined) ?? '';
    if (isMadeUp(value) || REFERENCE.test(value) || PASSWORDS_OF_EXAMPLES.has(value.toLowerCase())) continue;
    // `docker run -u 1000:1000` names a user and a group.
    if (/^\d{1,5}$/u.test(value) || /^[a-z]+$/u.test(value)) continue;
    take('password', match, value);
  }
  for (const match of text.matchAll(OF_AUTHENTICATOR)) take('password', match, match[1] ?? '');
  for (const match of text.matchAll(CRYPT)) take('password', match, match[0]);
  return found;
}
