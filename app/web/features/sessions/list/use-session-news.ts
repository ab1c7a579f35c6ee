import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { feed } from '../../../platform/daemon/feed.ts';

/** Entries come by the hundred: the list follows once in so many ms. */
const EVERY_MS = 1_000;

/** Asks for the list again when something was written to a session. */
export function useSessionNews(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let cancel: (() => void) | undefined;
    const stop = feed.listen((news) => {
      if (news !== 'missed' && !news.type.startsWith('session.')) return;
      cancel ??= wallClock.after(EVERY_MS, () => {
        cancel = undefined;
        void queries.invalidateQueries({ queryKey: ['sessions', 'list'] });
      });
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [queries]);
}
