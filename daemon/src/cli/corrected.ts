import type { UnderstoodQuery } from '@reverie/shared/contract/search/search';
import { inOneLine } from './print.ts';

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A line for each word of a query that no memory says, with what was looked for in its place. */
export function sayCorrected(understood: Pick<UnderstoodQuery, 'corrected'> | undefined): string[] {
  return (understood?.corrected ?? []).map(({ word, read_as }) => {
    const instead = EITHER.format(read_as.map((one) => `"${inOneLine(one)}"`));
    return `Nothing says "${inOneLine(word)}"; looked for ${instead}.`;
  });
}
