import type { Claim } from './claim.ts';
import { kindOf } from './claims.ts';
import { conceptsOf, isLight, isSpecific, sharedConcepts } from './concepts.ts';
import { takesSides } from './near-text.ts';
import type { Reading } from './reading.ts';
import type { DreamView } from './strategy.ts';
import type { Value } from './values.ts';

/** Two claims that cannot both hold; `strength` 0..1 is how sure it is that both speak of the same. */
export interface Conflict {
  readonly older: Claim;
  readonly newer: Claim;
  readonly strength: number;
}

/** Values that are what the claim is about: who lives where needs no further word in common than who. */
const RELATIONS = new Set(['lives in', 'works at', 'is called', 'has the role', 'looked after by']);
const ENOUGH = 0.6;
const DAY = 86_400_000;

/** Claims of the same kind that share a rare term, compared; best first. */
export function conflictsOf(
  claims: readonly Claim[],
  reading: Reading,
  { view, isStopped, step }: { view: DreamView; isStopped: () => boolean; step: (done: number) => void },
): Conflict[] {
  const nominated = nominations(claims, reading);
  const names = new Set(claims.flatMap((claim) => [...claim.names]));
  const found: Conflict[] = [];
  for (const [index, claim] of claims.entries()) {
    if (index % 200 === 0) {
      if (isStopped()) break;
      step(index);
    }
    const near = new Map(view.neighbours(claim.sentence.of.memory.id, 12).map(({ id, rank }) => [id, rank]));
    for (const at of nominated(index)) {
      const other = claims[at];
      if (!other || isTogether(claim, other) || isAboutOthers(claim, other, names)) continue;
      const strength = strengthOf(claim, other, { reading, rank: near.get(other.sentence.of.memory.id) });
      if (strength < ENOUGH) continue;
      const isOlder = claim.sentence.of.memory.time <= other.sentence.of.memory.time;
      found.push({ older: isOlder ? claim : other, newer: isOlder ? other : claim, strength });
    }
  }
  return withoutSeries(
    found.sort(
      (a, b) => b.strength - a.strength || a.older.sentence.of.memory.id - b.older.sentence.of.memory.id,
    ),
  );
}

/** Later claims of the same kind that share two terms, or a rare one; terms of which every fifth memory speaks do not count. */
function nominations(claims: readonly Claim[], reading: Reading): (index: number) => number[] {
  const size = reading.memories.length;
  const rare = Math.max(6, size * 0.01);
  const common = Math.max(20, size * 0.2);
  const byTerm = new Map<string, number[]>();
  const keysOf = claims.map((claim) => {
    const kind = kindOf(claim);
    return [...subjectTerms(claim)]
      .filter((term) => reading.frequency(term) <= common)
      .map((term) => [`${kind}|${term}`, term] as const);
  });
  for (const [index, keys] of keysOf.entries())
    for (const [key] of keys) {
      const list = byTerm.get(key);
      if (list) list.push(index);
      else byTerm.set(key, [index]);
    }
  return (index) => {
    const counts = new Map<number, number>();
    for (const [key, term] of keysOf[index] ?? [])
      for (const other of byTerm.get(key) ?? [])
        if (other > index)
          counts.set(other, (counts.get(other) ?? 0) + (reading.frequency(term) <= rare ? 2 : 1));
    return [...counts].flatMap(([other, count]) => (count >= 2 ? [other] : []));
  };
}

/** In one memory, or one conversation: what is said later there is said knowing what was said before. */
function isTogether({ sentence: { of: a } }: Claim, { sentence: { of: b } }: Claim): boolean {
  return a === b || (a.memory.session !== null && a.memory.session === b.memory.session);
}

/** Written within these days, two claims were written knowing each other, unless the later one speaks of a change. */
const SAME_TIME = 7;
const CHANGE =
  /(?<!\p{L})(?:now|new|since|from today|from now on|as of|moved|switched|changed|instead|no longer|any ?more|replaced|again|correction|actually|postponed|brought forward|jetzt|neu|seit|statt|désormais|ahora)(?!\p{L})/iu;
