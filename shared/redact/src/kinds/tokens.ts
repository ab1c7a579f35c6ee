import { KNOWN_TOKENS, type KnownToken } from './known-tokens.ts';
import { escaped } from '../word-lists.ts';
import type { SecretSpan } from '../secret-span.ts';
import { isMadeUp, mixtureOf } from '../values/made-up.ts';
import type { Word } from '../text/long-words.ts';

interface Form extends KnownToken {
  pattern: RegExp;
  /** What a token goes on with behind what was judged. */
  more: RegExp;
}

/** So much of a token is judged; the rest of it follows. */
const JUDGED = 256;

const FORMS: readonly Form[] = KNOWN_TOKENS.map((token) => ({
  ...token,
  pattern: new RegExp(
    `${token.body}{${token.least}${token.exact ? '' : `,${Math.max(token.least, JUDGED)}`}}`,
    'uy',
  ),
  more: token.exact ? /(?:)/uy : new RegExp(`${token.body.slice(token.body.lastIndexOf('['))}{0,8192}`, 'uy'),
}));

const BY_PREFIX = Map.groupBy(FORMS, ({ prefix }) => prefix);
const PREFIXES = new RegExp([...BY_PREFIX.keys()].map(escaped).join('|'), 'gu');

/** Forms without a beginning to tell them by; `before`: so many characters stand before what they are looked for by. */
const SHAPES: readonly { rule: string; pattern: RegExp; least: number; before?: number }[] = [
  {
    rule: 'azure',
    pattern: /(?<=[A-Za-z0-9_~.-]{3})[78]Q~[A-Za-z0-9_~.-]{31,37}/gu,
    least: 37,
    before: 3,
  },
  {
    rule: 'discord',
    pattern: /[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}/gu,
    least: 58,
  },
  { rule: 'mailchimp', pattern: /(?<=[0-9a-f]{32})-us\d{1,2}/gu, least: 36, before: 32 },
  { rule: 'mailgun', pattern: /(?<=[0-9a-f]{32})-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/gu, least: 50, before: 32 },
  { rule: 'telegram', pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}/gu, least: 44 },
  { rule: 'twilio', pattern: /SK[0-9a-f]{32}/gu, least: 34 },
  {
    rule: 'webhook-url',
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com\/webhookb2|hooks\.zapier\.com\/hooks\/catch)\/[A-Za-z0-9/_@-]{16,400}/gu,
    least: 40,
  },
];

const LETTER_OR_DIGIT = /[A-Za-z0-9]/u;

/** Tokens whose maker is known. Letters may stand right before them: words run together where lines were cut. */
export function knownTokensIn(words: readonly Word[]): SecretSpan[] {
  // One text of the long words alone: most of a text has none, and each pattern goes over it once.
  const text = words.map((word) => word.text).join('\n');
  const found = [...tokensIn(text), ...shapesIn(text), ...webTokensIn(text)].sort(
    (a, b) => a.start - b.start,
  );
  let [index, begun] = [0, 0];
  return found.map((one) => {
    for (let word = words[index]; word && begun + word.text.length < one.start; word = words[index]) {
      begun += word.text.length + 1;
      index += 1;
    }
    const moved = (words[index]?.start ?? 0) - begun;
    return { ...one, start: one.start + moved, end: one.end + moved };
  });
}

function tokensIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  let done = 0;
  for (const match of text.matchAll(PREFIXES)) {
    if (match.index < done) continue;
    for (const form of BY_PREFIX.get(match[0]) ?? []) {
      const start = match.index;
      form.pattern.lastIndex = start + form.prefix.length;
      const body = form.pattern.exec(text)?.[0];
      if (body === undefined || isMadeUp(body)) continue;
      if (form.weak && (LETTER_OR_DIGIT.test(text.charAt(start - 1)) || mixtureOf(body).digit < 2)) continue;
      form.more.lastIndex = start + form.prefix.length + body.length;
      const end = form.more.lastIndex + (form.more.exec(text)?.[0].length ?? 0);
      found.push({ rule: form.rule, start, end, least: form.prefix.length + form.least });
      done = end;
      break;
    }
  }
  return found;
}

function shapesIn(text: string): SecretSpan[] {
  return SHAPES.flatMap(({ rule, pattern, least, before = 0 }) =>
    text
      .matchAll(pattern)
      .map((match) => ({ rule, start: match.index - before, end: match.index + match[0].length, least }))
      .filter(({ start, end }) => !isMadeUp(text.slice(start, end)))
      .toArray(),
  );
}

const WEB_TOKEN = /ey[JI]/gu;
const PART = /[A-Za-z0-9_-]{0,8192}/uy;

/** JSON web tokens, signed (three parts), encrypted (five), and such as were cut behind the beginning of their second part. */
function webTokensIn(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  let done = 0;
  for (const { index } of text.matchAll(WEB_TOKEN)) {
    if (index < done) continue;
    const parts: string[] = [];
    done = index;
    do {
      PART.lastIndex = parts.length === 0 ? index : done + 1;
      const part = PART.exec(text)?.[0] ?? '';
      done = PART.lastIndex;
      parts.push(part);
    } while (parts.length < 5 && text.charAt(done) === '.');
    const [header = '', claims = '', signature] = parts;
    if (header.length < 10 || (claims.length < 8 && parts.length < 5)) continue;
    if (signature === undefined && !/^ey[JI]/u.test(claims)) continue;
    found.push({ rule: 'jwt', start: index, end: done, least: header.length + claims.length + 2 });
  }
  return found;
}
