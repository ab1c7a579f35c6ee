import { useEffect, useMemo } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { wallClock } from '../../platform/clock.ts';
import { feed, type FeedNews } from '../../platform/daemon/feed.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import type { EventFilter } from './event-row.ts';

/** Many events in a moment are drawn together. */
const DRAW_EVERY_MS = 80;

/** The event log under a filter, which goes on as things happen for as long as the view is there. */
export function useEventLog({ family, namespace, actor }: EventFilter): EventLog {
  const log = useMemo(() => createEventLog(call, { family, namespace, actor }), [family, namespace, actor]);
  useEffect(() => {
    let news: FeedNews[] = [];
    let cancel: (() => void) | undefined;
    const tell = () => {
      cancel = undefined;
      log.hear(news);
      news = [];
    };
    const stop = feed.listen((one) => {
      news.push(one);
      cancel ??= wallClock.after(DRAW_EVERY_MS, tell);
    });
    void log.reload();
    return () => {
      stop();
      cancel?.();
    };
  }, [log]);
  return log;
}