/** What was planned, and what came of it, are two things. */
const PLANNED =
  /(?<!\p{L})(?:plan(?:s|ned)?|estimated?|expected?|budget|target|goal|forecast|should (?:take|need|cost|fit))(?!\p{L})/iu;

/** Whether two claims are of other things for reasons outside of their sentences: whose they are, when, or how sure. */
function isAboutOthers(a: Claim, b: Claim, names: ReadonlySet<string>): boolean {
  const [older, newer] = a.sentence.of.memory.time <= b.sentence.of.memory.time ? [a, b] : [b, a];
  const saysPlan = ({ sentence }: Claim) => PLANNED.test(`${sentence.of.memory.key} ${sentence.text}`);
  if (saysPlan(a) !== saysPlan(b)) return true;
  if (newer.sentence.of.day - older.sentence.of.day < SAME_TIME && !CHANGE.test(newer.sentence.text))
    return true;
  // `jonas-flat` is Jonas's flat: what never names him speaks of another one.
  const owner = (of: Claim, other: Claim) =>
    of.sentence.of.keyTerms.some((term) => names.has(term) && !other.sentence.of.terms.has(term));
  return owner(a, b) || owner(b, a);
}

function subjectTerms({ context, sentence }: Claim): Set<string> {
  return new Set([...context, ...sentence.of.keyTerms]);
}

/** 0 where two claims do not speak of the same, or say the same of it. */
export function strengthOf(
  a: Claim,
  b: Claim,
  { reading, rank }: { reading: Reading; rank: number | undefined },
): number {
  if (!differ(a, b)) return 0;
  const [subjectA, subjectB] = [subjectTerms(a), subjectTerms(b)];
  const shared = [...a.context].filter((term) => subjectB.has(term));
  const sharedBack = [...b.context].filter((term) => subjectA.has(term));
  const onlyA = [...a.context].filter((term) => !subjectB.has(term));
  const onlyB = [...b.context].filter((term) => !subjectA.has(term));
  const strangers = onlyA.some((term) => a.names.has(term)) && onlyB.some((term) => b.names.has(term));
  // Who is named in both may do it with whom he wants; where nobody is, two names are two people.
  if (strangers && !shared.some((term) => a.names.has(term) && b.names.has(term))) return 0;
  const sides = [onlyA.some(takesSides), onlyB.some(takesSides)];
  if (sides[0] && sides[1]) return 0;
  const weigh = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + reading.weight(term), 0);
  const keys = a.sentence.of.keyTerms.filter(
    (term) => b.sentence.of.keyTerms.includes(term) && !/^\d+$/u.test(term),
  );
  const common = new Set([...shared, ...sharedBack, ...keys]);
  if (shared.length + sharedBack.length === 0) return 0;
  const areBounds = a.isBound && b.isBound;
  const isClass = a.value.kind.startsWith('is ');
  const isNamed = areBounds || isClass || RELATIONS.has(a.value.kind) || sharedConcepts(a.context, b.context);
  if (!isSubject(common, reading, isNamed ? 1 : 2)) return 0;
  if (areTwins(a, b, { onlyA, onlyB })) return 0;
  const similar = similarity({
    shared: weigh(shared),
    sharedBack: weigh(sharedBack),
    onlyA: weigh(onlyA.filter((term) => tells(term, b))),
    onlyB: weigh(onlyB.filter((term) => tells(term, a))),
  });
  const qualified = [onlyA, onlyB].map((only, side) =>
    only.some((term) => (side === 0 ? a : b).qualifiers.has(term)),
  );
  const both = qualified[0] === true && qualified[1] === true;
  // Sentences alike but for `on the …` speak of two things, and of an exception where only one of them has it.
  if (both && similar >= 0.7) return 0;
  if (isException(onlyA, onlyB, b) || isException(onlyB, onlyA, a)) return 0;
  const hasLabel =
    a.label !== undefined &&
    b.label !== undefined &&
    (a.label === b.label || (b.context.has(a.label) && a.context.has(b.label)));
  const isCode = looksAlike(a.value.norm, b.value.norm) && sharedConcepts(a.context, b.context, CODES);
  if (a.value.kind === 'label' && !isCode && (!hasLabel || a.label === 'number')) return 0;
  if (RELATIONS.has(a.value.kind))
    return isOneSubject(a, b, reading) ? Math.min(0.9, 0.55 + similar * 0.4) : 0;
  const attribute = attributeOf(a, b, { hasLabel, areBounds });
  const subject =
    [...common].reduce(
      (sum, term) => sum + reading.weight(term) * (conceptsOf(term) || term === a.label ? 0.5 : 1),
      0,
    ) / Math.log(reading.memories.length + 2);
  const malus = (both ? 0.12 : qualified[0] || qualified[1] ? 0.08 : 0) + (sides[0] || sides[1] ? 0.2 : 0);
  // `npm` or `pnpm` says by itself what it is a value of, however long the sentence.
  const near = rank === undefined ? 0 : rank <= 3 ? 0.12 : 0.05;
  const strength =
    0.22 * Math.min(subject, 2.2) +
    0.5 * attribute +
    0.5 *
      (Math.max(
        similar,
        isClass || a.value.kind === 'port' || sharedConcepts(a.context, b.context) ? 0.27 : 0,
      ) -
        0.35) +
    near -
    (isClass ? malus / 2 : malus);
  return Math.max(0, Math.min(0.98, strength));
}

