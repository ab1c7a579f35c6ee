import { assignmentsIn } from './kinds/assignments.ts';
import { binariesIn } from './kinds/binaries.ts';
import { encodedIn } from './text/encoded.ts';
import { publicParts, randomWordsIn } from './kinds/entropy.ts';
import { type SecretSpan, lastBegunBy } from './secret-span.ts';
import { addressesIn, credentialsIn, privateKeysIn } from './kinds/credentials.ts';
import { mixtureOf } from './values/made-up.ts';
import { namesIn } from './values/secret-names.ts';
import { presetIn } from './kinds/secretlint.ts';
import { tablesIn } from './kinds/tables.ts';
import { knownTokensIn } from './kinds/tokens.ts';
import { firstBreakBehind, goesOn, sourceOf, type TextView, viewsOf } from './text/views.ts';
import { longWordsIn } from './text/long-words.ts';

/** Long texts are read in pieces of so many characters; each is read with what stands before and behind it. */
const PIECE = 131_072;
const BEFORE = 8_192;
const BEHIND = 32_768;
/** Base64 within base64 is looked into so often. */
const DEPTH = 2;

/** A secret in a text; `value` is the secret itself, without escapes and line ends. */
export interface FoundSecret extends SecretSpan {
  value: string;
}

/**
 * Where secrets and binaries stand in a text, looked for in all of its views. `check` is called every now and then, and throws when the
 * time is up.
 */
export async function findSecrets(
  views: readonly TextView[],
  check: () => void,
  depth = 0,
): Promise<FoundSecret[]> {
  const found: FoundSecret[] = [];
  for (const view of views) {
    check();
    const names = namesIn(view.text);
    const here = [
      ...assignmentsIn(view.text, names),
      ...tablesIn(view, names),
      ...(await inPieces(view, check)),
      ...(await inWords(view, check, depth)),
    ];
    const known = here.filter(({ rule }) => rule !== 'high-entropy').sort((a, b) => a.start - b.start);
    for (const one of here) {
      if (one.start < view.margin || isOnlyJoinedTo(view.text, one, known)) continue;
      const cut = view.breaks.length === 0 ? one : endedAtBreak(view, one);
      const value = cut.inner ?? view.text.slice(cut.start, cut.end).replace(QUOTES_BEHIND, '');
      found.push({ ...cut, ...sourceOf(view, cut.start, cut.end), value });
    }
  }
  return found;
}

/** Tells whether a random word is a token that is known, with a path or a name joined before it: then only the token is taken out. */
function isOnlyJoinedTo(text: string, one: SecretSpan, known: readonly SecretSpan[]): boolean {
  if (one.rule !== 'high-entropy') return false;
  const token = lastBegunBy(known, one.end - 1);
  if (!token || token.start <= one.start || token.end < one.end) return false;
  const { digit, changes } = mixtureOf(text.slice(one.start, token.start));
  return digit === 0 || changes < 0.3;
}

async function inPieces({ text }: TextView, check: () => void): Promise<SecretSpan[]> {
  const found: SecretSpan[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    check();
    const offset = Math.max(0, at - BEFORE);
    const piece = text.slice(offset, at + PIECE + BEHIND);
    const here = [
      ...privateKeysIn(piece),
      ...addressesIn(piece),
      ...credentialsIn(piece),
      ...(await presetIn(piece)),
    ];
    for (const one of here) {
      const start = one.start + offset;
      if (start >= at && start < at + PIECE) found.push({ ...one, start, end: one.end + offset });
    }
  }
  return found;
}

/** What was decoded and is surely a text: with blanks, and nothing that nobody writes. */
const WRITTEN = /^(?=\S*\s)[\t\n\r -~]*$/u;

/** What is told by long words alone. */
async function inWords(view: TextView, check: () => void, depth: number): Promise<SecretSpan[]> {
  const words = longWordsIn(view.text);
  const encoded = encodedIn(words);
  const found: SecretSpan[] = knownTokensIn(words);
  if (depth < DEPTH) {
    for (const { texts, start, end } of encoded)
      for (const inner of texts) {
        check();
        for (const { rule, value } of await findSecrets(viewsOf(inner), check, depth + 1))
          found.push({ rule, start, end, least: end - start, inner: value });
      }
  }
  const guesses = [
    ...binariesIn(view, encoded),
    ...(depth === 0 || WRITTEN.test(view.text) ? randomWordsIn(view, words) : []),
  ];
  if (guesses.length === 0) return found;
  const harmless = [publicParts(view.text), encoded.filter(({ texts }) => texts.length > 0)];
  const isHarmless = (one: SecretSpan) =>
    harmless.some((parts) => one.end <= (lastBegunBy(parts, one.start)?.end ?? -2) + 2);
  return found.concat(guesses.filter((one) => !isHarmless(one)));
}

/** What closes a string in code; it is no part of the secret, which may stand elsewhere without. */
const QUOTES_BEHIND = /["'`]?[;,)]*$/u;

const NEXT_WORD = /[A-Za-z0-9_+/=.~-]*/uy;

/** A find in a view of joined lines without the lines that are not of it, however well they would fit. */
function endedAtBreak({ text, breaks }: TextView, one: SecretSpan): SecretSpan {
  for (let index = firstBreakBehind(breaks, one.start); (breaks[index] ?? one.end) < one.end; index += 1) {
    const at = breaks[index] ?? one.end;
    if (at - one.start < one.least) continue;
    NEXT_WORD.lastIndex = at;
    const run = NEXT_WORD.exec(text)?.[0] ?? '';
    const word = run.slice(0, Math.max(0, (breaks[index + 1] ?? Infinity) - at));
    if (!goesOn(word, text.slice(at + word.length, at + word.length + 3))) return { ...one, end: at };
  }
  return one;
}
