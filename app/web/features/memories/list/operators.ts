import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { understandQuery, type Operator } from '@reverie/shared/contract/search/operators';
import { tagOperator } from '../tags.ts';

/** How a query narrows, in the words that a chip has room for. */
export function operatorWords({ kind, value }: Operator): string {
  if (kind === 'exact') return `“${value}”`;
  if (kind === 'without') return `not “${value}”`;
  if (kind === 'in') return `in ${value}`;
  if (kind === 'class') return `${value}s`;
  return kind === 'tag' ? `#${value}` : `${kind} ${value}`;
}

/**
 * The namespace that a query is looked for in: every one (`*`) where its `in:` names another than `chosen`, where nothing would be found.
 */
export function lookedIn(query: string, chosen: string): string {
  const { filters } = understandQuery(query, EVERY_NAMESPACE);
  return filters.some(({ kind, value }) => kind === 'in' && value !== chosen) ? EVERY_NAMESPACE : chosen;
}

/** Whether a query has operators alone, so that it lists rather than looks for something. */
export function isListing(query: string, namespace: string): boolean {
  const { text, filters, wrong } = understandQuery(query, namespace);
  return text.trim() === '' && filters.length > 0 && wrong.length === 0;
}

/** The query without its operator number `taken`; the operators that are left come first, then the words. */
export function withoutOperator(query: string, namespace: string, taken: number): string {
  const { text, filters } = understandQuery(query, namespace);
  const left = filters.filter(({ kind }, at) => at !== taken && kind !== 'exact').map(written);
  const gone = filters[taken];
  const words =
    gone?.kind === 'exact'
      ? text.replace(new RegExp(`["“]\\s*${escaped(gone.value)}\\s*["”]`, 'u'), ' ')
      : text;
  return [...left, words.trim()].filter((piece) => piece !== '').join(' ');
}

/** The query with one more operator, if it is not there yet. */
export function withOperator(query: string, operator: string): string {
  return query.split(/\s+/u).includes(operator) ? query : `${operator} ${query}`.trim();
}

function written({ kind, value }: Operator): string {
  const isBare = /^[^\s"“”]+$/u.test(value);
  if (kind === 'tag') return tagOperator(value);
  if (kind === 'without') return isBare ? `-${value}` : `-"${value}"`;
  return isBare ? `${kind}:${value}` : `${kind}:"${value}"`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
