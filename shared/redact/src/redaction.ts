import { PRIVATE_TEXT } from './kinds/private-text.ts';
import { withoutMarks } from './kinds/assignments.ts';
import { type FoundSecret, findSecrets } from './find-secrets.ts';
import { mixtureOf } from './values/made-up.ts';
import { isSpeakable } from './values/secret-value.ts';
import { namesIn } from './values/secret-names.ts';
import { tablesIn } from './kinds/tables.ts';
import { plainView, sourceOf, type TextView, viewsOf } from './text/views.ts';

/** Texts of more characters than this are not looked at, and so do not leave. */
export const LONGEST_TEXT = 1_048_576;
/** How long one text may take, in ms. Ordinary ones of the greatest length take a tenth of it. */
const TIME = 10_000;
/** What was taken out is looked at again, so often at the most. */
const ROUNDS = 6;

/** Says why a text could not be looked at: whoever shares it then withholds it. */
export class NotLookedAt extends Error {
  readonly why: 'too_large' | 'unreadable';

  constructor(why: NotLookedAt['why'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotLookedAt';
    this.why = why;
  }
}

/** A text without its secrets, and which rules found one; binaries are taken out, too, and not counted. */
export interface Redacted {
  text: string;
  findings: readonly { rule: string }[];
}

interface Span {
  start: number;
  end: number;
  rule: string;
}

/** Of two rules that found the same, the one that says more is named. */
function rank(rule: string): number {
  const order = ['private', 'private-key'].indexOf(rule);
  if (order >= 0) return order;
  const last = ['authorization', 'cookie', 'password', 'api-key', 'binary', 'high-entropy'].indexOf(rule);
  return last < 0 ? 2 : 3 + last;
}

function merged(found: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { start, end, rule } of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const before = spans.at(-1);
    if (before === undefined || start >= before.end) spans.push({ start, end, rule });
    else {
      before.end = Math.max(before.end, end);
      if (rank(rule) < rank(before.rule)) before.rule = rule;
    }
  }
  return spans;
}

function replaced(text: string, { rule, start, end }: Span): string {
  if (rule !== 'binary') return `[REDACTED:${rule}]`;
  const characters = text.slice(start, end).replaceAll(/[^A-Za-z0-9+/_-]/gu, '').length;
  return `[binary, ${Math.floor((characters * 3) / 4)} bytes]`;
}

/** Tells whether a value is so much of its own that it is the same secret wherever else it stands. */
function isItsOwn(value: string): boolean {
  if (value.length > 4096) return false;
  const { digit, changes } = mixtureOf(value);
  const words = value.match(/\p{L}{3,}/gu)?.length ?? 0;
  if (/\s/u.test(value)) return words >= 4;
  if (/^\p{Ll}+(?:[-_.+]\p{Ll}+){3,}$/u.test(value)) return words >= 4;
  if (value.length >= 12) return digit > 0 || changes >= 0.3;
  return value.length >= 8 && digit > 0 && (changes >= 0.2 || !isSpeakable(value));
}

const NOT_REMEMBERED = new Set(['private', 'private-key', 'binary', 'cookie']);

/** Values to look for elsewhere, by their rule: as they were found, and without the marks of a sentence or of a list. */
function remembered(found: readonly FoundSecret[]): [value: string, rule: string][] {
  return found.flatMap(({ rule, value }) => {
    if (NOT_REMEMBERED.has(rule)) return [];
    const forms = new Set([value, withoutMarks(value), value.trim()]);
    return [...forms].filter(isItsOwn).map((form): [string, string] => [form, rule]);
  });
}

/** The middle of a value in base64, once for each place of three at which it may begin there. */
function inBase64(value: string): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.from('\0'.repeat(shift) + value);
    const whole = bytes.length - (bytes.length % 3);
    const text = bytes.toString('base64').slice(shift === 0 ? 0 : 4, (whole / 3) * 4);
    return text.length >= 12 ? [text] : [];
  });
}

/** Where values that were found in one place stand in others, bare or in base64. */
function repeatsOf(
  values: ReadonlyMap<string, string>,
  views: readonly TextView[],
  check: () => void,
): Span[] {
  const spans: Span[] = [];
  for (const [value, rule] of values) {
    check();
    for (const form of [value, ...inBase64(value)])
      for (const view of views)
        for (let at = view.text.indexOf(form); at >= 0; at = view.text.indexOf(form, at + form.length))
          spans.push({ rule, ...sourceOf(view, at, at + form.length) });
  }
  return spans;
}

