import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { queryOptions } from '@tanstack/react-query';
import type { listNamespaces } from '@reverie/shared/contract/memories/memories';
import type { Received } from '@reverie/shared/contract/route';
import { partOfToday } from '../../platform/queries/today.ts';

export type NamespaceRow = Received<typeof listNamespaces>['namespaces'][number];

export const namespacesQuery = queryOptions({
  queryKey: ['namespaces'],
  queryFn: (context) => partOfToday('namespaces', context),
});

/** The namespace to begin with: the one changed last, or `default` in an empty home. */
export function firstNamespace(rows: readonly NamespaceRow[]): string {
  return rows.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))[0]?.namespace ?? 'default';
}

/** The rows by name, and the chosen namespace among them even while it holds nothing. */
export function withChosen(rows: readonly NamespaceRow[], chosen: string | undefined): NamespaceRow[] {
  const known = chosen === EVERY_NAMESPACE || rows.some((row) => row.namespace === chosen);
  const extra =
    chosen === undefined || known ? [] : [{ namespace: chosen, count: 0, bytes: 0, updated_at: '' }];
  return [...rows, ...extra].toSorted((a, b) => a.namespace.localeCompare(b.namespace));
}

/** The row for all namespaces together, to stand above the others; none where there are fewer than two. */
export function allOf(rows: readonly NamespaceRow[]): NamespaceRow[] {
  const sum = (of: (row: NamespaceRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  const all = {
    namespace: EVERY_NAMESPACE,
    count: sum(({ count }) => count),
    bytes: sum(({ bytes }) => bytes),
  };
  return rows.length < 2 ? [] : [{ ...all, updated_at: '' }];
}
