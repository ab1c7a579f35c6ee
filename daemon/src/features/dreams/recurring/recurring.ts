import { loadFindDates } from '../../../language/dates.ts';
import { readNamespace } from '../notes/reading.ts';
import type { DreamView, Proposal, Strategy } from '../strategies/strategy.ts';
import { weekdayName } from '../notes/day-and-quote.ts';
import { type TellingGroup, groupsOf, LEAST } from './groups.ts';
import { type Occasion, occasionsOf } from './occasions.ts';
import { describeDays } from './rhythm.ts';
import { patternSheets } from './sheets.ts';
import { tellingsOf } from './tellings.ts';
import { titleOf } from './title.ts';

const MOST = 20;
const EXAMPLES = 8;

/** Something that happened three times or more, told in mostly the same words. */
export interface Recurrence {
  readonly group: TellingGroup;
  /** By day. */
  readonly occasions: readonly Occasion[];
}

/** Finds what three notes or more tell in mostly the same words: how often, when, and how regularly. */
export const recurring: Strategy = {
  name: 'pattern',
  sheets: patternSheets,
  async run(view, { progress, cancelled }) {
    const found = await recurrencesOf(view, cancelled);
    progress(1, 1);
    return found.slice(0, MOST).map((one) => proposalOf(one, view.now));
  },
};

const known = new WeakMap<DreamView, readonly Recurrence[]>();

/** What keeps happening in a namespace, closest in words first. The second call for a view is free. */
export async function recurrencesOf(
  view: DreamView,
  isStopped: () => boolean,
): Promise<readonly Recurrence[]> {
  const before = known.get(view);
  if (before) return before;
  const findDates = await loadFindDates();
  if (isStopped()) return [];
  const groups = groupsOf(readNamespace(view).memories.flatMap(tellingsOf), isStopped);
  const found = groups.flatMap((group): Recurrence[] => {
    const occasions = occasionsOf(group.tellings, findDates);
    return occasions.length < LEAST || !hasHappened(occasions) ? [] : [{ group, occasions }];
  });
  if (!isStopped()) known.set(view, found);
  return found;
}

/** Whether at least half are told in the past or with their day, or one as once more: else they say how things are. */
function hasHappened(occasions: readonly Occasion[]): boolean {
  const told = occasions.filter(({ isTold, telling }) => isTold || telling.verbs.size > 0);
  if (occasions.some(({ telling }) => telling.isAgain)) return true;
  return told.length * 2 >= occasions.length && !isMonthly(occasions);
}

/** On the same day of each month: the rent, and no happening. */
function isMonthly(occasions: readonly Occasion[]): boolean {
  const dates = occasions.map(({ day }) => new Date(day * 86_400_000));
  return (
    new Set(dates.map((date) => date.getUTCDate())).size === 1 &&
    new Set(dates.map((date) => date.getUTCMonth())).size > 1
  );
}

function proposalOf({ group, occasions }: Recurrence, now: number): Proposal {
  const days = occasions.map(({ day }) => day);
  const weekday = sameWeekday(days);
  return {
    strategy: 'pattern',
    title: titleOf(group, occasions, now),
    body: `${describeDays(days)}${weekday === undefined ? '' : ` Mostly on a ${weekday}.`}`,
    evidence: occasions
      .slice(0, EXAMPLES)
      .map(({ telling: { of, sentence } }) => ({ key: of.memory.key, sentence: sentence.text })),
    confidence: Number(Math.min(0.9, 0.5 + group.closeness * 0.4).toFixed(2)),
    content: `recurs ${[...group.core].sort().join(' ')}`,
  };
}

/** The weekday of four fifths of the days, at least three. */
function sameWeekday(days: readonly number[]): string | undefined {
  const [most = []] = [...Map.groupBy(days, (day) => day % 7).values()].sort((a, b) => b.length - a.length);
  const isMost = most.length >= LEAST && most.length / days.length >= 0.8 && new Set(days).size >= LEAST;
  return isMost ? weekdayName(most[0] ?? 0) : undefined;
}
