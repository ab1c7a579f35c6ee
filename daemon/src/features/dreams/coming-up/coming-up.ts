import { MONTHS } from '../../../language/date-names.ts';
import { loadFindDates } from '../../../language/dates.ts';
import { intervalsAhead } from '../recurring/intervals-ahead.ts';
import { type ReadMemory, readNamespace, type ReadNamespace } from '../notes/reading.ts';
import type { FactView, Proposal, Strategy } from '../strategies/strategy.ts';
import { firstSentence, isoDate, longDate } from '../notes/day-and-quote.ts';
import { type Due, duesIn, nextYearly } from './dues.ts';
import { openDues } from './settled.ts';
import { dueSheets } from './sheets.ts';
import { dayOfDue, titleOf } from './title.ts';

const DAY = 86_400_000;
const MOST = 30;
/** What is further away is not news yet. */
const HORIZON = 400 * DAY;
/** The share that was right on the open sets (docs/decisions/0022). */
const SURE = { limit: 0.85, sure: 0.8, yearly: 0.85, named: 0.7 } as const;

/** Says what is coming up: days and months that notes name and that are neither past nor done, yearly days, and what comes at intervals. */
export const comingUp: Strategy = {
  name: 'forecast',
  sheets: dueSheets,
  async run(view, { progress, cancelled }) {
    const findDates = await loadFindDates();
    const reading = readNamespace(view);
    const isUndated = undatedIn(reading.memories.map(({ memory }) => memory));
    const dues: Due[] = [];
    for (const [index, memory] of reading.memories.entries()) {
      if (index % 100 === 0) {
        if (cancelled()) return [];
        progress(index, reading.memories.length);
      }
      const named = duesIn(memory, { findDates, now: view.now });
      dues.push(...(isUndated(memory.memory) ? named.filter((due) => isUnmistakable(due, view.now)) : named));
    }
    const near = openDues(dues, reading).filter(({ on }) => on <= view.now + HORIZON);
    const told = withoutTwins(near).map((due) => proposalOf(due, view.now));
    const known = birthdays(view.facts(), { reading, now: view.now });
    const all = [...told, ...known.filter((one) => !told.some((other) => isSame(one, other)))];
    return [...all.sort(bySureness), ...(await intervalsAhead(view, cancelled))].slice(0, MOST);
  },
};

type Memory = ReadMemory['memory'];

/** So many notes are not written within one second: they were brought in together, and nobody knows when they were written. */
const TOGETHER = 8;

/** Tells of a memory whether the time of storing is all that is known of when it was written, and says nothing of it. */
function undatedIn(memories: readonly Memory[]): (memory: Memory) => boolean {
  const second = ({ createdAt }: Memory) => Math.floor(createdAt / 1000);
  const counts = new Map<number, number>();
  for (const memory of memories) counts.set(second(memory), (counts.get(second(memory)) ?? 0) + 1);
  return (memory) => memory.time === memory.createdAt && (counts.get(second(memory)) ?? 0) >= TOGETHER;
}

/** A day with its month but without its year is taken for the coming one where it is as near as this. */
const COMING = 60 * DAY;
const MONTH_NAMED = new RegExp(
  `(?<!\\p{L})(?:${Object.keys(MONTHS).join('|')})(?!\\p{L})|\\d\\.\\s?\\d`,
  'iu',
);

/** A day of each year, a date with its year, a day and month that are near: what `Friday` means hangs on when it was written. */
function isUnmistakable({ kind, said, sentence, on }: Due, now: number): boolean {
  const written = sentence.text.slice(said.start, said.end);
  if (kind === 'yearly' || /(?<!\d)20\d\d(?!\d)/u.test(written)) return true;
  return MONTH_NAMED.test(written) && on <= now + COMING;
}

/** Surest first, then by the day. */
function bySureness(a: Proposal, b: Proposal): number {
  return b.confidence - a.confidence || (a.content < b.content ? -1 : a.content > b.content ? 1 : 0);
}

function isSame(a: Proposal, b: Proposal): boolean {
  return a.content === b.content && a.evidence[0]?.key === b.evidence[0]?.key;
}

/** Of notes that say the same, the first. */
function withoutTwins(dues: readonly Due[]): Due[] {
  const seen = new Set<string>();
  return dues.filter((due) => {
    const words = due.sentence.tokens.flatMap(({ says, term }) => (says ? [term] : []));
    const name = `${due.on} ${words.sort().join(' ')}`;
    return !seen.has(name) && seen.add(name);
  });
}

function proposalOf(due: Due, now: number): Proposal {
  const { sentence, grain, on, said, kind } = due;
  const { memory } = sentence.of;
  const day = dayOfDue(due);
  const iso = grain === 'month' ? isoDate(on).slice(0, 7) : isoDate(on);
  const written = sentence.text.slice(said.start, said.end);
  const from = written.includes(iso.slice(0, 4))
    ? ''
    : ` It says "${written}", written on ${longDate(memory.time)}.`;
  return {
    strategy: 'forecast',
    title: titleOf(due),
    body: `"${memory.key}" names ${day} (${iso}), ${awayOf(due, now)}.${from}${kind === 'yearly' ? '' : ' Nothing says that it is done.'}`,
    evidence: [{ key: memory.key, sentence: sentence.text }],
    confidence: SURE[kind],
    content: `due ${iso}`,
    dueOn: on,
  };
}

function awayOf({ on, grain }: Pick<Due, 'on' | 'grain'>, now: number): string {
  if (grain === 'month') return 'no day of it';
  const days = Math.round((on - Math.floor(now / DAY) * DAY) / DAY);
  return days === 0
    ? 'which is today'
    : days === 1
      ? 'which is tomorrow'
      : `${days} days from ${longDate(now)}`;
}

/** Birthdays that are known as facts, whatever words tell them. */
function birthdays(
  facts: readonly FactView[],
  { reading, now }: { reading: ReadNamespace; now: number },
): Proposal[] {
  const seen = new Set<string>();
  return facts.flatMap((fact) => {
    const { memoryId, subject, subjectNorm, predicate, objectNorm, negated, sentence } = fact;
    const of = reading.byId.get(memoryId);
    const [, month, day] = /^(?:\d{4}|-)-(\d\d)-(\d\d)$/u.exec(objectNorm) ?? [];
    if (!of || negated || predicate !== 'birthday' || month === undefined) return [];
    const year = new Date(now).getUTCFullYear();
    const on = nextYearly(Date.UTC(year, Number(month) - 1, Number(day)), Math.floor(now / DAY) * DAY);
    if (on === undefined || seen.has(subjectNorm)) return [];
    seen.add(subjectNorm);
    const whose = subjectNorm === 'user' ? 'Your' : `${subject}'s`;
    return [
      {
        strategy: 'forecast',
        title: `${whose} birthday is on ${longDate(on)}`,
        body: `"${of.memory.key}" says so; it is ${awayOf({ on, grain: 'day' }, now)}.`,
        evidence: [{ key: of.memory.key, sentence: sentence === '' ? firstSentence(of) : sentence }],
        confidence: SURE.yearly,
        content: `due ${isoDate(on)}`,
        dueOn: on,
      } satisfies Proposal,
    ];
  });
}