/**
 * Whether the same word is told apart: `front door` and `side door`, `the tracker's port` and `the printer's`, `the gym` and `the gym's pool`.
 */
function areTwins(
  a: Claim,
  b: Claim,
  { onlyA, onlyB }: { onlyA: readonly string[]; onlyB: readonly string[] },
): boolean {
  const compoundsA = compoundsOf(a);
  const compoundsB = compoundsOf(b);
  if (
    compoundsA.some((one) => !compoundsB.includes(one) && compoundsB.some((other) => areSisters(one, other)))
  )
    return true;
  const [besideA, besideB] = [neighboursOf(a, onlyA), neighboursOf(b, onlyB)];
  for (const [shared, { before, after, owned }] of besideA) {
    const other = besideB.get(shared);
    if (other && ((before && other.before) || (after && other.after))) return true;
    if (owned && b.context.has(shared)) return true;
  }
  return [...besideB].some(([shared, { owned }]) => owned && a.context.has(shared));
}

const COMPOUND = /\p{L}{2,}(?:[-_]\p{L}{2,})+/gu;

function compoundsOf({ sentence }: Claim): readonly string[] {
  return sentence.text.toLowerCase().match(COMPOUND) ?? [];
}

/** `kiln-docs` and `kiln-infra`. */
function areSisters(one: string, other: string): boolean {
  return one !== other && one.split(/[-_]/u)[0] === other.split(/[-_]/u)[0];
}

