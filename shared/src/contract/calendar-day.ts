/** The day of a time on the calendar of whoever runs this, as a date field has it: `2026-12-03`. */
export function calendarDay(time: Date): string {
  const two = (count: number) => String(count).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
