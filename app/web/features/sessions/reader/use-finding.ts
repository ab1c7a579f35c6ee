import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { hitsQuery } from '../queries.ts';

const NONE: readonly (readonly [number, number])[] = [];

/** What is looked for within a session, and at which of its places one is. */
export function useFinding(session: string, asked: string | undefined, jump: (entry: string) => void) {
  const [q, setQ] = useState(asked ?? '');
  const [isFinding, setFinding] = useState(asked !== undefined);
  const [at, setAt] = useState(-1);
  const { data } = useQuery(hitsQuery(q, { session }));
  // In the order of the session, as one reads; the daemon answers the best first.
  const hits = useMemo(() => data?.toSorted((a, b) => a.at.localeCompare(b.at) || a.seq - b.seq), [data]);
  const type = useCallback((next: string) => {
    setQ(next);
    setAt(-1);
  }, []);
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
    step: (step: 1 | -1) => {
      if (!hits || hits.length === 0) return;
      const next = (Math.max(at, step === 1 ? -1 : 0) + step + hits.length) % hits.length;
      const hit = hits[next];
      setAt(next);
      if (hit) jump(hit.entry);
    },
  };
}