/** Words of only this claim that stand right before or after a word, and what a word owns. */
function neighboursOf(
  { sentence }: Claim,
  only: readonly string[],
): Map<string, { before: boolean; after: boolean; owned: boolean }> {
  const beside = new Map<string, { before: boolean; after: boolean; owned: boolean }>();
  const { tokens, text } = sentence;
  for (const [index, token] of tokens.entries()) {
    if (!token.says || only.includes(token.term)) continue;
    const [left, right] = [tokens[index - 1], tokens[index + 1]];
    const isBare = (from: number, to: number) => /^[\s-]*$/u.test(text.slice(from, to));
    const before =
      left !== undefined &&
      only.includes(left.term) &&
      left.shape !== 'number' &&
      isBare(left.end, token.start) &&
      !isVerbLike(left.text);
    const follows =
      right !== undefined &&
      only.includes(right.term) &&
      !conceptsOf(right.term) &&
      isBare(token.end, right.start);
    const owned = tokens.length <= 8 && follows && /['’]s$/u.test(token.text) && token.shape !== 'name';
    const after = follows && !isVerbLike(right.text);
    if (before || after || owned) beside.set(token.term, { before, after, owned });
  }
  return beside;
}

function isVerbLike(word: string): boolean {
  return (
    /(?:[^s]s|ed|ing|en)$/u.test(word) ||
    /^(?:takes?|costs?|come|gets?|runs?|goes|went|ran|came|keep|use|put|set)$/u.test(word)
  );
}

/** Whether one claim says what the other does, and where else it holds: `On the lab cluster …`. */
function isException(only: readonly string[], onlyOther: readonly string[], other: Claim): boolean {
  return only.length === 0 && onlyOther.length > 0 && onlyOther.every((term) => other.qualifiers.has(term));
}

/** 0..1: how sure it is that two values are values of the same attribute. */
function attributeOf(
  a: Claim,
  b: Claim,
  { hasLabel, areBounds }: { hasLabel: boolean; areBounds: boolean },
): number {
  const { kind } = a.value;
  const ofKind = /^is (?:part of day|colour|room|side)$/u.test(kind)
    ? 0.25
    : kind.startsWith('is ')
      ? 0.78
      : /^(?:quantity|count|money|floor|frequency|secret|port)/u.test(kind)
        ? 0.45
        : kind === 'label'
          ? a.label === 'number' || b.label === 'number'
            ? -0.2
            : 0.15
          : 0.3;
  const concepts = kind === 'port' || sharedConcepts(a.context, b.context);
  return Math.min(0.9, ofKind + (hasLabel ? 0.2 : 0) + (areBounds ? 0.25 : 0) + (concepts ? 0.35 : 0));
}

/** Of a relation, the one who has it must be the same: the last name before the value, or the same role of the same thing. */
function isOneSubject(a: Claim, b: Claim, reading: Reading): boolean {
  const shared = [...a.context].filter((term) => b.context.has(term));
  const few = Math.max(4, reading.memories.length * 0.01);
  if (a.value.kind === 'has the role' || a.value.kind === 'looked after by' || a.value.kind === 'is called')
    return shared.filter((term) => reading.frequency(term) <= few).length >= 1 && shared.length >= 2;
  return shared.some((term) => a.names.has(term) && b.names.has(term));
}

/** Whether a word that the other claim lacks says something: words of an attribute that both name do not. */
function tells(term: string, other: Claim): boolean {
  const concepts = conceptsOf(term);
  return !isLight(term) && !(concepts && sharedConcepts(new Set([term]), other.context));
}

/** The share of their words, by weight, that two claims have in common; a short one may stand wholly in a long one. */
function similarity(of: { shared: number; sharedBack: number; onlyA: number; onlyB: number }): number {
  const whole = (of.shared + of.sharedBack) / (of.shared + of.sharedBack + of.onlyA + of.onlyB || 1);
  const contained = Math.max(
    of.shared / (of.shared + of.onlyA || 1),
    of.sharedBack / (of.sharedBack + of.onlyB || 1),
  );
  return Math.max(whole, contained * 0.75);
}

/** Terms that tell enough together to be a subject: one rare one, or a frequent one (a person, a project) with another. */
function isSubject(common: ReadonlySet<string>, reading: Reading, least: number): boolean {
  const few = Math.max(4, reading.memories.length * 0.008);
  const terms = [...common].filter((term) => !isLight(term));
  const specific = terms.filter(isSpecific);
  if (specific.length === 0 || terms.length < least) return false;
  const weigh = (of: readonly string[]) =>
    of.reduce((sum, term) => sum + reading.weight(term), 0) / Math.log(reading.memories.length + 2);
  return (
    specific.some((term) => reading.frequency(term) <= few) ||
    weigh(least === 1 ? specific : terms) >= (least === 1 ? 0.5 : 0.8)
  );
}

/** Whether the values differ, and neither sentence speaks of the other's value as well. */
function differ(a: Claim, b: Claim): boolean {
  if (a.value.norm === b.value.norm || kindOf(a) !== kindOf(b)) return false;
  if (has(a, b.value) || has(b, a.value) || areFarApart(a.value, b.value)) return false;
  if (a.value.kind === 'date') return datesDiffer(a, b);
  // A time of one day says nothing of another day, nor of every day.
  return (
    (a.value.kind !== 'time' && a.value.kind !== 'weekday') ||
    ((a.date === undefined) === (b.date === undefined) && (a.date === b.date || a.date === undefined))
  );
}

function has({ others, sentence }: Claim, { kind, norm }: Value): boolean {
  if (others.has(norm)) return true;
  return kind.startsWith('is ') || norm.length > 2
    ? new RegExp(
        `(?<![\\p{L}\\p{N}])${norm.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')}(?![\\p{L}\\p{N}])`,
        'iu',
      ).test(sentence.text)
    : false;
}

/** Two values of one thing are hardly ever twenty times apart; seconds and months are of two things. */
function areFarApart(a: Value, b: Value): boolean {
  if (!/^(?:quantity|count|money)/u.test(a.kind)) return false;
  const [x, y] = [Number.parseFloat(a.norm), Number.parseFloat(b.norm)];
  return x > 0 && y > 0 && Math.max(x, y) / Math.min(x, y) > 20;
}

/** Dates of one event: close to each other, and both still to come when they were written down. */
function datesDiffer(a: Claim, b: Claim): boolean {
  if (a.value.norm.slice(0, 5) === b.value.norm.slice(0, 5))
    return a.value.norm.length === b.value.norm.length;
  const [at, other] = [timeOf(a), timeOf(b)];
  if (a.isEnd !== b.isEnd && !sharedConcepts(a.context, b.context, BIRTH)) return false;
  return sharedConcepts(a.context, b.context, DATED) || Math.abs(at - other) <= 31 * DAY;
}

/** Attributes that are one date: two of them differ however far apart they are. */
const BIRTH = new Set(['birth']);
const DATED = new Set(['birth', 'due', 'start', 'meeting']);

function timeOf({ value, sentence }: Claim): number {
  const [month = '1', day = '1', year] = value.norm.split('-');
  return Date.UTC(
    Number(year ?? new Date(sentence.of.memory.time).getUTCFullYear()),
    Number(month) - 1,
    Number(day),
  );
}

const CODES = new Set(['code', 'port', 'phone', 'secret']);

/** Codes and ports are as long as each other. */
function looksAlike(a: string, b: string): boolean {
  return a.length === b.length && a.length >= 3;
}

/**
 * The best conflict of each claim; none where three others and more give other values and come as close, for that is a series, or a list of
 * similar things.
 */
function withoutSeries(sorted: readonly Conflict[]): Conflict[] {
  const beside = new Map<Claim, Conflict[]>();
  for (const conflict of sorted)
    for (const claim of [conflict.older, conflict.newer])
      beside.set(claim, [...(beside.get(claim) ?? []), conflict]);
  const isSeries = (claim: Claim): boolean => {
    const [best, ...others] = beside.get(claim) ?? [];
    const close = others.filter(({ strength }) => best !== undefined && strength >= best.strength - 0.1);
    const values = [best, ...close].flatMap((conflict) =>
      conflict ? [conflict.older.value.norm, conflict.newer.value.norm] : [],
    );
    return new Set(values).size > 3;
  };
  const taken = new Set<string>();
  return sorted.filter(({ older, newer }) => {
    const ids = [older, newer].map((claim) => `${claim.sentence.of.memory.id} ${kindOf(claim)}`);
    if (ids.some((id) => taken.has(id)) || isSeries(older) || isSeries(newer)) return false;
    for (const id of ids) taken.add(id);
    return true;
  });
}
