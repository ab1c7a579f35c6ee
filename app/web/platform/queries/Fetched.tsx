import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/Message.tsx';
import { Trouble } from '../Trouble.tsx';

/** What is asked of a query here, or of several that are shown as one. */
interface Fetching {
  error: Error | null | undefined;
  refetch: () => unknown;
}

interface FetchedProps<T> {
  of: Fetching & { data: T | undefined };
  /** Grey lines while it is on its way. */
  lines: number;
  children: (data: T) => ReactNode;
}

/** Draws what was fetched, and `Unfetched` until it is there; it stays while fetching it again fails. */
export function Fetched<T>({ of, lines, children }: FetchedProps<T>) {
  if (of.data === undefined) return <Unfetched of={of} lines={lines} />;
  return children(of.data);
}

/** Stands in the place of what was not fetched: why it could not be, or grey lines while it is on its way. */
export function Unfetched({ of: { error, refetch }, lines }: { of: Fetching; lines: number }) {
  return error ? <Trouble error={error} retry={() => void refetch()} /> : <Skeleton lines={lines} />;
}
