import type { DreamView, Proposal } from '../strategies/strategy.ts';
import { isoDate, longDate, shorten } from '../notes/day-and-quote.ts';
import { recurrencesOf } from './recurring.ts';
import { rhythmOf } from './rhythm.ts';
import { labelOf } from './title.ts';

const DAY = 86_400_000;
const MOST = 5;
/** Occasions that a rhythm must have had before anything is told from it, and the spread of its gaps, as a share of their mean, at most. */
const LEAST = 5;
const STEADY = 0.15;
const SURE = 0.6;
const EXAMPLES = 8;

/** Proposals of what comes so regularly that its next day can be told, where that day is not past. */
export async function intervalsAhead(view: DreamView, isStopped: () => boolean): Promise<Proposal[]> {
  const today = Math.floor(view.now / DAY);
  const found = await recurrencesOf(view, isStopped);
  const ahead = found.flatMap(({ group, occasions }): Proposal[] => {
    const days = [...new Set(occasions.map(({ day }) => day))];
    const rhythm = days.length < LEAST ? undefined : rhythmOf(days);
    if (!rhythm || rhythm.every < 2 || rhythm.spread / rhythm.every > STEADY) return [];
    const next = Math.round((days.at(-1) ?? 0) + rhythm.every);
    if (next < today) return [];
    const every = `about every ${Math.round(rhythm.every)} days`;
    return [
      {
        strategy: 'forecast',
        title: shorten(`${labelOf(group)}: ${every}, next about ${longDate(next * DAY)}`, 200),
        body: `It happened ${days.length} times, ${every} (± ${Math.round(rhythm.spread)}), last on ${longDate((days.at(-1) ?? 0) * DAY)}; so about ${longDate(next * DAY)} (${isoDate(next * DAY)}) again.`,
        evidence: occasions
          .slice(-EXAMPLES)
          .map(({ telling: { of, sentence } }) => ({ key: of.memory.key, sentence: sentence.text })),
        confidence: SURE,
        content: `due ${isoDate(next * DAY)}`,
        dueOn: next * DAY,
      },
    ];
  });
  return ahead.slice(0, MOST);
}