/** What is between the marks of a person, escaped or not. */
function privateIn(text: string): Span[] {
  return text
    .matchAll(PRIVATE_TEXT)
    .map((match) => ({ rule: 'private', start: match.index, end: match.index + match[0].length }))
    .toArray();
}

/** How a text is looked at: `now` tells ms, so that a text which takes too long is not waited for. */
interface TimeBudget {
  now: () => number;
  /** Ms that one text may take. */
  time: number;
}

/** The usual way to look at a text: with the clock of this machine, and for at most ten seconds. */
const PATIENT: TimeBudget = { now: () => performance.now(), time: TIME };

/** Returns what throws as soon as the time of a text is up. */
function deadlineOf({ now, time }: TimeBudget): () => void {
  const until = now() + time;
  return () => {
    if (now() > until) throw new NotLookedAt('unreadable', `A text was not looked through within ${time} ms`);
  };
}

async function lookedAt(redacted: Redacted, check: () => void) {
  const views = viewsOf(redacted.text);
  return { ...redacted, views, found: await findSecrets(views, check) };
}

/** Settings of a redaction. */
export interface Looking {
  looking?: TimeBudget;
  /** Secrets that were named elsewhere, each with the rule that found it. */
  known?: ReadonlyMap<string, string>;
}

/** Takes secrets and binaries out of texts that belong together: what is found in one, or is known, is taken out of the others, too. */
export async function redactAll(
  texts: readonly string[],
  { looking = PATIENT, known = new Map() }: Looking = {},
): Promise<Redacted[]> {
  if (texts.some((text) => text.length > LONGEST_TEXT))
    throw new NotLookedAt('too_large', `A text is longer than ${LONGEST_TEXT} characters`);
  const check = deadlineOf(looking);
  const looked = await Promise.all(texts.map((text) => lookedAt({ text, findings: [] }, check)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const values = new Map([...known, ...looked.flatMap(({ found }) => remembered(found))]);
    let changed = false;
    for (const [at, { text, findings, views, found }] of looked.entries()) {
      const spans = merged([...privateIn(text), ...found, ...repeatsOf(values, views, check)]);
      if (spans.length === 0) continue;
      changed = true;
      const counted = spans.filter(({ rule }) => rule !== 'binary').map(({ rule }) => ({ rule }));
      const next = { text: withoutSpans(text, spans), findings: [...findings, ...counted] };
      looked[at] = await lookedAt(next, check);
    }
    if (!changed) return looked.map(({ text, findings }) => ({ text, findings }));
  }
  throw new NotLookedAt('unreadable', `Secrets were still found after ${ROUNDS} rounds`);
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let read = 0;
  for (const span of spans) {
    pieces.push(text.slice(read, span.start), replaced(text, span));
    read = span.end;
  }
  return pieces.join('') + text.slice(read);
}

/**
 * Takes secrets and binaries out of one text. It throws `NotLookedAt` where the text is too long or takes too long.
 * What comes out was looked at again, and nothing more was found in it.
 */
export async function redact(text: string, looking: TimeBudget = PATIENT): Promise<Redacted> {
  const [redacted] = await redactAll([text], { looking });
  if (!redacted) throw new NotLookedAt('unreadable', 'No text came back');
  return redacted;
}

/** So much before a name and behind it is looked at for its value. */
const AROUND = { before: 512, behind: 2_048 };

/**
 * The secrets that are named in a text, each with its rule: quicker than looking through it all, for only what stands around names is looked
 * at. Tokens that are told by themselves are found wherever they stand, and not among them.
 */
export async function namedSecrets(text: string): Promise<[string, string][]> {
  const check = deadlineOf(PATIENT);
  const names = namesIn(text);
  const windows: { start: number; end: number }[] = [];
  for (const { index, end } of names) {
    const last = windows.at(-1);
    const start = Math.max(0, index - AROUND.before);
    if (last && start <= last.end) last.end = end + AROUND.behind;
    else windows.push({ start, end: end + AROUND.behind });
  }
  const found: FoundSecret[] = tablesIn(plainView(text), names).map((span) => ({
    ...span,
    value: text.slice(span.start, span.end),
  }));
  for (const { start, end } of windows) {
    const part = text.slice(start, end);
    const here = await findSecrets(viewsOf(part), check);
    // What touches the border of what is looked at may be a part of something longer.
    found.push(
      ...here.filter(
        (one) => (one.start > 0 || start === 0) && (one.end < part.length || end >= text.length),
      ),
    );
  }
  return remembered(found);
}
