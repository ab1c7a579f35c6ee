import { describeDays } from './pattern-days.ts';
import { patternSheets } from './pattern-sheets.ts';
import { type Recurrence, recurrencesOf, sameWeekday, tellingSentence } from './recurrences.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { longDate, shorten, weekdayName } from './telling.ts';

const MOST = 20;
const EXAMPLES = 8;
const DAY = 86_400_000;

/** Finds what happened on three days or more: how often, how regularly, and when. */
export const pattern: Strategy = {
  name: 'pattern',
  sheets: patternSheets,
  run(view, { progress, cancelled }) {
    const found = recurrencesOf(view, {
      isStopped: cancelled,
      step: (done) => progress(done * 100, 100),
    });
    progress(100, 100);
    return found.slice(0, MOST).map(proposalOf);
  },
};

function proposalOf(of: Recurrence): Proposal {
  const { occasions, terms, strength } = of;
  const days = occasions.map(({ of: { day } }) => day);
  const [first = 0, last = first] = [days[0], days.at(-1)];
  const about = labelOf(of);
  const weekday = sameWeekday(occasions)
    ? ` Mostly on a ${weekdayName(Math.round(mode(days.map((day) => day % 7))))}.`
    : '';
  return {
    strategy: 'pattern',
    title: shorten(
      `${about}: ${occasions.length} times from ${longDate(first * DAY)} to ${longDate(last * DAY)}`,
      200,
    ),
    body: `${describeDays(days)}${weekday}`,
    evidence: occasions
      .slice(0, EXAMPLES)
      .map((occasion) => ({ key: occasion.of.memory.key, sentence: tellingSentence(occasion, terms) })),
    confidence: Number(Math.min(0.95, strength).toFixed(2)),
    content: `recurs ${[...terms].sort().join(' ')}`,
  };
}

function mode(values: readonly number[]): number {
  const counts = [...Map.groupBy(values, (value) => value)].sort((a, b) => b[1].length - a[1].length);
  return counts[0]?.[0] ?? 0;
}

/** What recurs, in the words of the memories: as they write its terms most often. */
function labelOf({ occasions, terms }: Recurrence): string {
  const spelled = new Map<string, Map<string, number>>();
  for (const { of } of occasions)
    for (const { tokens } of of.sentences)
      for (const { term, text } of tokens) {
        const forms = spelled.get(term) ?? new Map<string, number>();
        spelled.set(term, forms.set(text, (forms.get(text) ?? 0) + 1));
      }
  const words = terms.flatMap(
    (term) => [...(spelled.get(term) ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0] ?? [],
  );
  // What only keys say has no other spelling.
  const label = (words.length > 0 ? words : terms).join(', ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
