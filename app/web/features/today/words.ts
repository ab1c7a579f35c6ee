import { midnightOf, readersDay } from '../../platform/readers-clock.ts';
import { formatCount } from '../../platform/format.ts';

const NUMBERS = [
  ...['no', 'one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

/** `nine`; from thirteen on in figures. */
export function inWords(count: number): string {
  return NUMBERS[count] ?? formatCount(count);
}

/** What one says at this hour of the reader's day. */
export function greeting(hour: number): string {
  if (hour < 5) return 'Good night.';
  if (hour < 12) return 'Good morning.';
  return hour < 18 ? 'Good afternoon.' : 'Good evening.';
}

/** The midnight with which the day of the reader began, ms. */
export function startOfDay(now: number): number {
  return midnightOf(readersDay(now)).getTime();
}

interface DayCounts {
  /** Proposals that today shows. */
  shown: number;
  /** All that wait for a decision. */
  waiting: number;
  /** Whether as much was decided as belongs to a day. */
  isDone: boolean;
  dueSoon: number;
}

/** What waits, in a sentence; a number is that of all that waits, as everywhere on the page. Undefined while that is not known. */
export function waiting(counts: DayCounts | undefined): string | undefined {
  if (counts === undefined) return undefined;
  const { dueSoon } = counts;
  const due =
    dueSoon > 0 ? `${inWords(dueSoon)} ${dueSoon === 1 ? 'is' : 'are'} due within a week` : undefined;
  const said = [toDecide(counts), due].filter((part) => part !== undefined).join(', ');
  return said === '' ? 'Nothing waits.' : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

function toDecide({ shown, waiting: all, isDone }: DayCounts): string | undefined {
  if (shown === 0) return isDone ? 'done for today' : undefined;
  return `${inWords(all)} ${all === 1 ? 'thing' : 'things'} to decide`;
}
