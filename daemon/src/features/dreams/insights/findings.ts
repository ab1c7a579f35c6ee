import {
  type Finding,
  type FindingKind,
  findingKinds,
  type InsightChange,
} from '@reverie/shared/contract/dreams/dreams';
import type { DreamMemory } from '../dream-memory.ts';
import type { Proposal, QuotedEvidence } from '../proposal.ts';

/** A memory that may be quoted. */
export type QuotableNote = Pick<DreamMemory, 'id' | 'key' | 'value' | 'time'>;

interface Reading {
  /** Answers nothing for what is not there, or may be no evidence. */
  noteOf: (key: string) => QuotableNote | undefined;
  /** Whether a note has this name: it needs no page. */
  isNamed: (name: string) => boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** How many memories, or sentences of whichever memories, a finding of a kind rests on at least. */
const NEEDS: Readonly<Record<FindingKind, { least: number; of: 'memories' | 'quotes' }>> = {
  disagree: { least: 2, of: 'memories' },
  twice: { least: 2, of: 'memories' },
  belongs_together: { least: 2, of: 'memories' },
  keeps_happening: { least: 3, of: 'quotes' },
  due: { least: 1, of: 'memories' },
  page: { least: 3, of: 'memories' },
};
/** One for all: a reader's own figure is worth nothing, and how sure which kind is nobody measured. */
const CONFIDENCE = 0.8;
/** Characters of what is said of a finding. */
const LONGEST = { title: 200, why: 1000, settle: 500 } as const;
/** Letters and figures of a quote: fewer stand in any note. */
const LEAST_LETTERS = 4;
const DAY = 86_400_000;
/** A day that no quote names the year of, in ms from now: overdue since a year, or due within two. */
const DUE = { before: 366 * DAY, after: 2 * 366 * DAY } as const;

/**
 * Makes a proposal of what a reader found, with those of its quotes that stand in their memories, as they stand there; else says why not, in
 * a sentence. What a reader says is text to show: nothing of it is done, or read as anything but text.
 */
export function toProposal(
  finding: Finding,
  { noteOf, isNamed, now }: Reading,
): { proposal: Proposal } | { why: string } {
  const { kind } = finding;
  const { evidence, notes } = standingIn(finding, noteOf);
  const { least, of } = NEEDS[kind];
  const count = of === 'quotes' ? evidence.length : notes.length;
  if (count < least) {
    const needed = `${kind} needs ${least} different ${of}, quoted letter by letter`;
    return {
      why: `${needed}; of the ${finding.evidence.length} quotes ${evidence.length} stand in their memories`,
    };
  }
  const title = plainLine(finding.title, LONGEST.title);
  if (title === '') return { why: 'The title says nothing' };
  if (kind === 'page' && isNamed(title)) return { why: 'A note of this name is there already' };
  const dueOn = kind === 'due' ? dueDay(finding.due_on, { evidence, now }) : undefined;
  if (kind === 'due' && dueOn === undefined)
    return {
      why: 'due_on must be the last day to act, from a year ago to two years ahead, or in a year that a quote names',
    };
  const change = kind === 'twice' ? mergeOf(notes) : undefined;
  return {
    proposal: {
      strategy: findingKinds[kind],
      title,
      body: [plainLine(finding.why, LONGEST.why), plainLine(finding.settle ?? '', LONGEST.settle)]
        .filter((line) => line !== '')
        .join('\n'),
      evidence,
      confidence: CONFIDENCE,
      ...(change && { change }),
      ...(dueOn !== undefined && { dueOn }),
      content: title,
    },
  };
}

/** The quotes that stand in their memories, each once, and those memories. */
function standingIn(
  { evidence }: Pick<Finding, 'evidence'>,
  noteOf: Reading['noteOf'],
): { evidence: QuotedEvidence[]; notes: QuotableNote[] } {
  const notes = new Map<string, QuotableNote>();
  const standing: QuotedEvidence[] = [];
  for (const [key, quotes] of Map.groupBy(evidence, (one) => one.key)) {
    const note = noteOf(key);
    if (!note) continue;
    const inNote = new Set(
      standingQuotes(
        note.value,
        quotes.map(({ quote }) => quote),
      ),
    );
    // What is part of another quote says nothing more.
    const whole = [...inNote].filter(
      (one) => ![...inNote].some((other) => other !== one && other.includes(one)),
    );
    if (whole.length > 0) notes.set(key, note);
    standing.push(...whole.map((sentence) => ({ key, sentence })));
  }
  return { evidence: standing, notes: [...notes.values()] };
}

/** Beyond so many units of a value a quote has to be the same to the letter: comparing costs time. */
const FORGIVEN = 65_536;

/** Quotes as they stand in a value: white space, the form of quotation marks and dashes, and composed letters may differ. */
function standingQuotes(value: string, quotes: readonly string[]): string[] {
  let folded: Folded | undefined;
  return quotes.flatMap((given) => {
    const quote = given.trim();
    if ((quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < LEAST_LETTERS) return [];
    if (value.includes(quote)) return [quote];
    if (value.length > FORGIVEN) return [];
    folded ??= foldedOf(value);
    return asItStands(value, folded, foldedOf(quote).text) ?? [];
  });
}

interface Folded {
  readonly text: string;
  /** Where each unit stands in the text that was folded; its length at the end. */
  readonly places: readonly number[];
}

function asItStands(value: string, { text, places }: Folded, quote: string): string | undefined {
  const from = text.indexOf(quote);
  if (from < 0) return undefined;
  const to = from + quote.length;
  // Never a part of a letter.
  const isInside = [from, to].some((place) => places[place] === places[place - 1]);
  return isInside ? undefined : value.slice(places[from], places[to]);
}

const DOUBLE = '"“”„‟«»″';
const SINGLE = "'’‘‚‛′`´";
const DASHES = '-‐‑‒–—―−';
/** A letter with its marks, or of Korean in its parts. */
const LETTER = '.[\\p{M}\\u1160-\\u11ff]+';
const APART = `\\s${DOUBLE}${SINGLE}\\${DASHES}`;
const PIECES = new RegExp(
  `(?<space>\\s+)|(?<double>[${DOUBLE}])|(?<single>[${SINGLE}])|(?<dash>[${DASHES}])|(?<letter>${LETTER})|[^${APART}]+?(?=$|[${APART}]|${LETTER})`,
  'gsu',
);

function foldedOf(text: string): Folded {
  let folded = '';
  const places: number[] = [];
  for (const { 0: piece, index, groups = {} } of text.matchAll(PIECES)) {
    const { space, double, single, dash, letter } = groups;
    const alike = space
      ? ' '
      : double
        ? '"'
        : single
          ? "'"
          : dash
            ? '-'
            : letter
              ? piece.normalize('NFC')
              : piece;
    folded += alike;
    // Of a run each unit has its place, of all else the place where it begins.
    for (let unit = 0; unit < alike.length; unit += 1) places.push(alike === piece ? index + unit : index);
  }
  places.push(text.length);
  return { text: folded, places };
}

/** Keeps the memory that says all of the others, else the newest, and hides the others behind it. */
function mergeOf(notes: readonly QuotableNote[]): InsightChange | undefined {
  const said = (one: QuotableNote) => one.value.replaceAll(/\s+/gu, ' ').trim().toLowerCase();
  const newest = [...notes].sort((a, b) => b.time - a.time || b.id - a.id);
  const [fullest] = newest.toSorted((a, b) => said(b).length - said(a).length);
  const isFuller = fullest && newest.every((one) => said(fullest).includes(said(one)));
  const keep = isFuller ? fullest : newest[0];
  return (
    keep && {
      kind: 'merge',
      keep: keep.key,
      hide: newest.filter((one) => one !== keep).map(({ key }) => key),
    }
  );
}

/** The day in milliseconds since 1970; undefined for what is no day, or none that anybody has to keep. */
function dueDay(
  day: string | undefined,
  { evidence, now }: { evidence: readonly QuotedEvidence[]; now: number },
): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/u.test(day ?? '') ? Date.parse(day ?? '') : NaN;
  const isNamed = evidence.some(({ sentence }) => sentence.includes((day ?? '').slice(0, 4)));
  const isDue = time >= now - DUE.before && (isNamed || time <= now + DUE.after);
  return isDue ? time : undefined;
}

/** On one line, without what turns the direction of writing or is shown by nothing. */
function plainLine(text: string, longest: number): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .trim()
    .slice(0, longest)
    .toWellFormed();
}
