import type { InsightChange } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';

/** What a person calls the insights of a strategy, and where they stand in the list: the lowest place comes first. */
export const KINDS: Readonly<Record<Strategy, { heading: string; place: number }>> = {
  forecast: { heading: 'Coming up', place: 0 },
  contradict: { heading: 'These disagree', place: 1 },
  refine: { heading: 'Same note twice', place: 2 },
  pattern: { heading: 'Keeps happening', place: 3 },
  connect: { heading: 'Belongs together', place: 4 },
  rem: { heading: 'Linked, and missing', place: 5 },
  summarize: { heading: 'In short', place: 5 },
  synthesize: { heading: 'Deserves one page', place: 5 },
  reflect: { heading: 'A question answered', place: 5 },
  sleep: { heading: 'May rest', place: 5 },
};

/** The kind of an insight in words. */
export function headingOf(strategy: Strategy, change: InsightChange | null): string {
  switch (change?.kind) {
    case 'disagree':
      return 'These two disagree';
    case 'update':
      return 'One note is out of date';
    case 'archive':
      return 'Nobody asks for these';
    case 'merge':
    case 'link':
    case undefined:
      return KINDS[strategy].heading;
  }
}

/** Whether deciding on an insight does something: memories change, or a day can be kept. */
export function isActionable(strategy: Strategy, change: InsightChange | null): boolean {
  return strategy === 'forecast' || (change !== null && change.kind !== 'link');
}
