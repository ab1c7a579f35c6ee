import { type RelativeDate, relativeDates } from '../../../language/relative-dates.ts';

/** Dates that are written out; a question may be nothing but `yesterday`, and each wording is embedded, perhaps for money. */
const MOST_DATES = 3;

/** Returns a question, then the same with each relative date as a note may write it: `13 November 2026`, `2026-11-13`. */
export function withDatesWritten(text: string, now: Date): readonly string[] {
  const dates = relativeDates(text, now).slice(0, MOST_DATES);
  const written = dates.flatMap((date) =>
    writtenAs(date).map((day) => text.slice(0, date.start) + day + text.slice(date.end)),
  );
  return [...new Set([text, ...written])];
}

/** Returns a date as notes write it; weeks are written in too many ways. */
function writtenAs({ from, grain }: RelativeDate): string[] {
  if (grain === 'week') return [];
  const iso = new Date(from).toISOString().slice(0, { day: 10, month: 7, year: 4 }[grain]);
  if (grain === 'year') return [iso];
  const written = new Intl.DateTimeFormat('en-GB', {
    ...(grain === 'day' && { day: 'numeric' }),
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return [written.format(from), iso];
}
