import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../../platform/place.ts';
import { firstNamespace, namespacesQuery } from './queries.ts';

/**
 * The namespace of the address, else the one changed last; undefined while that is not known yet. Where every one is
 * chosen, views of a single one show the one changed last.
 */
export function useChosenNamespace(): string | undefined {
  const { namespace } = usePlace();
  const { data } = useQuery(namespacesQuery);
  return namespace === undefined || namespace === EVERY_NAMESPACE ? data && firstNamespace(data) : namespace;
}

/**
 * As `useChosenNamespace`, for views that can show every namespace at once: unless one is chosen it is `*`, where there is more than
 * one.
 */
export function useChosenOrEvery(): string | undefined {
  const { namespace } = usePlace();
  const { data } = useQuery(namespacesQuery);
  if (namespace !== undefined) return namespace;
  return data && (data.length > 1 ? EVERY_NAMESPACE : firstNamespace(data));
}
