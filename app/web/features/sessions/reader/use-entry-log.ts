import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../../../platform/daemon/api.ts';
import { wallClock } from '../../../platform/clock.ts';
import { feed } from '../../../platform/daemon/feed.ts';
import { createEntryLog, type EntryLog } from './entry-log.ts';

/** Entries come in bursts: they are drawn together. */
const SOON_MS = 150;
/** What the stream did not tell of is looked for, while a session is live. */
const LOOK_EVERY_MS = 4_000;

/** The entries of a session, followed for as long as the view is there. */
export function useEntryLog(id: string, isLive: boolean): EntryLog {
  const queries = useQueryClient();
  const log = useMemo(() => createEntryLog(call, id), [id]);
  useEffect(() => {
    let cancelSoon: (() => void) | undefined;
    let cancelLook: (() => void) | undefined;
    const look = async () => {
      cancelSoon = undefined;
      const before = log.state.get().total;
      // That the daemon does not answer is told at the top of the page, and the next look asks again.
      await log.follow().catch(() => undefined);
      if (log.state.get().total === before) return;
      for (const what of ['prompts', 'failures', 'one'])
        void queries.invalidateQueries({ queryKey: ['sessions', what, id] });
    };
    const lookAgain = () => {
      cancelLook = wallClock.after(LOOK_EVERY_MS, () => {
        if (document.visibilityState === 'visible') void look();
        lookAgain();
      });
    };
    const stop = feed.listen((news) => {
      if (news === 'missed' || news.type.startsWith('session.'))
        cancelSoon ??= wallClock.after(SOON_MS, () => void look());
    });
    if (isLive) lookAgain();
    return () => {
      stop();
      cancelSoon?.();
      cancelLook?.();
    };
  }, [log, id, isLive, queries]);
  return log;
}
