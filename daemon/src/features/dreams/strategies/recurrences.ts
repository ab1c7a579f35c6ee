import { marksOf } from './marks.ts';
import { tellsOccasion } from './occasions.ts';
import type { Reading, ReadMemory, ReadSentence } from './reading.ts';
import { isSymptom, troubleOf } from './troubles.ts';

/** Something that happened at least three times, on different days. */
export interface Recurrence {
  /** The terms that its occasions share, the one that tells most first. */
  readonly terms: readonly string[];
  /** By day; one a day. */
  readonly occasions: readonly Occasion[];
  readonly strength: number;
}

export interface Occasion {
  readonly of: ReadMemory;
  readonly sentence: ReadSentence;
  readonly says: ReadonlySet<string>;
  readonly troubles: ReadonlySet<string>;
  readonly isAgain: boolean;
  readonly isReading: boolean;
}

const PAST =
  /(?:^|[^\p{L}])(?:\p{L}{2,}ed|was|were|had|went|came|got|took|lost|left|broke|fell|felt|woke|ran|said|found|sent|made|did|gave|began|hit|shut|hung|froze|died|forgot|missed|rang|slept|ate|spent|stood|met|saw|threw|drove|paid|bought|kept|swam|wrote|won|blew|burst|stuck|gestern|war|hatte|ging|musste|kam)(?![\p{L}])/iu;
/** `on Thursday` was one of them, `on Thursdays` is all. */
const ON_DAY = /\b(?:on|last|am) (?:mon|tues|wednes|thurs|fri|satur|sun)day(?!s)\b/iu;
const TIMELESS =
  /^(?:if|when|whenever|to|always|never|how to|remember|note:|rule:|todo|please|use|run|check)\b/iu;
const LEAST = 3;
/** Two terms of which every second memory has one recur by chance. */
const COMMON = 0.04;

/** What a memory tells of as having happened; undefined where it tells how things are. */
export function occasionOf(memory: ReadMemory): Occasion | undefined {
  const isError = memory.memory.class === 'error' || /^error/iu.test(memory.memory.key);
  const told = memory.sentences.filter(({ text }) => {
    const { question, hypothetical, plan } = marksOf(text);
    return !question && !hypothetical && !plan && !TIMELESS.test(text);
  });
  const events = told.filter(
    ({ text, tokens }) =>
      isError ||
      tellsOccasion(text) ||
      ON_DAY.test(text) ||
      PAST.test(text) ||
      tokens.some(({ term }) => troubleOf(term) !== undefined),
  );
  const [first] = events;
  if (!first || memory.sentences.length > 12) return undefined;
  // What a long text says beside its events is no part of them.
  const kept = memory.sentences.length > 3 ? events : told;
  const says = new Set([
    ...memory.keyTerms.filter((term) => !/^\d+$/u.test(term)),
    ...kept.flatMap(({ tokens }) =>
      tokens.flatMap(({ says: tells, shape, term }) => (tells && shape !== 'number' ? [term] : [])),
    ),
  ]);
  const troubles = new Set([...says].flatMap((term) => troubleOf(term) ?? []));
  return {
    of: memory,
    sentence: events.find(({ tokens }) => tokens.some(({ term }) => troubleOf(term) !== undefined)) ?? first,
    says,
    troubles,
    isAgain: kept.some(({ text }) => tellsOccasion(text) || ON_DAY.test(text)),
    isReading: marksOf(first.text).reading && troubles.size === 0,
  };
}

/** What recurs in a namespace, best first; no two of them rest on mostly the same occasions. */
export function recurrencesOf(
  reading: Reading,
  { isStopped, step }: { isStopped: () => boolean; step: (done: number) => void },
): Recurrence[] {
  const occasions = reading.memories.flatMap((memory) => occasionOf(memory) ?? []);
  const byTerm = new Map<string, Occasion[]>();
  for (const occasion of occasions)
    for (const term of occasion.says) {
      const list = byTerm.get(term);
      if (list) list.push(occasion);
      else byTerm.set(term, [occasion]);
    }
  const most = Math.max(12, reading.memories.length * COMMON);
  const found: Recurrence[] = [];
  let done = 0;
  for (const [term, having] of byTerm) {
    done += 1;
    if (done % 200 === 0) {
      if (isStopped()) break;
      step(done / byTerm.size);
    }
    if (having.length < LEAST || having.length > most || reading.frequency(term) > most) continue;
    found.push(...recurrencesWith(term, having, reading));
  }
  found.sort((a, b) => b.strength - a.strength || (a.terms.join(' ') < b.terms.join(' ') ? -1 : 1));
  return withoutRepeats(found).map((one) => extended(one, { byTerm, reading }));
}

/** With the occasions that are told in other words, but share two rare terms of what the others share. */
function extended(
  one: Recurrence,
  { byTerm, reading }: { byTerm: ReadonlyMap<string, readonly Occasion[]>; reading: Reading },
): Recurrence {
  const most = Math.max(8, reading.memories.length * 0.02);
  const counts = new Map<string, number>();
  for (const { says } of one.occasions)
    for (const term of says) counts.set(term, (counts.get(term) ?? 0) + 1);
  const shared = [...counts].flatMap(([term, n]) =>
    n * 3 >= one.occasions.length * 2 && reading.frequency(term) <= most ? [term] : [],
  );
  const days = new Set(one.occasions.map(({ of }) => of.day));
  const more = new Map<number, Occasion>();
  for (const term of shared)
    for (const occasion of byTerm.get(term) ?? [])
      if (
        !days.has(occasion.of.day) &&
        !occasion.isReading &&
        shared.filter((other) => occasion.says.has(other)).length >= 2
      )
        more.set(occasion.of.day, occasion);
  return { ...one, occasions: [...one.occasions, ...more.values()].sort((a, b) => a.of.day - b.of.day) };
}

