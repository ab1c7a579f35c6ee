import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import { useEffect, useRef } from 'react';
import type { SessionReader } from './use-reader.ts';

/** Begins to read where the address says, else where the session ends while it is live; later goes where a link leads. */
export function useBeginning(
  { begin, jump }: Pick<SessionReader, 'begin' | 'jump'>,
  status: CodingSession['status'],
  entry: string | undefined,
): void {
  const began = useRef<string>(undefined);
  useEffect(() => {
    // The first time by the state of the session; later only what a link names.
    if (began.current !== undefined && (entry === undefined || entry === began.current)) return;
    if (began.current === undefined) {
      const start = status === 'live' ? 'end' : 'start';
      begin(entry === undefined ? start : { around: entry });
    } else if (entry !== undefined) jump(entry);
    began.current = entry ?? '';
  }, [entry, begin, jump, status]);
}
