import { count } from '../print.ts';

/** Says how many lines of logs could not be read: `2 lines could not be read`. */
export function unreadLines(lines: number): string {
  return `${count(lines, 'line')} could not be read`;
}
