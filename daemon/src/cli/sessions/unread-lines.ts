import { count } from '../print.ts';

/** Says how many lines of logs could not be read: `2 lines could not be read`. */
export function unreadLines(lines: number): string {
  return `${count(lines, 'line')} could not be read`;
}

/** Says how many records are of unknown kinds: `2 records of a kind that this version does not know`. */
export function unknownRecords(records: number): string {
  return `${count(records, 'record')} of a kind that this version does not know`;
}