function recurrencesWith(term: string, having: readonly Occasion[], reading: Reading): Recurrence[] {
  const found: (Recurrence | undefined)[] = [];
  if (isSymptom(term))
    found.push(
      recurrence(
        [term],
        having.filter(({ isReading }) => !isReading),
        { reading, bonus: 0.5 },
      ),
    );
  const troubles = new Set(having.flatMap(({ troubles }) => [...troubles]));
  for (const trouble of troubles) {
    if (troubleOf(term) !== undefined) continue;
    const of = having.filter(
      (occasion) => occasion.troubles.has(trouble) && isTold(occasion, { term, trouble }),
    );
    // What is mostly told of for other reasons is a topic that sometimes fails.
    if (of.length * 2 >= reading.frequency(term))
      found.push(recurrence([term, `!${trouble}`], of, { reading, bonus: 0.35 }));
  }
  const others = new Map<string, number>();
  for (const { says } of having) for (const other of says) others.set(other, (others.get(other) ?? 0) + 1);
  for (const [other, count] of others)
    if (
      other > term &&
      count >= LEAST &&
      reading.frequency(other) <= Math.max(16, reading.memories.length * COMMON * 2)
    ) {
      const of = having.filter(({ says }) => says.has(other));
      found.push(recurrence([term, other], of, { reading, bonus: 0 }));
    }
  return found.filter((one) => one !== undefined);
}

/** Of a long memory, one sentence must say both what and what went wrong. */
function isTold({ of }: Occasion, { term, trouble }: { term: string; trouble: string }): boolean {
  return (
    of.sentences.length <= 2 ||
    of.sentences.some(
      ({ tokens }) =>
        tokens.some((token) => troubleOf(token.term) === trouble) &&
        (of.keyTerms.includes(term) || tokens.some((token) => token.term === term)),
    )
  );
}

/** The sentence of an occasion that tells most of what it shares with the others. */
export function tellingSentence({ of, sentence }: Occasion, terms: readonly string[]): string {
  const has = (wanted: string, term: string) =>
    wanted.startsWith('!') ? troubleOf(term) === wanted.slice(1) : term === wanted;
  let best = { text: sentence.text, count: 0 };
  for (const { text, tokens } of of.sentences) {
    const count = terms.filter((wanted) => tokens.some(({ term }) => has(wanted, term))).length;
    if (count > best.count) best = { text, count };
  }
  return best.text;
}

function recurrence(
  terms: readonly string[],
  all: readonly Occasion[],
  { reading, bonus }: { reading: Reading; bonus: number },
): Recurrence | undefined {
  const occasions = [
    ...new Map(all.toReversed().map((occasion) => [occasion.of.day, occasion])).values(),
  ].sort((a, b) => a.of.day - b.of.day);
  if (occasions.length < LEAST) return undefined;
  const sessions = new Set(occasions.map(({ of: { memory } }) => memory.session ?? memory.id));
  const count = occasions.length;
  if (sessions.size < LEAST) return undefined;
  const share = (test: (occasion: Occasion) => boolean) => occasions.filter(test).length / count;
  const readings = share(({ isReading }) => isReading);
  if (readings > 0.5) return undefined;
  const again = share(({ isAgain }) => isAgain);
  const alike = likeness(occasions, reading);
  const sameTrouble = [...new Set(occasions.flatMap(({ troubles }) => [...troubles]))].some(
    (trouble) => share(({ troubles }) => troubles.has(trouble)) >= 0.75,
  );
  if (bonus === 0 && again < 0.3 && !sameTrouble) return undefined;
  const weekday = sameWeekday(occasions) ? 0.15 : 0;
  const strength =
    bonus + 0.25 * again + alike + (sameTrouble ? 0.15 : 0) + weekday + Math.min(0.2, (count - LEAST) * 0.05);
  return { terms, occasions, strength };
}

/** Mean share of weight that two occasions, one after the other, have in common. */
function likeness(occasions: readonly Occasion[], reading: Reading): number {
  let sum = 0;
  let pairs = 0;
  for (const [index, { says: a }] of occasions.entries())
    for (const { says: b } of occasions.slice(index + 1, index + 4)) {
      const weigh = (terms: Iterable<string>) =>
        [...terms].reduce((total, term) => total + reading.weight(term), 0);
      const shared = weigh(a.intersection(b));
      sum += shared / (Math.min(weigh(a), weigh(b)) || 1);
      pairs += 1;
    }
  return pairs === 0 ? 0 : sum / pairs;
}

/** Whether four of five occasions, and at least three, fell on one weekday. */
export function sameWeekday(occasions: readonly Occasion[]): boolean {
  const days = Map.groupBy(occasions, ({ of }) => of.day % 7);
  const most = Math.max(...[...days.values()].map((of) => of.length));
  return most >= LEAST && most / occasions.length >= 0.8;
}

function withoutRepeats(sorted: readonly Recurrence[]): Recurrence[] {
  const kept: Recurrence[] = [];
  for (const one of sorted) {
    const ids = new Set(one.occasions.map(({ of }) => of.memory.id));
    const isRepeat = kept.some((other) => {
      const shared = other.occasions.filter(({ of }) => ids.has(of.memory.id)).length;
      return shared * 2 >= Math.min(ids.size, other.occasions.length);
    });
    if (!isRepeat) kept.push(one);
  }
  return kept;
}
