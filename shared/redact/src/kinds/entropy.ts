import { listed } from '../word-lists.ts';
import type { SecretSpan } from '../secret-span.ts';
import { isMadeUp, mixtureOf } from '../values/made-up.ts';
import { firstBreakBehind, goesOn, type TextView } from '../text/views.ts';
import type { Word } from '../text/long-words.ts';

const RUN = /[A-Za-z0-9+/_=-]{32,}/gu;
/** Certificates, public keys, signatures and requests: the lines between such marks are public. */
const PUBLIC =
  /-----BEGIN (?:CERTIFICATE|CERTIFICATE REQUEST|NEW CERTIFICATE REQUEST|TRUSTED CERTIFICATE|X509 CRL|PKCS7|CMS|(?:RSA |EC |DSA )?PUBLIC KEY|PGP PUBLIC KEY BLOCK|PGP SIGNATURE|SSH SIGNATURE|DH PARAMETERS|EC PARAMETERS)-----[^-]{0,15000}-----END/gu;
const PUBLIC_KEY =
  /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh|ecdsa)[\w.@-]{1,40})[ \t]+AAAA[A-Za-z0-9+/=]{20,2000}/gu;

const HARMLESS_BEFORE = listed('harmless-before');
const ASSET = new RegExp(`^\\.(?:[a-z0-9]{1,12}\\.)?(?:${listed('asset-endings').join('|')})\\b`, 'u');

/** Parts of a text in which everything is public, in order. */
export function publicParts(text: string): { start: number; end: number }[] {
  return [...text.matchAll(PUBLIC), ...text.matchAll(PUBLIC_KEY)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
    .sort((a, b) => a.start - b.start);
}

/** How many neighbours have to be of two classes, by how many groups of digits a word has: names have words, and words have few. */
const LEAST_CHANGES = [0.45, 0.42, 0.36, 0.3];

/** Tells whether letters of both cases and digits are mixed as nobody writes them. */
function looksRandom(text: string): boolean {
  const { upper, lower, digit, changes, distinct } = mixtureOf(text);
  if (upper + lower + digit < text.length * 0.8 || upper < 2 || lower < 2) return false;
  if (distinct < Math.min(16, text.length * 0.4)) return false;
  if (digit === 0 && text.length < 40) return false;
  const groups = text.match(/\d+/gu)?.length ?? 0;
  return changes >= (LEAST_CHANGES[groups] ?? 0.27);
}

/** What a run is, without what is joined to it by a slash or `=` and is ordinary: `path/to/RANDOM`, `key=RANDOM`. */
function* partsOf(run: string): Generator<{ part: string; offset: number }> {
  yield { part: run, offset: 0 };
  for (const separator of ['=', '/', '_', '-']) {
    if (!run.includes(separator)) continue;
    let offset = 0;
    for (const part of run.split(separator)) {
      if (part.length >= 32) yield { part, offset };
      offset += part.length + 1;
    }
  }
}

function isHarmless(text: string, start: number, end: number): boolean {
  const before = text
    .slice(Math.max(0, start - 48), start)
    .toLowerCase()
    .replace(/(?:\bw\/|["'`\s:=\-([{/])+$/u, '');
  if (HARMLESS_BEFORE.some((word) => before.endsWith(word))) return true;
  return ASSET.test(text.slice(end, end + 20));
}

/** What stands before the first word of a line that begins it all the same: the mark of a list, a quote, a number. */
const BEGINNING = /(?:^|\n)[\s\-*+|>#"'`\d.)→:]*$/u;

/** The pieces of a run that is joined of several lines, as one; undefined where they are a list of ids or ordinary words. */
function joinedOf(
  { text, breaks }: TextView,
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  const cuts = [start];
  for (let index = firstBreakBehind(breaks, start); (breaks[index] ?? end) < end; index += 1)
    cuts.push(breaks[index] ?? end);
  cuts.push(end);
  if (cuts.length === 2) return undefined;
  let [first, last] = [0, cuts.length - 1];
  const piece = (at: number) => text.slice(cuts[at], cuts[at + 1]);
  while (first < last && !goesOn(piece(first), '')) first += 1;
  while (last > first && !goesOn(piece(last - 1), text.slice(cuts[last], (cuts[last] ?? 0) + 3))) last -= 1;
  if (last - first < 2) return undefined;
  const from = cuts[first] ?? start;
  const sizes = new Set(Array.from({ length: last - first }, (_, at) => piece(first + at).length));
  if (first > 0 && sizes.size === 1) return undefined;
  if (sizes.size === 1 && BEGINNING.test(text.slice(Math.max(0, from - 32), from))) return undefined;
  return { start: from, end: cuts[last] ?? end };
}

function runsOf(word: Word): { start: number; end: number }[] {
  return word.text
    .matchAll(RUN)
    .map(({ index, 0: run }) => ({ start: word.start + index, end: word.start + index + run.length }))
    .toArray();
}

/** Long random words that no maker's token is known to look like. Hashes in hexadecimal, public keys and the like are left out. */
export function randomWordsIn(view: TextView, words: readonly Word[]): SecretSpan[] {
  const { text, breaks } = view;
  const found: SecretSpan[] = [];
  for (const bounds of words.flatMap(runsOf)) {
    // In a view of joined lines only what is joined is new.
    const run = breaks.length === 0 ? bounds : joinedOf(view, bounds.start, bounds.end);
    if (!run) continue;
    for (const { part, offset } of partsOf(text.slice(run.start, run.end))) {
      if (!looksRandom(part) || isMadeUp(part)) continue;
      const start = run.start + offset;
      const end = start + part.length;
      if (!isHarmless(text, start, end) && !isHarmless(text, run.start, run.end))
        found.push({ rule: 'high-entropy', start, end, least: part.length });
      break;
    }
  }
  return found;
}
