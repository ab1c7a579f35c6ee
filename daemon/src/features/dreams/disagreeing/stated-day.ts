import { MONTH_OF } from '../../../language/date-names.ts';
import type { DreamMemory } from '../strategies/strategy.ts';

const NUMERIC = /(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)/u;
const WRITTEN = /(?<!\d)(\d{1,2})\.? (\p{L}{3,9})\.? (20\d\d)(?!\d)/u;

/** The day that a note gives itself, in its key or its first line if that is no sentence (`# 3 May 2026`); milliseconds since 1970. */
export function statedDay({ key, value }: Pick<DreamMemory, 'key' | 'value'>): number | undefined {
  const [first = ''] = value.trimStart().split('\n', 1);
  return dayIn(key) ?? (first.length <= 40 && first.length < value.trim().length ? dayIn(first) : undefined);
}

/** The first day that a text names in figures or with its month and year; milliseconds since 1970. */
export function dayIn(text: string): number | undefined {
  const numeric = NUMERIC.exec(text);
  if (numeric) return Date.UTC(Number(numeric[1]), Number(numeric[2]) - 1, Number(numeric[3]));
  const written = WRITTEN.exec(text);
  const month = MONTH_OF.get(written?.[2]?.toLowerCase() ?? '');
  return written && month !== undefined ? Date.UTC(Number(written[3]), month, Number(written[1])) : undefined;
}
