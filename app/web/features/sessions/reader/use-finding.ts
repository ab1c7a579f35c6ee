import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { hitsQuery } from '../queries.ts';

const NONE: readonly (readonly [number, number])[] = [];

/** To the next place, or to the one before. */
export type FindingStep = 1 | -1;

/** What is looked for within a session, and at which of its places one is. */
export function useFinding(session: string, asked: string | undefined, jump: (entry: string) => void) {
  const [q, setQ] = useState(asked ?? '');
  const [isFinding, setFinding] = useState(asked !== undefined);
  const [at, setAt] = useState(-1);
  // A step that was asked for before the places were found.
  const [awaited, setAwaited] = useState<FindingStep>();
  const { data, isPlaceholderData } = useQuery(hitsQuery(q, { session }));
  // In the order of the session, as one reads; the daemon answers the best first.
  const hits = useMemo(() => data?.toSorted((a, b) => a.at.localeCompare(b.at) || a.seq - b.seq), [data]);
  const type = useCallback((next: string, then?: FindingStep) => {
    setQ(next);
    setAt(-1);
    setAwaited(then);
  }, []);
  const step = (by: FindingStep) => {
    // Those of what was typed before are shown meanwhile, and are not what is meant.
    if (!hits || isPlaceholderData) return setAwaited(by);
    if (hits.length === 0) return;
    const next = (Math.max(at, by === 1 ? -1 : 0) + by + hits.length) % hits.length;
    const hit = hits[next];
    setAt(next);
    if (hit) jump(hit.entry);
  };
  useEffect(() => {
    if (!hits || isPlaceholderData || awaited === undefined) return;
    setAwaited(undefined);
    step(awaited);
  });
  const marks = useCallback(
    (entry: string) => hits?.find((hit) => isFinding && hit.entry === entry)?.passage.marks ?? NONE,
    [hits, isFinding],
  );
  return {
    q,
    hits,
    at,
    isFinding,
    marks,
    type,
    begin: () => setFinding(true),
    end: () => {
      setFinding(false);
      type('');
    },
    step,
  };
}
